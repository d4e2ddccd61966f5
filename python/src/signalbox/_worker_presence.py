"""Whether a worker is there to answer: without one, a call need not wait for its whole time."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Coroutine
from typing import Any, TypeVar

from temporalio.api.enums.v1 import TaskQueueType
from temporalio.api.taskqueue.v1 import TaskQueue
from temporalio.api.workflowservice.v1 import DescribeTaskQueueRequest
from temporalio.client import Client as TemporalClient
from temporalio.service import RPCError

from .errors import WorkerAwayError

T = TypeVar("T")

_SILENT = 90.0
"""A worker asks for tasks at least once a minute. Temporal remembers it for five."""
_FIRST_LOOK = 0.5
"""A worker that is there has mostly answered by then."""
_SECOND_LOOK = 1.0
"""A worker that is there has mostly taken the task by then, and asked for the next one."""
_PATIENT_LOOK = 20.0
"""A worker that is there has done so by then, however busy it is. A task of a job that it has in memory waits for 10 s
in a queue of its own, which this does not look at, before Temporal moves it to the common one; the rest is for the
worker."""
_CLOCK_SKEW = 5.0
"""How far the clocks of client and server may be apart."""


async def fail_without_worker(
    temporal: TemporalClient,
    workflow_id: str,
    call: Coroutine[Any, Any, T],
    *,
    has_fallback: bool,
    task_queue: str | None = None,
) -> T:
    """Return the answer to a call. If it does not come at once and no worker is there, raise `WorkerAwayError`.

    `has_fallback`: there is another answer, so a worker that seems to be gone is not waited for, though it may only be
    busy. `task_queue`: by default that of the workflow.
    """
    answer = asyncio.ensure_future(call)
    second_look = _SECOND_LOOK if has_fallback else _PATIENT_LOOK
    alone = asyncio.ensure_future(_is_alone(temporal, workflow_id, task_queue, second_look))
    try:
        await asyncio.wait({answer, alone}, return_when=asyncio.FIRST_COMPLETED)
        if not answer.done() and alone.result():
            raise WorkerAwayError(workflow_id)
        return await answer
    finally:
        for task in (answer, alone):
            task.cancel()
        await asyncio.gather(answer, alone, return_exceptions=True)


async def _is_alone(temporal: TemporalClient, workflow_id: str, queue: str | None, second_look: float) -> bool:
    """Return whether no worker is there for what was asked just now; False if that cannot be found out."""
    asked_at = time.time()
    await asyncio.sleep(_FIRST_LOOK)
    try:
        task_queue = queue or (await temporal.get_workflow_handle(workflow_id).describe()).task_queue
        if await _last_poll_at(temporal, task_queue) < time.time() - _SILENT:
            return True
        await asyncio.sleep(second_look)
        return await _last_poll_at(temporal, task_queue) < asked_at - _CLOCK_SKEW
    except RPCError:
        return False


async def _last_poll_at(temporal: TemporalClient, task_queue: str) -> float:
    """Return when a worker asked for tasks last, in epoch seconds; 0 if that is long ago."""
    request = DescribeTaskQueueRequest(
        namespace=temporal.namespace,
        task_queue=TaskQueue(name=task_queue),
        task_queue_type=TaskQueueType.TASK_QUEUE_TYPE_WORKFLOW,
    )
    answer = await temporal.workflow_service.describe_task_queue(request)
    return max((float(poller.last_access_time.seconds) for poller in answer.pollers), default=0.0)
