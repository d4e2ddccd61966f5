import subprocess
import sys
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


def test_arguments_must_fit_and_be_json() -> None:
    assert refusal(fit) == "fit cannot be called with these arguments: missing a required argument: 'epochs'."
    assert refusal(fit, epochs={1, 2}) == "The arguments of fit are no JSON: epochs: expected a value of JSON, got set."
