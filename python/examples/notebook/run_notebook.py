"""Runs training.ipynb and prints its output: `python run_notebook.py`."""

from __future__ import annotations

from pathlib import Path

import nbformat
from nbclient import NotebookClient

notebook = nbformat.read(Path(__file__).with_name("training.ipynb"), as_version=4)
NotebookClient(notebook, timeout=300, kernel_name="python3").execute()
for cell in notebook.cells:
    for output in cell.get("outputs", []):
        print(output.get("text", ""), end="")
