"""The training jobs of the pipeline."""

from __future__ import annotations

from typing import Any

from activities import Dataset

from signalbox import train


def fit(steps: int) -> None:
    """Stand for a training that gets better with each step."""
    import time

    for step in range(1, steps + 1):
        print(f"step={step} accuracy={1 - 0.5 / step:.3f}", flush=True)
        time.sleep(0.02)


def manifest_for(dataset: Dataset, workers: int, namespace: str) -> dict[str, Any]:
    """Return a PyTorchJob of a master and some workers. The sandbox runs the command without an image."""
    return train(
        fit,
        arguments={"steps": dataset.steps * workers},
        name=f"{dataset.name}-{workers}",
        namespace=namespace,
        image="python:3.13",
        nodes=1 + workers,
        # What a job has reached is in its status, and so in its outcome.
        policy={"progress": {"log": "step=.*"}},
    )
