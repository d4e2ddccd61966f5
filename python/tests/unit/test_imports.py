import subprocess
import sys

import signalbox


def test_every_public_name_is_there() -> None:
    for name in signalbox.__all__:
        assert getattr(signalbox, name) is not None


def test_the_package_loads_nothing_before_it_is_used() -> None:
    code = "import signalbox, sys; print([m for m in ('temporalio', 'pydantic', 'yaml') if m in sys.modules])"
    path = {"PYTHONPATH": ":".join(sys.path)}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=path)
    assert done.stdout == "[]\n"


def test_every_error_has_a_code_of_its_own() -> None:
    values = [getattr(signalbox, name) for name in signalbox.__all__ if name.endswith("Error")]
    codes = [error.code for error in values]
    assert len(set(codes)) == len(codes) > 10
