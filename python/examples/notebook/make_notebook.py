"""Writes training.ipynb from the cells below: a notebook as a file of Python is easier to review."""

from __future__ import annotations

from pathlib import Path

import nbformat

CELLS = [
    """import os

from signalbox import Client, train

client = await Client.connect()""",
    """def fit(steps: int) -> None:
    for step in range(steps):
        print(f"step={step}", flush=True)


manifest = train(
    fit, arguments={"steps": 3}, name=os.environ.get("JOB_NAME", "notebook"), image="python:3.13", nodes=2
)
job = await client.submit(manifest, key="notebook")
job""",
    """async for status in job.watch():
    print(status.phase, status.state)""",
    """outcome = await job.wait()
print("the training is", outcome.phase)""",
]


def main() -> None:
    """Write the notebook beside this file."""
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source) for source in CELLS])
    for number, cell in enumerate(notebook.cells):
        cell.id = f"cell-{number}"
    nbformat.write(notebook, Path(__file__).with_name("training.ipynb"))


if __name__ == "__main__":
    main()
