"""The names that a function takes from the module around it."""

from __future__ import annotations

import dis
from collections.abc import Iterable, Iterator
from types import CodeType

_LOADS = frozenset({"LOAD_GLOBAL", "LOAD_NAME", "LOAD_FROM_DICT_OR_GLOBALS", "DELETE_GLOBAL", "DELETE_NAME"})
# Those of a class; `STORE_NAME` of a module is one of its globals.
_STORES = frozenset({"STORE_GLOBAL", "STORE_NAME"})


def outside_names(text: str, name: str) -> set[str]:
    """Return the names that a module, which defines this function, loads as globals and does not bind.

    As Python compiles it: the module `symtable` merges the scopes of comprehensions from Python 3.12 on.
    """
    module = compile(text, "<function>", "exec", dont_inherit=True, optimize=0)
    codes = list(_codes_in(module))
    bound = _names(module, _STORES).union(*(_names(code, {"STORE_GLOBAL"}) for code in codes))
    loaded = set[str]().union(*map(_loaded_first, codes))
    # Here it is known what has run before; in an inner function it is not.
    outer = next(code for code in codes if code.co_name == name)
    return loaded - bound | (_loaded_first(outer) & _names(outer, _STORES))


def _codes_in(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes_in(constant)


def _names(code: CodeType, operations: Iterable[str]) -> set[str]:
    return {str(one.argval) for one in dis.get_instructions(code) if one.opname in operations}


def _loaded_first(code: CodeType) -> set[str]:
    """Return what a scope loads before it binds it itself, if it does: a class then takes what the module has."""
    first: dict[str, str] = {}
    for one in dis.get_instructions(code):
        if one.opname in _LOADS | _STORES:
            first.setdefault(str(one.argval), one.opname)
    return {name for name, operation in first.items() if operation in _LOADS}
