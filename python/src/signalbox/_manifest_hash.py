"""The hash of a manifest: the same in every client, so that all are idempotent towards each other."""

from __future__ import annotations

import hashlib
import json
import math
import re
from decimal import Decimal
from typing import Any, cast

from ._plain import LAST_APPLIED

# What programs write into metadata.
_WRITTEN = frozenset(
    {
        LAST_APPLIED,
        *(
            f"signalbox.dev/{name}"
            for name in (
                *("workflow-id", "first-run-id", "cluster-id", "phase", "kind", "main-container", "main-pod"),
                *("host-list", "watch", "expires-at", "clean-up", "milestones", "deciding-pod", "ending"),
                *("digest", "asked", "checkpoint", "requested-by", "interrupted-streams", "services"),
            )
        ),
    }
)
_SMALLEST_POSITIONAL, _LARGEST_POSITIONAL = 1e-6, 1e21
_SURROGATE = re.compile("[\ud800-\udfff]")


def manifest_hash_of(manifest: dict[str, Any]) -> str:
    """Return the SHA-256 of the canonical JSON of what a user wrote of the manifest, in hexadecimal."""
    return hashlib.sha256(canonical_json(_written(manifest)).encode()).hexdigest()


def _written(manifest: dict[str, Any]) -> dict[str, Any]:
    """Leave out the status, and what an API server or a program added to the metadata."""
    written = {key: value for key, value in manifest.items() if key != "status"}
    metadata: dict[str, Any] = manifest.get("metadata") or {}
    given: dict[str, Any] = metadata.get("annotations") or {}
    annotations = {key: text for key, text in given.items() if key not in _WRITTEN}
    kept = {key: metadata[key] for key in ("name", "namespace", "labels") if metadata.get(key) is not None}
    return {**written, "metadata": {**kept, **({"annotations": annotations} if annotations else {})}}


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
        return text_of_number(value)
    return json.dumps(value)


def _order(field: tuple[str, object]) -> bytes:
    """Keys sort by UTF-16 code units."""
    return field[0].encode("utf-16-be", "surrogatepass")


def _text(value: str) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return _SURROGATE.sub(lambda lone: f"\\u{ord(lone[0]):04x}", text)


def text_of_number(value: float) -> str:
    """Write a number as ECMAScript's Number::toString does: both choose the shortest digits."""
    number = float(value)
    if not math.isfinite(number):
        return "null"
    if number == 0:
        return "0"
    shortest = repr(number)
    if _SMALLEST_POSITIONAL <= abs(number) < _LARGEST_POSITIONAL:
        return f"{Decimal(shortest):f}".removesuffix(".0")
    return re.sub(r"e([+-])0", r"e\1", shortest)
