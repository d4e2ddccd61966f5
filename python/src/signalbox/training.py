"""Ships a Python function to the pods of a job, by its source, as the Kubeflow SDK does."""

from __future__ import annotations

import inspect
import json
import re
import warnings
from collections.abc import Callable, Mapping
from typing import Any, cast

from typing_extensions import Unpack

from ._builtin_names import is_the_same_in_pods
from ._function_source import FunctionSource, source_of
from ._outside_names import outside_names
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
    command = ["sh", "-c", run, _escaped(script), *python.split()]
    return pytorch_job(**cast("PyTorchJobOptions", {**options, "command": command}))


def _escaped(script: str) -> str:
    """Kubernetes reads `$(NAME)` in a command as a variable, and `$$` as one `$`."""
    return re.sub(r"\$(?=[$(])", "$$", script)


# Annotations are not evaluated then, so what they name need not be there.
_START = "from __future__ import annotations\n\n\n"


def script_of(func: Callable[..., object], arguments: Mapping[str, Any]) -> str:
    """Return a script that calls the function."""
    with warnings.catch_warnings():
        # Who imported the function has seen what Python says of its source.
        warnings.simplefilter("ignore")
        source = source_of(func)
        _check_is_self_contained(func, source)
    _check_arguments(func, source.name, arguments)
    text = json.dumps(json.dumps(_json_of(arguments, source.name)))
    # The guard is for programs that start processes, which load the script again.
    call = f'if __name__ == "__main__":\n    {source.name}(**__import__("json").loads({text}))\n'
    return f"{_START}{source.text}\n\n\n{call}"


def _check_is_self_contained(func: Callable[..., object], source: FunctionSource) -> None:
    name, around = source.name, func.__code__.co_freevars
    try:
        outside = outside_names(_START + source.text, name) - {name}
    except SyntaxError:
        # It declares a name of the function around it as `nonlocal`.
        outside = {*around}
    nonlocals = outside.intersection(around) | {"__class__"}.intersection(around)
    if nonlocals:
        names = ", ".join(sorted(nonlocals))
        raise FunctionError(f"{name} uses {names} of the function around it.", remedy="Pass them as arguments.")
    others = sorted(each for each in outside if not is_the_same_in_pods(each, func.__globals__))
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
