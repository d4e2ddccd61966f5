"""The pipeline's worker, on a task queue of its own: `python examples/pipeline/worker.py`."""

from __future__ import annotations

import asyncio
import os

from activities import evaluate, preprocess
from temporalio.client import Client as TemporalClient
from temporalio.worker import Worker
from workflows import Pipeline, PipelineElsewhere

from signalbox import Client
from signalbox.activity import TrainingJobActivities

TASK_QUEUE = "python-pipelines"


async def main() -> None:
    """Work until the process ends."""
    temporal = await TemporalClient.connect(
        os.environ.get("TEMPORAL_ADDRESS", "localhost:7233"),
        namespace=os.environ.get("TEMPORAL_NAMESPACE", "default"),
    )
    async with Client.connect() as client:
        training = TrainingJobActivities(client)
        worker = Worker(
            temporal,
            task_queue=TASK_QUEUE,
            workflows=[Pipeline, PipelineElsewhere],
            activities=[preprocess, evaluate, training.run_training_job],
        )
        print("ready", flush=True)
        await worker.run()


if __name__ == "__main__":
    asyncio.run(main())
