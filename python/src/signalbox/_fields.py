"""Values of JSON, of which only the shape is known."""

from __future__ import annotations

from typing import Any, cast


def fields_of(value: object) -> dict[str, Any]:
    """Return an object's fields; none for anything else."""
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}
