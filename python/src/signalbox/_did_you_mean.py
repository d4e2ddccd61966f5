"""Finds the name that a misspelt word probably meant, as the engine does."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

_SHORTEST_START = 3
"""Shorter words start too many names."""


def nearest(word: str, known: Sequence[str]) -> str | None:
    """Return the known name that was probably meant; None if none is close. Ignore case."""
    given = word.lower()
    edits = [(_edits(given, name.lower()), name) for name in known]
    close = [
        (count, name)
        for count, name in edits
        if count <= max(1, len(name) // 3) or (len(given) >= _SHORTEST_START and name.lower().startswith(given))
    ]
    return min(close, key=lambda one: one[0])[1] if close else None


def resembles(word: str, name: str) -> bool:
    """Return whether a word is a name or a misspelling of it."""
    return _distance(word, name) <= len(name) / 4


def did_you_mean(name: str | None) -> str:
    """Return a part of an error message."""
    return "" if name is None else f"did you mean {name}?"


def or_meant(name: str | None) -> str:
    """Return the end of a sentence that has named what is wrong."""
    return "." if name is None else f"; {did_you_mean(name)}"


def _edits(given: str, name: str) -> int:
    """Return the distance; two neighbours that are swapped are one slip: `trian`."""
    wrong = [at for at, (one, other) in enumerate(zip(given, name, strict=False)) if one != other]
    if len(given) == len(name) and len(wrong) == 2 and wrong[1] == wrong[0] + 1:  # noqa: PLR2004
        first, second = wrong
        if given[first] == name[second] and given[second] == name[first]:
            return 1
    return _distance(given, name)


def _distance(one: str, other: str) -> int:
    """Return the Levenshtein distance."""
    before = list(range(len(other) + 1))
    for row, letter in enumerate(one, start=1):
        present = [row]
        for column, wanted in enumerate(other, start=1):
            substituted = before[column - 1] + (letter != wanted)
            present.append(min(before[column] + 1, present[column - 1] + 1, substituted))
        before = present
    return before[-1]
