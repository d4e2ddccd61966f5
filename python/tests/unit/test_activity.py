from __future__ import annotations

import asyncio
from typing import Any, cast

import pytest
from temporalio.activity import ActivityCancellationDetails
from temporalio.testing import ActivityEnvironment

from signalbox import Client
from signalbox.activity import TrainingJobActivities


class SlowServer:
    """A client whose start of a job is answered after the activity was told to end."""

    workflow_id = "job/ml/train"

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.is_starting = asyncio.Event()
        self.answer = asyncio.Event()

    async def submit(self, _manifest: object, **_options: object) -> SlowServer:
        self.is_starting.set()
        await self.answer.wait()
        return self

    async def stop(self, **_request: object) -> None:
        self.asked.append("stop")

    async def wait(self) -> None:
        self.asked.append("wait")


async def ended_while_starting(details: ActivityCancellationDetails) -> list[str]:
    server = SlowServer()
    environment = ActivityEnvironment()
    activities: Any = TrainingJobActivities(cast("Client", server))
    running = asyncio.ensure_future(environment.run(activities.run_training_job, {}))
    await server.is_starting.wait()
    environment.cancel(details)
    await asyncio.sleep(0)
    server.answer.set()
    with pytest.raises(asyncio.CancelledError):
        await running
    return server.asked


async def test_a_job_that_starts_while_its_activity_is_cancelled_is_stopped_and_waited_for() -> None:
    assert await ended_while_starting(ActivityCancellationDetails(cancel_requested=True)) == ["stop", "wait"]


async def test_a_job_that_starts_while_the_worker_shuts_down_is_left_for_the_next_try() -> None:
    assert await ended_while_starting(ActivityCancellationDetails(worker_shutdown=True)) == []
