"""A pipeline as a Temporal workflow: preprocess, train on two manifests at once, evaluate."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from temporalio import workflow
from temporalio.exceptions import ApplicationError

from signalbox.workflow import Outcome, run_training_job

with workflow.unsafe.imports_passed_through():
    from activities import Evaluation, evaluate, preprocess

    from manifests import manifest_for


@dataclass
class PipelineInput:
    """What the pipeline is started with."""

    dataset: str
    steps: int
    """How long each model is trained."""
    namespace: str
    """Kubernetes namespace of the training jobs."""


@workflow.defn(name="pythonPipeline")
class Pipeline:
    """Prepares the data, trains two models at once, and compares them."""

    @workflow.run
    async def run(self, given: PipelineInput) -> Evaluation:
        """Return which model is the best."""
        timeout = timedelta(minutes=10)
        data = await workflow.execute_activity(
            preprocess, args=[given.dataset, given.steps], start_to_close_timeout=timeout
        )
        outcomes = await asyncio.gather(
            *(
                run_training_job(manifest_for(data, workers, given.namespace), key=f"train-{workers}")
                for workers in (1, 2)
            )
        )
        return await workflow.execute_activity(
            evaluate, [progress_of(outcome) for outcome in outcomes], start_to_close_timeout=timeout
        )


@workflow.defn(name="pythonPipelineElsewhere")
class PipelineElsewhere:
    """Trains by an activity: for workflows in another Temporal namespace than signalbox's."""

    @workflow.run
    async def run(self, manifest: dict[str, Any]) -> str:
        """Return the phase in which the job ended."""
        outcome: dict[str, Any] = await workflow.execute_activity(
            "runTrainingJob",
            manifest,
            start_to_close_timeout=timedelta(days=7),
            # A cancellation arrives with the answer to a heartbeat.
            heartbeat_timeout=timedelta(seconds=5),
            cancellation_type=workflow.ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
        )
        return str(outcome["phase"])


def progress_of(outcome: Outcome) -> tuple[str, str]:
    """Return the job's name and the progress that it reported last; fail the pipeline if the job did not complete."""
    if outcome.phase != "Completed":
        raise ApplicationError(f"{outcome.name} is {outcome.phase}: {outcome.message}", non_retryable=True)
    return outcome.name, outcome.progress or ""
