"""Which names of a module `train` refuses: those for which a pod would raise NameError, and no others."""

import builtins
import itertools
import linecache
import textwrap
from collections.abc import Callable
from typing import Any, cast

import pytest

from signalbox import FunctionError
from signalbox.training import script_of

# What the module of the functions has.
MODULE = """
import math
value = 3
"""

# What a function does to have a name, then how it uses it; X is the name.
BINDINGS = {
    "nothing": "",
    "import": "import math as X",
    "from": "from math import pi as X",
    "assignment": "X = 1",
    "annotated": "X: int = 1",
    "loop": "for X in [1]: pass",
    "with": "import io\nwith io.StringIO() as X: pass",
    "except": "try: 1 / 0\nexcept ZeroDivisionError as X: str(X)\nX = 1",
    "walrus": "print((X := 1))",
    "def": "def X(*args): return args",
    "class": "class X: pass",
    "global": "global X\nX = 1",
    "global too late": "global X\nX += 1",
    "global after it was read": "global X\nprint(X)\nX = 1",
    "global, deleted": "global X\ndel X",
    "global of another": "def other():\n    global X\n    X = 1\nother()",
    "local of another": "def other():\n    X = 1\n    return X\nother()",
    "local of a comprehension": "[X for X in [1]]",
    "match": "match [1, 2]:\n    case [X, *_]: pass",
}

USES = {
    "none": "",
    "load": "print(X)",
    "attribute of another": "import types\nprint(types.SimpleNamespace(X=1).X)",
    "keyword": "print(dict(X=1))",
    "text": "print('X')",
    "attribute": "print(X.__class__)",
    "f-string": "print(f'{X}')",
    "inner function": "def use(): return X\nuse()",
    "async function": "import asyncio\nasync def use(): return X\nasyncio.run(use())",
    "generator": "def use(): yield X\nlist(use())",
    "function in a function": "def use():\n    def inner(): return X\n    return inner()\nuse()",
    "lambda": "(lambda: X)()",
    "comprehension": "[X for _ in [1]]",
    "set comprehension": "{str(X) for _ in [1]}",
    "comprehension in a lambda": "(lambda: [str(X) for _ in [1]])()",
    "its iterable": "[_ for _ in str(X)]",
    "class": "class Use:\n    here = X",
    "class of the same name": "class Use:\n    X = X",
    "method": "class Use:\n    def use(self): return X\nUse().use()",
    "method with super": "class Use(dict):\n    def __init__(self): super().__init__(a=str(X))\nUse()",
    "default": "def use(it=X): return it\nuse()",
    "default of a keyword": "def use(*, it=X): return it\nuse()",
    "decorator": "def wrap(it): return lambda f: f\n@wrap(X)\ndef use(): pass",
    "metaclass": "class Use(metaclass=(X, type)[1]): pass",
    "annotation": "def use(it: X) -> X: return it\nuse(1)",
    "annotation of a variable": "here: X = 1",
    "annotation in a class": "class Use:\n    here: X = 1",
}

# Imported by the module, a value of it, no name at all, a built-in one.
NAMES = ["math", "value", "nowhere", "len"]


def defined(text: str) -> Callable[..., object]:
    """Run the text as a notebook runs a cell."""
    name = f"<cell {next(COUNTER)}>"
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    scope: dict[str, Any] = {"__name__": "__main__"}
    exec(compile(text, name, "exec"), scope)
    return cast("Callable[..., object]", scope["fit"])


COUNTER = itertools.count()


def refusal_of(func: Callable[..., object]) -> str | None:
    try:
        script_of(func, {})
    except FunctionError as error:
        return error.message
    return None


def error_in_a_pod(text: str) -> str | None:
    """What comes of the source where nothing but it is there."""
    script = f"from __future__ import annotations\n{text}\nfit()"
    try:
        exec(compile(script, "pod", "exec"), {"__name__": "__main__"})
    except (TypeError, UnboundLocalError):
        # Of what it has. Python 3.12.1 has the latter in some comprehensions.
        return None
    except NameError as error:
        return str(error)
    return None


def body(*parts: str) -> str:
    return textwrap.indent("\n".join([*parts, "pass"]), "    ")


@pytest.mark.parametrize("name", NAMES)
def test_a_function_is_refused_if_pods_lack_what_it_uses(name: str) -> None:
    wrong = []
    for binding, use in itertools.product(BINDINGS.values(), USES.values()):
        if name == "len" and "del X" in binding:
            continue
        text = f"def fit():\n{body(binding, use)}\n".replace("X", name)
        refusal, error = refusal_of(defined(MODULE + text)), error_in_a_pod(text)
        if (refusal is None) != (error is None):
            wrong.append(f"{text}\n{refusal}\n{error}")
    assert wrong == [], "\n\n".join(wrong)


HEADERS = {
    "def fit(steps=value): pass": True,
    "def fit(*, steps=value): pass": True,
    "def fit(steps=lambda: value): steps()": True,
    "def fit(steps=[value for _ in [1]]): pass": True,
    "def fit(steps=len('a'), f=lambda: 1): pass": False,
    "def fit(steps: value = 1) -> value: pass": False,
    "def fit(value=1): print(value)": False,
    "def fit(*value, **other): print(value, other)": False,
    "def fit(again=False): print(fit)": False,
    "def fit():\n    if False: print(value)": False,
    "def fit():\n    return __file__": True,
    "def fit():\n    return __doc__, __builtins__, __debug__, NotImplemented, exit": False,
    # Of this module, or of what has been added to the built-ins.
    "def fit(): return sum([1])": True,
    "def fit(): return added": True,
    "def fit(): return max([1])": False,
}


@pytest.mark.parametrize(("header", "is_refused"), HEADERS.items())
def test_what_a_definition_itself_needs(header: str, *, is_refused: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(builtins, "added", textwrap.dedent, raising=False)
    refusal = refusal_of(defined(f"value, sum, __file__ = 3, max, 'x'\n{header}\n"))
    assert (refusal is not None) is is_refused, refusal
