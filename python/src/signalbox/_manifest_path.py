"""Paths in a manifest, as errors write them: `spec.runPolicy`, `containers[0].image`, `containers[pytorch].image`."""

from __future__ import annotations

import re
from collections.abc import Sequence

# Below these, the rest of a path is one key, whatever dots it has: `metadata.labels.app.kubernetes.io/name`.
_MAPS_OF_VALUES = frozenset({"annotations", "labels", "matchLabels", "nodeSelector", "limits", "requests"})


def path_steps(path: str) -> list[str] | None:
    """Return the steps of a path; None if it is none, e.g. because a bracket is open."""
    steps: list[str] = []
    rest = path
    while rest:
        found = _next_step(rest, steps)
        if found is None:
            return None
        step, rest = found
        steps.append(step)
    return steps or None


def _next_step(rest: str, before: Sequence[str]) -> tuple[str, str] | None:
    in_brackets = re.fullmatch(r"\[([^\]]+)\](.*)", rest, re.DOTALL)
    if in_brackets:
        return (in_brackets[1], in_brackets[2]) if before else None
    if before and not rest.startswith("."):
        return None
    after = rest[1:] if before else rest
    if before and before[-1] in _MAPS_OF_VALUES:
        return (after, "") if after else None
    named = re.fullmatch(r"([^.\[\]]+)(.*)", after, re.DOTALL)
    return (named[1], named[2]) if named else None


def format_steps(steps: Sequence[str]) -> str:
    """Write steps as a path. Those that are no plain names, e.g. an index or an annotation, are in brackets."""
    text = ""
    for step in steps:
        if re.fullmatch(r"[A-Za-z][\w-]*", step, re.ASCII):
            text += f".{step}" if text else step
        else:
            text += f"[{step}]"
    return text
