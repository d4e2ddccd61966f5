"""Training jobs for workflows in another Temporal namespace or cluster than signalbox's, by an activity."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Any

from temporalio import activity

from .client import Client
from .errors import NameTakenError
from .job import Job

_LONGEST_BEAT = 5.0


class TrainingJobActivities:
    """Activities for your worker that run training jobs through a client.

    ```python
    client = await Client.connect("signalbox.example:7233", temporal_namespace="ml")
    worker = Worker(mine, task_queue="mine", activities=[TrainingJobActivities(client).run_training_job])
    ```

    Call `runTrainingJob` with a heartbeat timeout, e.g. 10 seconds, as a cancellation arrives with the answer to a
    heartbeat, and with a start-to-close timeout longer than the job.
    """

    def __init__(self, client: Client) -> None:
        """Submit through this client."""
        self._client = client

    @activity.defn(name="runTrainingJob")
    async def run_training_job(self, manifest: dict[str, Any], options: dict[str, Any] | None = None) -> Any:
        """Run a training job and return its outcome as JSON; `signalbox.outcome.outcome_from` reads it.

        The job is submitted once, however often the activity is tried. A cancelled activity stops the job. A worker
        that shuts down leaves the job alone: the next try finds it. Options: namespace, key, why, checkpoint.
        """
        given = dict(options or {})
        checkpoint = bool(given.pop("checkpoint", False))
        given.setdefault("key", _own_key())
        given["clean_up_end"] = end = asyncio.Event()
        submitting = asyncio.ensure_future(self._client.submit(manifest, **given))
        beats = asyncio.ensure_future(_heartbeat(submitting))
        try:
            # A start that is on its way cannot be taken back, and the job that it starts must be stopped.
            job = await asyncio.shield(submitting)
            outcome = await job.wait()
        except asyncio.CancelledError:
            details = activity.cancellation_details()
            if details is not None and details.cancel_requested:
                end.set()
                await _stop(submitting, checkpoint=checkpoint)
            raise
        finally:
            submitting.cancel()
            beats.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await beats
        return outcome.model_dump(mode="json", by_alias=True, exclude_unset=True)


def _own_key() -> str:
    """All tries of the activity share it."""
    info = activity.info()
    return f"{info.workflow_id}/{info.workflow_run_id}/{info.activity_id}"


async def _heartbeat(submitting: asyncio.Future[Job]) -> None:
    """Temporal tells of a cancellation in the answer to a heartbeat."""
    timeout = activity.info().heartbeat_timeout
    pause = min(_LONGEST_BEAT, timeout.total_seconds() / 3) if timeout else _LONGEST_BEAT
    while True:
        activity.heartbeat(*([submitting.result().workflow_id] if _has_job(submitting) else []))
        await asyncio.sleep(pause)


def _has_job(submitting: asyncio.Future[Job]) -> bool:
    return submitting.done() and not submitting.cancelled() and submitting.exception() is None


async def _stop(submitting: asyncio.Future[Job], *, checkpoint: bool) -> None:
    try:
        job = await submitting
    except NameTakenError:
        return
    by = f"workflow {activity.info().workflow_id}"
    await job.stop(by=by, why="the calling activity was cancelled", checkpoint=checkpoint)
    await job.wait()
