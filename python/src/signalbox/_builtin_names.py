"""Which names mean the same in every Python."""

from __future__ import annotations

import builtins
from collections.abc import Mapping
from types import FunctionType
from typing import Any

# Of each script.
_OF_SCRIPTS = frozenset(
    {"__annotations__", "__builtins__", "__doc__", "__loader__", "__name__", "__package__", "__spec__"}
)
# Notebooks replace these by their own, which do the same.
_REPLACED = frozenset({"input", "open", "print", "exit", "quit", "__import__"})
_MODULES = frozenset({"builtins", "io", "_io", "_sitebuiltins"})


def is_the_same_in_pods(name: str, globals_: Mapping[str, Any]) -> bool:
    """Whether a script has a name of a module by itself, with the same meaning."""
    if name in _OF_SCRIPTS:
        return True
    if not hasattr(builtins, name):
        return False
    builtin = getattr(builtins, name)
    here = globals_.get(name, builtin)
    if name in _REPLACED:
        return here is builtin or _module_of(here).startswith("IPython.")
    return here is builtin and _module_of(builtin) in _MODULES


def _module_of(value: object) -> str:
    """Others add to the built-ins, e.g. IPython `display` and gettext `_`."""
    if isinstance(value, FunctionType):
        # `functools.wraps` changes `__module__`.
        return str(value.__globals__.get("__name__"))
    return str(getattr(value, "__module__", None) or type(value).__module__)
