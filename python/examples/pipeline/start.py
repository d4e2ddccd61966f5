"""Starts the pipeline, and waits for it: `python examples/pipeline/start.py DATASET STEPS`."""

from __future__ import annotations

import asyncio
import os
import sys

from temporalio.client import Client as TemporalClient
from worker import TASK_QUEUE
from workflows import Pipeline, PipelineInput


async def main(dataset: str, steps: int) -> None:
    """Print which model is the best."""
    temporal = await TemporalClient.connect(
        os.environ.get("TEMPORAL_ADDRESS", "localhost:7233"),
        namespace=os.environ.get("TEMPORAL_NAMESPACE", "default"),
    )
    namespace = os.environ.get("SIGNALBOX_NAMESPACE", "default")
    evaluation = await temporal.execute_workflow(
        Pipeline.run,
        PipelineInput(dataset, steps, namespace),
        id=f"python-pipeline-{dataset}",
        task_queue=TASK_QUEUE,
    )
    print(f"best: {evaluation.best} {evaluation.accuracies}")


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], int(sys.argv[2])))
