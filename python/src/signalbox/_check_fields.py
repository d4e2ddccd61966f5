"""Finds the fields of a manifest that nothing reads, and those that are missing, as the engine does, and without it.

What the engine knows more of it finds when the job is admitted.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, NamedTuple, cast

from ._did_you_mean import did_you_mean, nearest, resembles
from .errors import Fault, InvalidManifestError
from .models.fields import ANNOTATIONS, PODS_OF_KUBERNETES, PREFIX, TYPE_OF_KIND, TYPES, USER_ANNOTATIONS

_POD = "PodTemplateSpec"
_LONGEST = 80
"""Letters of a value that a fault shows."""
_OUTER = frozenset({_POD, "PodSpec", "Container"})
"""Users look for fields here that they put into a wrong place; deeper ones share names such as `values`."""


class _Field(NamedTuple):
    type: str
    is_required: bool


class _Place(NamedTuple):
    """An object of a manifest: where it is, with the role as it was written and as its kind spells it."""

    type: str
    path: str
    general: str
    value: Mapping[str, Any]
    template: str = ""
    """The path of the pod template that it is part of; empty outside of them."""
    is_there: bool = True


def check_fields(manifest: Mapping[str, Any], *, strict: bool) -> None:
    """Raise `InvalidManifestError` for missing fields and, if it is strict, for unknown ones.

    A kind that this version does not know passes: the engine may know it.
    """
    kind = TYPE_OF_KIND.get(f"{manifest.get('apiVersion')} {manifest.get('kind')}")
    if kind is None:
        return
    places = list(_places(_Place(kind, "", "", manifest)))
    faults = [fault for place in places for fault in _missing_in(place)]
    if strict:
        faults += [fault for place in places for fault in _unknown_in(place, places)]
        faults += _unknown_annotations(manifest)
    if faults:
        raise InvalidManifestError(faults)


def _places(place: _Place) -> Iterator[_Place]:
    """Yield all objects of a manifest, and those of the job itself that it does not have: a field may belong there."""
    yield place
    if not place.template:
        for name, field in _fields_of(place.type).items():
            if field.type in TYPES and not _is_role(field) and _spelt(place.value, name) is None:
                inner = _joined(place.path, name)
                yield from _places(_Place(field.type, inner, inner, {}, is_there=False))
    for name, value in place.value.items():
        known = _known_name(place.type, name)
        if known is None:
            continue
        inner = _fields_of(place.type)[known].type.strip("[]")
        if inner not in TYPES:
            continue
        path = _joined(place.path, name)
        general = path if inner == _POD else _joined(place.general, known)
        template = place.template or (path if inner == _POD else "")
        items = enumerate(cast("list[object]", value)) if isinstance(value, list) else [(None, value)]
        for index, item in items:
            if isinstance(item, Mapping):
                suffix = "" if index is None else f"[{index}]"
                of_item = cast("Mapping[str, Any]", item)
                yield from _places(_Place(inner, f"{path}{suffix}", f"{general}{suffix}", of_item, template))


def _missing_in(place: _Place) -> Iterator[Fault]:
    for name, field in _fields_of(place.type).items():
        if field.is_required and place.is_there and _spelt(place.value, name) is None:
            expected = "an object" if field.type in TYPES else "a value"
            yield Fault(_joined(place.path, name), expected, "nothing")


def _unknown_in(place: _Place, places: list[_Place]) -> Iterator[Fault]:
    known = list(_fields_of(place.type))
    if all(map(_is_role, _fields_of(place.type).values())):
        return  # The engine names the roles of the kind.
    for name, value in place.value.items():
        if _known_name(place.type, name) is None:
            meant = _meant_by(name, known, _elsewhere(place, places))
            of = f"field of pods that Kubernetes {PODS_OF_KUBERNETES} knows" if place.template else "known field"
            yield _unknown(_joined(place.path, name), of, meant, value)


def _elsewhere(place: _Place, places: list[_Place]) -> Iterator[_Place]:
    """Yield where a misplaced field may belong."""
    for other in places:
        is_of_same = other.template == place.template and other.type in _OUTER
        if other.path.startswith("spec") and (not other.template or is_of_same):
            yield other


def _meant_by(name: str, known: list[str], places: Iterator[_Place]) -> str | None:
    """Prefer the same name in another place to a similar name in the same place."""
    for one in known:
        if one.lower() == name.lower():
            return one
    for place in places:
        if name in _fields_of(place.type):
            return _joined(place.general, name)
    return nearest(name, known)


def _unknown_annotations(manifest: Mapping[str, Any]) -> Iterator[Fault]:
    """Yield annotations with the prefix of signalbox, or a misspelt one, that it does not know."""
    annotations = _mapping(_mapping(manifest.get("metadata")).get("annotations"))
    for name, value in annotations.items():
        prefix = name[: name.find("/") + 1]
        if resembles(prefix, PREFIX) and name not in ANNOTATIONS:
            meant = nearest(name[len(prefix) :], USER_ANNOTATIONS)
            known = None if meant is None else f"{PREFIX}{meant}"
            yield _unknown(f"metadata.annotations[{name}]", "known field", known, value)


def _unknown(path: str, of: str, meant: str | None, value: object) -> Fault:
    hint = f" ({did_you_mean(meant)})" if meant is not None else ""
    return Fault(path, f"a {of}{hint}", _described(value), is_unknown=True)


def _known_name(of_type: str, name: str) -> str | None:
    """Return the field as its type spells it. The names of roles may be in any case."""
    fields = _fields_of(of_type)
    if name in fields:
        return name
    return next((one for one, field in fields.items() if one.lower() == name.lower() and _is_role(field)), None)


def _spelt(value: Mapping[str, Any], name: str) -> str | None:
    """Return the name of a field as it was written; None if its value is missing."""
    return next((one for one in value if one.lower() == name.lower() and value[one] is not None), None)


def _is_role(field: _Field) -> bool:
    template = _fields_of(field.type).get("template")
    return template is not None and template.type == _POD


@cache
def _fields_of(of_type: str) -> dict[str, _Field]:
    """Return the fields of a type; text has no type behind its name."""
    parts = (field.partition(":") for field in TYPES.get(of_type, "").split())
    return {name.rstrip("!"): _Field(type_, is_required=name.endswith("!")) for name, _, type_ in parts}


def _described(value: object) -> str:
    """Return a value as a fault shows it: short, and never a whole object."""
    if isinstance(value, Mapping):
        return "an object"
    if isinstance(value, list):
        return f"a list of {len(cast('list[object]', value))}" if value else "an empty list"
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..."


def _mapping(value: object) -> Mapping[str, Any]:
    return cast("Mapping[str, Any]", value) if isinstance(value, Mapping) else {}


def _joined(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name
