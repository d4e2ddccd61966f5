from __future__ import annotations

import asyncio
from datetime import datetime, timedelta, timezone

import pytest

from manifests import pytorch
from signalbox import (
    Client,
    InvalidManifestError,
    InvalidScheduleError,
    ScheduleExistsError,
    ScheduleNotFoundError,
    SyncClient,
)

YEARLY = "0 3 29 2 *"
"""Nothing is due while a test runs."""


async def test_a_schedule_is_created_read_and_deleted(client: Client, name: str) -> None:
    created = await client.schedules.create(
        pytorch(name),
        cron=YEARLY,
        time_zone="Europe/Berlin",
        overlap="queue-one",
        catch_up=timedelta(minutes=5),
        jitter=3,
        pause_on_failure=True,
        labels={"team": "nlp"},
        note="of a test",
    )
    namespace = client._context.namespace
    assert (created.schedule_id, created.kind, created.paused) == (f"{namespace}/{name}", "PyTorchJob", False)
    assert created.when == [f"{YEARLY} (Europe/Berlin)"]
    assert (created.overlap, created.catch_up, created.pause_on_failure) == ("queue-one", timedelta(minutes=5), True)
    assert (created.submitted_by, created.note) == ("a test", "of a test")
    assert created.manifest["metadata"]["labels"]["team"] == "nlp"
    assert created.next_runs[0].tzinfo is not None
    assert (created.next_runs[0].month, created.next_runs[0].day) == (2, 29)
    with pytest.raises(ScheduleExistsError):
        await client.schedules.create(pytorch(name), cron=YEARLY)
    listed = {one.schedule_id for one in await client.schedules.list(namespace=namespace)}
    assert created.schedule_id in listed
    assert (await client.schedules.get(schedule_id=created.schedule_id)).name == name
    await client.schedules.delete(name)
    with pytest.raises(ScheduleNotFoundError) as missing:
        await client.schedules.get(name)
    assert missing.value.schedule_id == f"{namespace}/{name}"


async def test_a_schedule_is_paused_with_the_reason_and_triggered(client: Client, name: str) -> None:
    await client.schedules.create(pytorch(name), every=timedelta(days=300), offset=timedelta(days=200))
    await client.schedules.pause(name, why="maintenance")
    paused = await client.schedules.get(name)
    assert (paused.paused, paused.note) == (True, "paused by a test: maintenance")
    assert paused.when == ["every 300d + 200d"]
    await client.schedules.trigger(name)
    started = await _first_run(client, name)
    outcome = await client.job(workflow_id=started).wait()
    assert outcome.phase == "Completed"
    assert (await client.job(workflow_id=started).summary()).submitted_by == "a test"
    await client.schedules.unpause(name)
    assert not (await client.schedules.get(name)).paused
    await client.schedules.delete(name)


async def test_jobs_of_the_past_are_started(client: Client, name: str) -> None:
    await client.schedules.create(pytorch(name), cron="0 0 * * *", paused=True)
    day = datetime(2026, 3, 1, tzinfo=timezone.utc)
    await client.schedules.backfill(name, start=day, end=day + timedelta(hours=1), overlap="allow")
    assert (await _first_run(client, name)).endswith("2026-03-01T00:00:00Z")
    with pytest.raises(InvalidScheduleError):
        await client.schedules.backfill(name, start=day, end=day)
    await client.schedules.delete(name)


async def test_faults_are_found_before_anything_is_created(client: Client, name: str) -> None:
    with pytest.raises(InvalidScheduleError):
        await client.schedules.create(pytorch(name))
    with pytest.raises(InvalidScheduleError):
        await client.schedules.create(pytorch(name), cron="now and then")
    with pytest.raises(InvalidManifestError):
        await client.schedules.create({**pytorch(name), "spec": {}}, cron=YEARLY)
    with pytest.raises(TypeError, match="did you mean time_zone"):
        await client.schedules.create(pytorch(name), cron=YEARLY, timezone="UTC")  # type: ignore[call-arg]
    with pytest.raises(TypeError):
        await client.schedules.pause()
    with pytest.raises(ScheduleNotFoundError):
        await client.schedules.delete(name)


def test_schedules_have_calls_that_block(name: str) -> None:
    with SyncClient.connect(submitted_by="a test") as client:
        created = client.schedules.create(pytorch(name), cron=YEARLY, paused=True)
        assert client.schedules.get(name).paused
        client.schedules.delete(schedule_id=created.schedule_id)


async def _first_run(client: Client, name: str) -> str:
    for _ in range(300):
        runs = (await client.schedules.get(name)).last_runs
        if runs:
            return runs[0].workflow_id
        await asyncio.sleep(0.1)
    raise AssertionError(f"the schedule {name} started no job")
