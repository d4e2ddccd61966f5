import subprocess
import sys
from pathlib import Path

PACKAGE = Path(__file__).parents[2]


def test_models_are_those_of_the_schemas() -> None:
    command = [sys.executable, "scripts/generate_models.py", "--check"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=PACKAGE)
    assert (done.returncode, done.stdout) == (0, "")
