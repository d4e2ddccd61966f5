"""Ships a Python function to the pods of a job, by its source, as the Kubeflow SDK does."""

from __future__ import annotations

import ast
import inspect
import json
import textwrap
from collections.abc import Callable, Mapping
from typing import Any, cast

from typing_extensions import Unpack

from ._plain import plain_json
from .errors import FunctionError, InvalidManifestError
from .models.builders import PyTorchJobOptions, pytorch_job


def train(
    func: Callable[..., object],
    *,
    arguments: Mapping[str, Any] | None = None,
    python: str = "python3",
    **options: Unpack[PyTorchJobOptions],
) -> dict[str, Any]:
    """Return the manifest of a PyTorchJob whose pods call the function with the arguments.

    The function is sent as its source: it must import what it needs, and use nothing from outside itself. Arguments
    are sent as JSON. The image needs Python, and what the function imports; `python` is the interpreter, or e.g.
    `torchrun` in images that have it. Raises `FunctionError` for functions that cannot be sent.

    ```python
    manifest = train(fit, arguments={"epochs": 3}, name="fit", image="pytorch/pytorch:2.9.1", nodes=2)
    ```
    """
    if options.get("command") or options.get("args"):
        raise FunctionError("`train` makes the command and its arguments.", remedy="Use pytorch_job for others.")
    script = script_of(func, arguments or {})
    # torchrun takes no -c: the script becomes a file in each pod.
    run = 'file=$(mktemp) && printf %s "$0" > "$file" && exec "$@" "$file"'
    command = ["sh", "-c", run, script, *python.split()]
    return pytorch_job(**cast("PyTorchJobOptions", {**options, "command": command}))


def script_of(func: Callable[..., object], arguments: Mapping[str, Any]) -> str:
    """Return a script that calls the function."""
    source = _source_of(func)
    name = getattr(func, "__name__", "")
    _check_is_self_contained(func, name)
    _check_arguments(func, name, arguments)
    text = json.dumps(json.dumps(_json_of(arguments, name)))
    return f"from __future__ import annotations\n\nimport json\n\n{source}\n\n{name}(**json.loads({text}))\n"


def _source_of(func: Callable[..., object]) -> str:
    if not inspect.isfunction(func):
        kind = type(func).__name__
        raise FunctionError(f"expected a function, got a value of type {kind}.", remedy="Define a function with `def`.")
    if func.__name__ == "<lambda>":
        raise FunctionError("A lambda cannot be sent to pods.", remedy="Define a function with `def`.")
    if inspect.iscoroutinefunction(func):
        raise FunctionError(f"{func.__name__} is async.", remedy="Call asyncio.run in a plain function.")
    try:
        source = textwrap.dedent(inspect.getsource(func))
    except (OSError, TypeError) as error:
        raise FunctionError(
            f"The source of {func.__name__} is not available.",
            remedy="Define it in a file or in a cell of a notebook, not by exec or in the interactive interpreter.",
        ) from error
    definition = ast.parse(source).body[0]
    if isinstance(definition, ast.FunctionDef) and definition.decorator_list:
        raise FunctionError(f"{func.__name__} has a decorator, which pods do not have.", remedy="Remove it.")
    return source


def _check_is_self_contained(func: Callable[..., object], name: str) -> None:
    used = inspect.getclosurevars(func)
    if used.nonlocals:
        names = ", ".join(sorted(used.nonlocals))
        raise FunctionError(f"{name} uses {names} of the function around it.", remedy="Pass them as arguments.")
    others = sorted(set(used.globals) - {name})
    if others:
        raise FunctionError(
            f"{name} uses {', '.join(others)} from outside itself, which pods do not have.",
            remedy="Import modules inside the function, and pass values as arguments.",
        )


def _check_arguments(func: Callable[..., object], name: str, arguments: Mapping[str, Any]) -> None:
    try:
        inspect.signature(func).bind(**arguments)
    except TypeError as error:
        raise FunctionError(f"{name} cannot be called with these arguments: {error}.") from error


def _json_of(arguments: Mapping[str, Any], name: str) -> Any:
    try:
        return plain_json(arguments)
    except InvalidManifestError as error:
        faults = "; ".join(map(str, error.faults))
        raise FunctionError(
            f"The arguments of {name} are no JSON: {faults}.",
            remedy="Pass numbers, texts, lists and mappings; read data in the function, from a volume.",
        ) from error
