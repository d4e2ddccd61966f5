"""Sends an update to a job and waits for its answer."""

from __future__ import annotations

import asyncio
import time
import uuid
from collections.abc import Awaitable
from datetime import timedelta
from typing import Any

from temporalio.client import Client as TemporalClient
from temporalio.client import WorkflowUpdateFailedError, WorkflowUpdateRPCTimeoutOrCancelledError
from temporalio.exceptions import ApplicationError
from temporalio.service import RPCError, RPCStatusCode

from . import _names as names
from ._outcome import faults_of
from ._temporal import DEFAULT_TIMEOUT, is_about_no_workflow
from ._worker_presence import fail_without_worker
from .errors import InvalidManifestError, JobEndedError, RefusedError, WorkerAwayError
from .summary import summary_of

_BUSY_WORKER_SECONDS = 30.0
"""A busy worker may take this long; that there is none shows earlier."""
_PAUSE_SECONDS = 0.1
_MAY_STILL_HAPPEN = "It may still carry out the request: look at the job (`job.status()`) before you repeat it."


async def intervene(temporal: TemporalClient, workflow_id: str, update: str, request: dict[str, Any]) -> None:
    """Send an update. Return once it is recorded."""
    given = {key: value for key, value in request.items() if value is not None}
    # One id for all tries, so that Temporal does not run the update twice.
    update_id = str(uuid.uuid4())
    handle: Any = temporal.get_workflow_handle(workflow_id)
    # Temporal's authorizer knows who sends a signal; the event of an update names the worker that accepted it.
    asked = {"id": update_id, "request": update, "argument": given}
    try:
        await handle.signal(names.ASKED_SIGNAL, asked, rpc_timeout=timedelta(seconds=DEFAULT_TIMEOUT))
        accepted = _within(_BUSY_WORKER_SECONDS, _accepted(handle, update, given, update_id))
        answered = await fail_without_worker(temporal, workflow_id, accepted, has_fallback=False)
    except WorkflowUpdateFailedError as error:
        raise _refusal(error) from error
    except (WorkerAwayError, WorkflowUpdateRPCTimeoutOrCancelledError) as error:
        raise WorkerAwayError(workflow_id, _MAY_STILL_HAPPEN) from error
    except RPCError as error:
        if is_about_no_workflow(error):
            await _raise_if_ended(temporal, workflow_id)
        raise
    if not answered:
        raise WorkerAwayError(workflow_id, _MAY_STILL_HAPPEN)


def check_seconds(seconds: float, least: int) -> int:
    """Return the seconds if they are an integer that the job accepts; raise `RefusedError` otherwise."""
    value: object = seconds
    if isinstance(value, int) and not isinstance(value, bool) and least <= value <= names.LONGEST_SECONDS:
        return value
    expected = f"an integer from {least} to {names.LONGEST_SECONDS} (365d)"
    raise RefusedError(f"seconds: expected {expected}, got {value!r}.")


async def _within(seconds: float, call: Awaitable[None]) -> bool:
    """Return whether the call ended in time. Temporal's client turns a cancellation into an error of its own."""
    task = asyncio.ensure_future(call)
    try:
        done, _ = await asyncio.wait({task}, timeout=seconds)
        if done:
            task.result()
        return bool(done)
    finally:
        if not task.done():
            task.cancel()
            task.add_done_callback(lambda ended: ended.cancelled() or ended.exception())


async def _accepted(handle: Any, update: str, request: dict[str, Any], update_id: str) -> None:
    """Retry on FAILED_PRECONDITION: a workflow that continues as new may have to repeat its last task."""
    until = time.monotonic() + _BUSY_WORKER_SECONDS
    while True:
        try:
            await handle.execute_update(update, request, id=update_id)
        except RPCError as error:
            is_passing = error.status == RPCStatusCode.FAILED_PRECONDITION
            if not is_passing or time.monotonic() + _PAUSE_SECONDS > until:
                raise
            await asyncio.sleep(_PAUSE_SECONDS)
        else:
            return


async def _raise_if_ended(temporal: TemporalClient, workflow_id: str) -> None:
    """Temporal returns the same error for an ended workflow as for one that never existed."""
    summary = summary_of(await temporal.get_workflow_handle(workflow_id).describe())
    if summary.has_ended and summary.end_time:
        raise JobEndedError(workflow_id, summary.phase, summary.end_time)


def _refusal(error: WorkflowUpdateFailedError) -> InvalidManifestError | RefusedError:
    """Convert the job's rejection of a request."""
    cause = error.cause
    if isinstance(cause, ApplicationError) and cause.type == names.INVALID_MANIFEST:
        return InvalidManifestError(faults_of(cause.details), of="change")
    sentence = cause.message if isinstance(cause, ApplicationError) else str(cause)
    return RefusedError(f"The job refuses: {sentence.removesuffix('.')}.")
