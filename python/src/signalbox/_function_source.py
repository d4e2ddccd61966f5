"""The source of a function, cut out of the file or cell that defines it."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import CodeType, FunctionType

from .errors import FunctionError


@dataclass(frozen=True)
class FunctionSource:
    """`text` defines the function `name`."""

    name: str
    text: str


def source_of(func: Callable[..., object]) -> FunctionSource:
    """Return the source of a plain function. Raises `FunctionError` for any other."""
    # Of its code: for a function that wraps another, `inspect` would return the other's.
    code = _plain_function(func).__code__
    try:
        lines, _ = inspect.findsource(code)
    except (OSError, TypeError) as error:
        raise FunctionError(
            f"The source of {func.__name__} is not available.",
            remedy="Define it in a file or in a cell of a notebook, not by exec or in the interactive interpreter.",
        ) from error
    definition = _find_definition(code, lines)
    if definition.decorator_list:
        raise FunctionError(f"{func.__name__} has a decorator, which pods do not have.", remedy="Remove it.")
    if any(isinstance(node, ast.ImportFrom) and node.level > 0 for node in ast.walk(definition)):
        raise FunctionError(
            f"{func.__name__} imports from the package around it, which pods do not have.",
            remedy="Install the package in the image, and import it by its whole name.",
        )
    text = "".join(lines[definition.lineno - 1 : definition.end_lineno])
    return FunctionSource(definition.name, _as_module(text).rstrip())


def _plain_function(func: Callable[..., object]) -> FunctionType:
    if not inspect.isfunction(func):
        kind = type(func).__name__
        raise FunctionError(f"expected a function, got a value of type {kind}.", remedy="Define a function with `def`.")
    if func.__code__.co_name == "<lambda>":
        raise FunctionError("A lambda cannot be sent to pods.", remedy="Define a function with `def`.")
    if inspect.iscoroutinefunction(func) or inspect.isasyncgenfunction(func):
        raise FunctionError(f"{func.__name__} is async.", remedy="Call asyncio.run in a plain function.")
    if inspect.isgeneratorfunction(func):
        raise FunctionError(
            f"{func.__name__} is a generator, so a call runs nothing of it.",
            remedy="Iterate over it in a plain function.",
        )
    return func


def _find_definition(code: CodeType, lines: Sequence[str]) -> ast.FunctionDef:
    """Return the definition where the code says that it begins; its file may have changed since it was imported."""
    try:
        nodes = list(ast.walk(ast.parse("".join(lines))))
    except (SyntaxError, ValueError):
        nodes = []
    for node in nodes:
        if isinstance(node, ast.FunctionDef) and _defines(node, code):
            return node
    raise FunctionError(
        f"Line {code.co_firstlineno} of {code.co_filename} does not define {code.co_name} any more.",
        remedy="The file has changed: import it again, or run its cell again.",
    )


def _defines(node: ast.FunctionDef, code: CodeType) -> bool:
    arguments = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
    first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
    names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    return (
        (node.name, first, len(arguments)) == (code.co_name, code.co_firstlineno, len(names))
        # In a class, Python puts the name of the class before `__name`.
        and all(name.endswith(argument.arg) for name, argument in zip(names, arguments, strict=True))
    )


def _as_module(text: str) -> str:
    """Wrap an indented function: to outdent its lines would change its texts of several lines."""
    return f"if True:\n{text}" if text[:1].isspace() else text
