"""The snippets of the README and of docs/python.md."""

from __future__ import annotations

import ast
import asyncio
import inspect
import linecache
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import signalbox

PACKAGE = Path(__file__).parents[2]


def snippets(path: Path) -> list[str]:
    """Return the snippets, without those that a comment excludes."""
    text = re.sub(r"<!-- not run here.*?```.*?```", "", path.read_text(), flags=re.DOTALL)
    return re.findall(r"^```python\n(.*?)^```", text, re.DOTALL | re.MULTILINE)


async def run_cell(text: str, number: int, scope: dict[str, Any]) -> None:
    """Run a snippet as a notebook does, which knows `await` outside of functions and the source of what it ran."""
    file = f"<cell {number}>"
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    code = compile(text, file, "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, dont_inherit=True)
    result = eval(code, scope)
    if inspect.isawaitable(result):
        await result


def type_command(command: str) -> None:
    """Run a command of the page in the checkout."""
    subprocess.run(command.split(), cwd=PACKAGE.parent, check=True, timeout=120)


async def test_the_page_runs_from_top_to_bottom() -> None:
    """Nothing of it is replaced: the environment is that of a sandbox, with a namespace of this test."""
    page = (PACKAGE.parent / "docs" / "python.md").read_text()
    archive_command = "npx signalbox archive --all --wait"
    assert f"```sh\n{archive_command}\n```" in page
    scope: dict[str, Any] = {"__name__": "page"}
    for number, text in enumerate(snippets(PACKAGE.parent / "docs" / "python.md")):
        if "client.archive" in text:
            type_command(archive_command)
        await run_cell(text, number, scope)
    assert scope["outcome"].by == "ana"
    assert scope["manifest"]["metadata"]["name"] == "fit"
    assert scope["old"].workflow_id.endswith("/resnet")


async def test_the_readmes_run(name: str, tmp_path: Path) -> None:
    prelude = (
        f"import sys; sys.path[:0] = {[str(PACKAGE / 'src'), str(PACKAGE / 'tests')]!r}\n"
        "import signalbox; from manifests import pytorch\n"
        f"signalbox.pytorch_job = lambda **options: pytorch(options['name'] + '-{name}')\n"
    )
    for number, snippet in enumerate([*snippets(PACKAGE / "README.md"), *snippets(PACKAGE.parent / "README.md")]):
        script = tmp_path / f"snippet{number}.py"
        script.write_text(prelude + snippet)
        child = await asyncio.create_subprocess_exec(
            sys.executable, str(script), env={**os.environ}, stderr=asyncio.subprocess.PIPE
        )
        _, err = await child.communicate()
        assert child.returncode == 0, err.decode()
    async with signalbox.Client.connect() as client:
        for job in "resnet", "digits":
            assert (await client.job(f"{job}-{name}").summary()).phase == "Completed"
