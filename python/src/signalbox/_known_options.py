"""Refuses options that a method does not have, as Python refuses other keywords."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ._did_you_mean import did_you_mean, nearest


def refuse_unknown_options(method: str, options: Mapping[str, Any], declared: Any) -> None:
    """Raise TypeError for an option that `declared`, a TypedDict, does not have. A misspelt key would be none."""
    known = sorted(declared.__required_keys__ | declared.__optional_keys__)
    for option in options:
        if option not in known:
            meant = did_you_mean(nearest(option, known))
            hint = f" ({meant})" if meant else ""
            raise TypeError(f"{method}() has no option {option}{hint}; its options are {', '.join(known)}")
