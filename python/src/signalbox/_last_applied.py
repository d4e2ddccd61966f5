"""The annotation in which `kubectl apply` repeats a whole manifest, with the value of every variable."""

from __future__ import annotations

from typing import Any, cast

LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration"


def without_last_applied(manifest: Any) -> Any:
    """Return a manifest without it, also in pod templates, and without `annotations` that had no other.

    The engine's other clients remove the same, as the hash of a submission does not depend on the annotation.
    """
    if isinstance(manifest, list):
        return [without_last_applied(item) for item in cast("list[object]", manifest)]
    if not isinstance(manifest, dict):
        return manifest
    fields = cast("dict[str, Any]", manifest)
    return {key: _part(key, value) for key, value in fields.items() if not _is_only_last_applied(key, value)}


def _part(key: str, value: Any) -> Any:
    if not _has_last_applied(key, value):
        return without_last_applied(value)
    return {name: text for name, text in value.items() if name != LAST_APPLIED}


def _is_only_last_applied(key: str, value: Any) -> bool:
    return _has_last_applied(key, value) and len(value) == 1


def _has_last_applied(key: str, value: Any) -> bool:
    return key == "annotations" and isinstance(value, dict) and LAST_APPLIED in value
