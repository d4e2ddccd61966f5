"""Checks the options of builders."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Any, cast

from ._did_you_mean import did_you_mean, nearest
from ._quantity import parse_quantity
from .errors import Fault, InvalidManifestError


def check_options(given: Mapping[str, Any], known: Mapping[str, Any]) -> None:
    """Raise `InvalidManifestError` with each option that is absent, unknown or has a wrong value."""
    absent = [name for name, option in known.items() if "required" in option and name not in given]
    faults = [Fault(name, known[name]["rule"]["expected"], "nothing") for name in absent]
    for name, value in given.items():
        rule = known[name]["rule"] if name in known else _unknown(name, list(known))
        if not _CHECKS[rule["is"]](value, rule):
            faults.append(Fault(name, rule["expected"], json.dumps(value, default=str)[:80]))
    if faults:
        raise InvalidManifestError(faults, of="options")


def _unknown(name: str, known: list[str]) -> dict[str, str]:
    meant = did_you_mean(nearest(name, known))
    hint = f" ({meant})" if meant else ""
    return {"is": "unknown", "expected": f"one of the options {', '.join(known)}{hint}"}


def _is_text(value: object) -> bool:
    return isinstance(value, str) and value != ""


def _is_name(value: object) -> bool:
    return isinstance(value, str) and re.fullmatch(r"[a-z]([-a-z0-9]{0,61}[a-z0-9])?", value) is not None


def _are_texts(value: object) -> bool:
    items = cast("list[object]", value) if isinstance(value, (list, tuple)) else [0]
    return all(isinstance(item, str) for item in items)


def _has_texts(value: object, prefix: str = "") -> bool:
    items = list(cast("Mapping[str, object]", value).values()) if isinstance(value, Mapping) else [0]
    return all(isinstance(item, str) and item.startswith(prefix) for item in items)


def _has_lists(value: object) -> bool:
    return isinstance(value, Mapping) and all(_are_texts(item) for item in cast("Mapping[str, object]", value).values())


def _is_integer(value: object, least: int) -> bool:
    # JavaScript, JSON's readers among them, has no larger ones.
    return isinstance(value, int) and not isinstance(value, bool) and least <= value < 2**53


def _is_quantity(value: object) -> bool:
    amount = parse_quantity(value)
    return amount is not None and amount > 0


def _has_bounds(value: object, bounds: list[str]) -> bool:
    limits: Mapping[str, Any] = cast("Mapping[str, Any]", value) if isinstance(value, Mapping) else {}
    least, most = (limits.get(name) for name in bounds)
    return _is_integer(least, 1) and _is_integer(most, cast("int", least))


_CHECKS: Mapping[str, Callable[[Any, Mapping[str, Any]], bool]] = {
    "name": lambda value, _: _is_name(value),
    "text": lambda value, _: _is_text(value),
    "texts": lambda value, _: _are_texts(value),
    "textByName": lambda value, _: _has_texts(value),
    "textsByName": lambda value, _: _has_lists(value),
    "pathByName": lambda value, _: _has_texts(value, "/"),
    "boolean": lambda value, _: isinstance(value, bool),
    "integer": lambda value, rule: _is_integer(value, rule["least"]) or value in rule.get("words", []),
    "word": lambda value, rule: value in rule["words"],
    "quantity": lambda value, _: _is_quantity(value),
    "policy": lambda value, _: isinstance(value, Mapping),
    "bounds": lambda value, rule: _has_bounds(value, rule["bounds"]),
    "unknown": lambda _, _rule: False,
}
