"""Changes a manifest by paths, as `signalbox rerun --set` and the TypeScript client do."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from ._did_you_mean import did_you_mean, nearest
from ._manifest_path import format_steps, path_steps
from ._policy_text import POLICY_ANNOTATION, with_policy_fields
from .errors import Fault

_POLICY = ("metadata", "annotations", POLICY_ANNOTATION)


class _PathError(Exception):
    def __init__(self, path: str, expected: str, got: object) -> None:
        super().__init__(path)
        self.fault = Fault(path, expected, described(got))


def edit_manifest(manifest: Any, edits: Sequence[tuple[str, Any]]) -> tuple[Any, list[Fault]]:
    """Return a manifest with changes, and the faults of the changes.

    Mappings that are missing on the way are made: whether the manifest may have them is for its validation to say.
    Items of lists must exist. None removes.
    """
    faults: list[Fault] = []
    edited = manifest
    for path, value in edits:
        try:
            edited = _with_edit(edited, path, value)
        except _PathError as error:
            faults.append(error.fault)
    return edited, faults


def described(value: object) -> str:
    """Return a value as a fault shows it: short, and never a whole object."""
    if isinstance(value, Mapping):
        return "an object"
    if isinstance(value, (list, tuple)):
        count = len(cast("Sequence[object]", value))
        return f"a list of {count}" if count else "an empty list"
    plain = {None: "null", True: "true", False: "false"}
    text = plain[value] if value is None or isinstance(value, bool) else _quoted(value)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..."


_LONGEST = 80


def _quoted(value: object) -> str:
    return json.dumps(value, ensure_ascii=False) if isinstance(value, str) else str(value)


def _with_edit(manifest: Any, path: str, value: Any) -> Any:
    steps = path_steps(path)
    if steps is None:
        raise _PathError(path, "names separated by dots, e.g. spec.runPolicy.backoffLimit", path)
    _refuse_fixed(steps, value)
    if len(steps) > len(_POLICY) and tuple(steps[: len(_POLICY)]) == _POLICY:
        return _with_policy_field(manifest, steps[len(_POLICY) :], value)
    return _with_value(manifest, steps, _Change([], value))


def _refuse_fixed(steps: Sequence[str], value: object) -> None:
    """Refuse what no change of a manifest can mean."""
    path = format_steps(steps)
    if path == "metadata.name":
        raise _PathError(path, "the name by its own option, new_name", value)
    if steps[0] == "status":
        raise _PathError(path, "a field of the manifest; the job writes its status", value)


def _with_policy_field(manifest: Any, steps: Sequence[str], value: Any) -> Any:
    """Lists of a policy are replaced as a whole, as in an amendment."""
    in_list = next((index for index, step in enumerate(steps) if re.fullmatch(r"\d+|\+", step)), None)
    if in_list is not None:
        path = format_steps([*_POLICY, *steps[:in_list]])
        raise _PathError(path, "the whole list, as lists of a policy are replaced as a whole", value)
    for step in reversed(steps):
        value = {step: value}
    return with_policy_fields(manifest, value)


@dataclass(frozen=True)
class _Change:
    place: list[str]
    """The steps taken so far, in the manifest's spelling."""
    value: Any


def _with_value(target: Any, steps: Sequence[str], change: _Change) -> Any:
    if not steps:
        return change.value
    if isinstance(target, list) or (target is None and steps[0] == "+"):
        return _with_item([] if target is None else _items_of(target), steps, change)
    if target is None or isinstance(target, Mapping):
        return _with_field(cast("Mapping[str, Any]", target or {}), steps, change)
    raise _PathError(format_steps(change.place), "an object or a list", target)


def _items_of(target: Any) -> list[Any]:
    return list(target)


def _with_field(target: Mapping[str, Any], steps: Sequence[str], change: _Change) -> dict[str, Any]:
    key = _key_in(target, steps[0], change.place[-1] if change.place else "")
    change.place.append(key)
    if len(steps) > 1 or change.value is not None:
        return {**target, key: _with_value(target.get(key), steps[1:], change)}
    if key not in target:
        raise _missing(format_steps(change.place), key, list(target))
    return {name: value for name, value in target.items() if name != key}


def _key_in(target: Mapping[str, Any], step: str, parent: str) -> str:
    """Names of roles match in any case, as everywhere."""
    if step in target or not parent.endswith("ReplicaSpecs"):
        return step
    return next((key for key in target if key.lower() == step.lower()), step)


def _with_item(target: list[Any], steps: Sequence[str], change: _Change) -> list[Any]:
    index = _index_in(target, steps[0], change.place)
    change.place.append(str(index))
    if len(steps) == 1 and change.value is None:
        return [item for at, item in enumerate(target) if at != index]
    item = _with_value(target[index] if index < len(target) else None, steps[1:], change)
    return [*target[:index], item, *target[index + 1 :]]


def _index_in(target: list[Any], step: str, place: Sequence[str]) -> int:
    if step == "+":
        return len(target)
    names = [_name_of(item) for item in target]
    index = names.index(step) if step in names else int(step) if re.fullmatch("[0-9]+", step) else -1
    if 0 <= index < len(target):
        return index
    raise _missing(f"{format_steps(place)}[{step}]", step, [name for name in names if name], len(target))


def _name_of(item: object) -> str:
    return str(cast("Mapping[str, Any]", item).get("name", "")) if isinstance(item, Mapping) else ""


def _missing(path: str, step: str, known: Sequence[str], length: int | None = None) -> _PathError:
    """Tell what there is instead."""
    meant = did_you_mean(nearest(step, known))
    named = f"one of {', '.join(known)}" if known else ""
    there = "an empty list" if length == 0 else f"an index below {length}"
    items = "" if length is None else f"{there}, or [+] to append"
    expected = ", ".join(part for part in (named, items) if part) or "a field that is there"
    return _PathError(path, f"{expected} ({meant})" if meant else expected, step)
