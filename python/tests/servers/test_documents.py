"""The snippets of the README and of docs/python.md."""

from __future__ import annotations

import ast
import asyncio
import inspect
import linecache
import os
import re
import sys
import time
from pathlib import Path
from typing import Any

import signalbox
from manifests import pytorch

_open_archive = signalbox.open_archive
PACKAGE = Path(__file__).parents[2]


def snippets(path: Path) -> list[str]:
    """Return the snippets, without those that a comment excludes."""
    text = re.sub(r"<!-- not run here.*?```.*?```", "", path.read_text(), flags=re.DOTALL)
    return re.findall(r"^```python\n(.*?)^```", text, re.DOTALL | re.MULTILINE)


def simulated(name: str, *, ends: str | None):
    """Return builders whose jobs run on simulated nodes under a name of this test."""
    return lambda **options: pytorch(f"{options['name']}-{name}", ends=ends)


def archive_with(name: str) -> signalbox.Archive:
    """Wait for an archiver, which needs some seconds."""
    namespace = os.environ.get("SIGNALBOX_NAMESPACE", "default")
    while True:
        try:
            archive = _open_archive()
            archive.find(name, namespace=namespace)
        except (signalbox.ArchiveAwayError, signalbox.JobNotFoundError):
            time.sleep(0.1)
        else:
            return archive


async def test_the_page_runs_from_top_to_bottom(name: str, monkeypatch: Any) -> None:
    monkeypatch.setattr(signalbox, "pytorch_job", simulated(name, ends=None), raising=False)
    monkeypatch.setattr(signalbox, "open_archive", lambda: archive_with(f"resnet-{name}"), raising=False)
    # The job of the page has a name of this test.
    page = "\n".join(snippets(PACKAGE.parent / "docs" / "python.md"))
    source = re.sub('(?<!name=)"resnet"', f'"resnet-{name}"', page)
    namespace = os.environ.get("SIGNALBOX_NAMESPACE", "default")
    source = source.replace('namespace="default"', f'namespace="{namespace}"')
    source = source.replace("archive.find(", f'archive.find(namespace="{namespace}", name=')
    file = f"<page {name}>"
    linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
    code = compile(source, file, "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
    scope: dict[str, Any] = {"__name__": "page"}
    result = eval(code, scope)
    assert inspect.isawaitable(result)
    await result
    assert scope["outcome"].by == "ana"
    assert scope["manifest"]["metadata"]["name"] == "fit"


async def test_the_readmes_run(name: str, tmp_path: Path) -> None:
    prelude = (
        f"import sys; sys.path[:0] = {[str(PACKAGE / 'src'), str(PACKAGE / 'tests')]!r}\n"
        "import signalbox; from manifests import pytorch\n"
        f"signalbox.pytorch_job = lambda **options: pytorch(options['name'] + '-{name}')\n"
    )
    for number, snippet in enumerate([*snippets(PACKAGE / "README.md"), *snippets(PACKAGE.parent / "README.md")]):
        script = tmp_path / f"snippet{number}.py"
        script.write_text(prelude + snippet.replace('"localhost:7233"', ""))
        child = await asyncio.create_subprocess_exec(
            sys.executable, str(script), env={**os.environ}, stderr=asyncio.subprocess.PIPE
        )
        _, err = await child.communicate()
        assert child.returncode == 0, err.decode()
    async with signalbox.Client.connect() as client:
        for job in "resnet", "digits":
            assert (await client.job(f"{job}-{name}").summary()).phase == "Completed"
