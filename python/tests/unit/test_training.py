import functools
import re
import runpy
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from signalbox import FunctionError, train
from signalbox.training import script_of

OUTSIDE = 3


def fit(epochs: int, note: str = "x") -> None:
    import math

    print(math.sqrt(epochs), note)


def uses_a_global() -> None:
    print(OUTSIDE)


async def waits() -> None:
    pass


if sys.version_info:

    def indented(epochs: int) -> None:
        text = """a
b
   
  c"""  # noqa: W293
        print(epochs, repr(text))


class Model:
    def with_super(self) -> None:
        super().__init__()


def blank_lines() -> None:
    text = """a
    
b"""  # noqa: W293
    print(repr(text))


def dollars(text: str = "$$ $(HOME) $$(x) $x $") -> None:
    print(text, "$$$ $$$$ $(A)$")


def json(epochs: int) -> None:
    print("own", epochs)


def starts_processes() -> None:
    import os
    import runpy

    if os.environ.get("INNER") is None:
        os.environ["INNER"] = "1"
        runpy.run_path(__import__("sys").argv[0], run_name="__mp_main__")
        print("once")
    else:
        print("twice")


def generates() -> Any:
    yield 1


async def generates_async() -> Any:
    yield 1


def imports_its_package() -> None:
    from . import manifests  # type: ignore[attr-defined] # noqa: F401


def wraps(func: Any) -> Any:
    @functools.wraps(func)
    def wrapper() -> None:
        func()

    return wrapper


def recurses_inside() -> Any:
    def count(n: int) -> int:
        return n and count(n - 1)

    return count


def output_of(func: Any, **arguments: Any) -> str:
    """Runs it as a pod does."""
    manifest = train(func, arguments=arguments, python=sys.executable, name="a", image="i", nodes=1)
    [container] = manifest["spec"]["pytorchReplicaSpecs"]["Master"]["template"]["spec"]["containers"]
    command = [re.sub(r"\$\$", "$", part) for part in container["command"]]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def refusal(func: Any, **arguments: Any) -> str:
    with pytest.raises(FunctionError) as caught:
        script_of(func, arguments)
    return caught.value.message


def test_a_function_runs_in_a_pod_as_it_does_here() -> None:
    manifest = train(
        fit, arguments={"epochs": 9, "note": "'\"$x\n"}, python=sys.executable, name="a", image="i", nodes=1
    )
    [container] = manifest["spec"]["pytorchReplicaSpecs"]["Master"]["template"]["spec"]["containers"]
    done = subprocess.run(container["command"], capture_output=True, text=True, check=True)
    assert done.stdout == "3.0 '\"$x\n\n"


def test_a_function_imports_what_its_module_imports_too(capsys: pytest.CaptureFixture[str]) -> None:
    own_imports = Path(__file__).parents[3] / "test" / "cases" / "train-with-own-imports" / "own_imports.py"
    runpy.run_path(str(own_imports))
    assert capsys.readouterr().out == "PyTorchJob\n"


def test_the_source_is_sent_as_it_stands() -> None:
    assert output_of(indented, epochs=3) == "3 'a\\nb\\n   \\n  c'\n"
    assert output_of(blank_lines) == "'a\\n    \\nb'\n"
    assert output_of(dollars) == "$$ $(HOME) $$(x) $x $ $$$ $$$$ $(A)$\n"
    assert output_of(dollars, text="$(lr)") == "$(lr) $$$ $$$$ $(A)$\n"
    assert output_of(json, epochs=2) == "own 2\n"
    assert output_of(starts_processes) == "once\n"
    assert output_of(recurses_inside(), n=2) == ""


def test_a_function_is_sent_under_the_name_in_its_source() -> None:
    renamed = recurses_inside()
    renamed.__name__ = "other"
    assert output_of(renamed, n=2) == ""


def test_a_function_whose_file_has_changed_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "changed.py"
    path.write_text("def before(): pass\n\n\ndef fit(): pass\n")
    scope: dict[str, Any] = {}
    exec(compile(path.read_text(), path, "exec"), scope)
    for text in ("\n\n\n\ndef fit(): pass\n", "\n\n\ndef fit(a): pass\n", "def fit(:\n\n\n\n"):
        path.write_text(text)
        assert refusal(scope["fit"]) == f"Line 4 of {path} does not define fit any more."


def test_functions_that_cannot_be_sent_are_refused() -> None:
    inner = 1

    def closure() -> None:
        print(inner)

    scope: dict[str, Any] = {}
    exec("def sourceless(): pass", scope)
    assert refusal(lambda: None) == "A lambda cannot be sent to pods."
    assert refusal(print) == "expected a function, got a value of type builtin_function_or_method."
    assert refusal(closure) == "closure uses inner of the function around it."
    assert refusal(uses_a_global) == "uses_a_global uses OUTSIDE from outside itself, which pods do not have."
    assert refusal(scope["sourceless"]) == "The source of sourceless is not available."
    assert refusal(waits) == "waits is async."
    assert refusal(generates_async) == "generates_async is async."
    assert refusal(generates) == "generates is a generator, so a call runs nothing of it."
    assert refusal(wraps(fit)) == "fit has a decorator, which pods do not have."
    assert refusal(Model.with_super) == "with_super uses __class__ of the function around it."
    assert refusal(imports_its_package) == (
        "imports_its_package imports from the package around it, which pods do not have."
    )

    def assigns() -> None:
        nonlocal inner
        inner = 2

    assert refusal(assigns) == "assigns uses inner of the function around it."


def test_arguments_must_fit_and_be_json() -> None:
    assert refusal(fit) == "fit cannot be called with these arguments: missing a required argument: 'epochs'."
    assert refusal(fit, epochs={1, 2}) == "The arguments of fit are no JSON: epochs: expected a value of JSON, got set."
