"""Lanes `research`, of three pods, and `production`, of ten: whoever starts these tests writes their ConfigMap."""

from __future__ import annotations

from typing import Any

import pytest
from conftest import until_phase

from manifests import pytorch
from signalbox import Client, LanesError
from signalbox.models.records import Lane


def in_lane(name: str) -> dict[str, Any]:
    manifest = pytorch(name, ends=None)
    manifest["metadata"]["annotations"] = {"signalbox.dev/policy": "lane: { name: research }"}
    return manifest


async def lane(client: Client, name: str) -> Lane:
    [found] = [one for one in (await client.lanes.list()).lanes if one.lane == name]
    return found


async def test_a_lane_is_paused_and_a_job_of_it_is_moved(client: Client, name: str) -> None:
    fits = await client.why_waiting(in_lane(name))
    assert (fits.name, fits.phase, fits.reasons) == (name, None, [])
    await client.lanes.pause("research", why="new drivers until noon")
    answer = await client.why_waiting(in_lane(name))
    assert [(reason.code, reason.who) for reason in answer.reasons] == [("QueueClosed", "administrator")]
    job = await client.submit(in_lane(name))
    async for status in job.watch():
        if status.cause and "new drivers until noon" in status.cause.message:
            break
    waiting = await job.why_waiting()
    assert (waiting.workflow_id, waiting.reasons[0].code) == (job.workflow_id, "QueueClosed")
    await client.lanes.set_priority(job, 7, why="it is short")
    research = await lane(client, "research")
    assert (research.state, research.why, research.running) == ("paused", "new drivers until noon", [])
    assert [(one.name, one.priority, one.needs) for one in research.waiting] == [(name, 7, {"pods": "3"})]
    await client.lanes.move(job, "production", why="it is urgent")
    await until_phase(job, "Running")
    await client.lanes.open("research")
    assert (await lane(client, "research")).state == "open"
    assert [one.name for one in (await lane(client, "production")).running] == [name]
    asked = [entry.cause.why for entry in await job.history() if entry.cause.type == "request"]
    assert asked == ["it is short", "it is urgent"]
    await job.stop()


async def test_a_lane_that_does_not_exist_is_refused(client: Client) -> None:
    with pytest.raises(LanesError, match=r"expected a lane \(research, production\), got nowhere"):
        await client.lanes.drain("nowhere", why="x")
