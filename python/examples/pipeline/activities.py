"""What the pipeline does beside training."""

from __future__ import annotations

import re
from dataclasses import dataclass

from temporalio import activity


@dataclass
class Dataset:
    """What the training steps need to know of the data."""

    name: str
    steps: int


@dataclass
class Evaluation:
    """How the models compare."""

    best: str
    accuracies: dict[str, float]


@activity.defn
async def preprocess(name: str, steps: int) -> Dataset:
    """Stand for what prepares real data."""
    return Dataset(name, steps)


@activity.defn
async def evaluate(results: list[tuple[str, str]]) -> Evaluation:
    """Compare the models by the accuracy that each job reported last."""
    accuracies = {name: _accuracy_in(progress) for name, progress in results}
    return Evaluation(max(accuracies, key=lambda name: accuracies[name]), accuracies)


def _accuracy_in(progress: str) -> float:
    found = re.search(r"accuracy=([\d.]+)", progress)
    return float(found[1]) if found else 0.0
