"""The hash of a manifest: the same in every client, so that all are idempotent towards each other."""

from __future__ import annotations

import hashlib
import json
import math
import re
from typing import cast

from ._written_manifest import written_manifest

_LARGEST_EXACT_INTEGER = 2**53
_SURROGATE = re.compile("[\ud800-\udfff]")


def manifest_hash_of(manifest: object) -> str:
    """Return the SHA-256 of the canonical JSON of what a user wrote of the manifest, in hexadecimal."""
    return hashlib.sha256(canonical_json(written_manifest(manifest)).encode()).hexdigest()


def canonical_json(value: object) -> str:
    """Return canonical JSON (RFC 8785): sorted keys, no white space, numbers as JavaScript writes them."""
    if isinstance(value, dict):
        fields = sorted(cast("dict[str, object]", value).items(), key=_order)
        return "{" + ",".join(f"{_text(key)}:{canonical_json(part)}" for key, part in fields) + "}"
    if isinstance(value, (list, tuple)):
        items = cast("list[object]", value)
        return "[" + ",".join(canonical_json(part) for part in items) + "]"
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return _number(value)
    return json.dumps(value)


def _order(field: tuple[str, object]) -> bytes:
    """Keys sort by UTF-16 code units."""
    return field[0].encode("utf-16-be", "surrogatepass")


def _text(value: str) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return _SURROGATE.sub(lambda lone: f"\\u{ord(lone[0]):04x}", text)


def _number(value: float) -> str:
    """Write a number as ECMAScript's Number::toString does."""
    if isinstance(value, int) and abs(value) <= _LARGEST_EXACT_INTEGER:
        return str(value)
    number = float(value)
    if not math.isfinite(number):
        return "null"
    if number == 0:
        return "0"
    sign = "-" if number < 0 else ""
    digits, exponent = _decimal(abs(number))
    return sign + _positional(digits, exponent)


def _decimal(number: float) -> tuple[str, int]:
    """Return the shortest digits and the position of the point: 0.00123 is ("123", -2)."""
    mantissa, _, exponent = f"{number!r}e0".partition("e")
    power = int(exponent.removesuffix("e0") or "0")
    whole, _, fraction = mantissa.partition(".")
    digits = (whole + fraction).lstrip("0")
    leading = len(whole + fraction) - len(digits)
    return digits.rstrip("0"), len(whole) + power - leading


def _positional(digits: str, point: int) -> str:
    if len(digits) <= point <= 21:  # noqa: PLR2004
        return digits.ljust(point, "0")
    if 0 < point <= 21:  # noqa: PLR2004
        return f"{digits[:point]}.{digits[point:]}"
    if -6 < point <= 0:  # noqa: PLR2004
        return f"0.{'0' * -point}{digits}"
    power = point - 1
    fraction = f".{digits[1:]}" if len(digits) > 1 else ""
    return f"{digits[0]}{fraction}e{'+' if power > 0 else '-'}{abs(power)}"
