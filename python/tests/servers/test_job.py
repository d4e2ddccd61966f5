import asyncio
import contextlib

import pytest
from conftest import until_phase

from manifests import pytorch
from signalbox import (
    Client,
    InvalidManifestError,
    JobEndedError,
    JobNotFoundError,
    NoEvidenceError,
    RefusedError,
    WaitTimeoutError,
)


async def test_a_failure_says_why_with_its_evidence(client: Client, name: str) -> None:
    outcome = await client.submit_and_wait(pytorch(name, ends="failed"))
    assert outcome.phase == "Failed"
    assert (outcome.reason, outcome.failure_class) == ("PodFailed", "program")
    assert outcome.failures[0].exit_code == 1
    assert outcome.failures[0].node
    records = [record async for record in client.job(name).evidence()]
    assert outcome.failures[0].pod in {record.summary.pod for record in records}


async def test_a_stop_says_by_whom(client: Client, name: str) -> None:
    job = await client.submit(pytorch(name, ends=None))
    await until_phase(job, "Running")
    assert await job.stop(by="ana", why="enough seen") == "requested"
    outcome = await job.wait()
    assert outcome.phase == "Stopped"
    assert (outcome.by, outcome.why) == ("ana", "enough seen")
    assert await job.stop() == "already-ended"
    with pytest.raises(JobEndedError):
        await job.suspend()
    with pytest.raises(NoEvidenceError):
        [record async for record in job.evidence()]


async def test_interventions_change_a_running_job(client: Client, name: str) -> None:
    job = await client.submit(pytorch(name, ends=None))
    await until_phase(job, "Running")
    with pytest.raises(RefusedError) as refused:
        await job.resume()
    assert "not suspended" in str(refused.value)
    with pytest.raises(InvalidManifestError):
        await job.amend_policy({"restart": 3})
    with pytest.raises(RefusedError):
        await job.hold(-1)
    await job.hold(0, by="ana")
    await job.suspend(by="ana", why="maintenance")
    await until_phase(job, "Suspended")
    await job.resume()
    await until_phase(job, "Running")
    entries = await job.history()
    phases = [entry.phase for entry in entries]
    assert phases.index("Suspended") < len(phases) - 1 - phases[::-1].index("Running")
    assert [entry.seq for entry in entries] == list(range(1, len(entries) + 1))
    asked = {entry.cause.request: entry.cause for entry in entries if entry.cause.type == "request"}
    assert (asked["suspend"].who.given, asked["suspend"].why) == ("ana", "maintenance")
    assert asked["suspend"].who.identity
    assert asked["resume"].who.given == "a test"
    assert await job.history(start=3) == entries[2:]
    await job.stop()
    await job.wait()


async def test_waiting_can_be_given_up_and_the_job_continues(client: Client, name: str) -> None:
    job = await client.submit(pytorch(name, ends=None))
    with pytest.raises(WaitTimeoutError):
        await job.wait(timeout=0.2)
    waiting = asyncio.ensure_future(job.wait())
    await until_phase(job, "Running")
    waiting.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await waiting
    assert waiting.cancelled()
    assert (await job.summary()).has_ended is False
    await job.stop()
    assert (await job.wait()).phase == "Stopped"


async def test_every_change_is_watched_and_the_outcome_comes_last(client: Client, name: str) -> None:
    job = await client.submit(pytorch(name, ends=None))
    phases: list[str] = []
    async for status in job.watch():
        if status.phase == "Running" and "Running" not in phases:
            await job.stop()
        phases.append(status.phase)
    assert "Running" in phases
    assert phases[-1] == "Stopped"


async def test_the_ledger_is_followed_to_the_end(client: Client, name: str) -> None:
    job = await client.submit(pytorch(name, ends=None), why="to be followed")
    followed = []
    async for entry in job.follow_history():
        followed.append(entry)
        if entry.phase == "Running" and entry.cause.type == "digest":
            await job.stop(by="ana", why="enough seen")
    assert followed[-1].phase == "Stopped"
    assert followed == await job.history()
    first = followed[0].cause
    assert first.type == "submitted"
    assert (first.who.given, first.why) == ("a test", "to be followed")


async def test_jobs_are_found_listed_and_counted(client: Client, name: str) -> None:
    with pytest.raises(JobNotFoundError):
        await client.find("nobody")
    job = await client.submit(pytorch(name), workflow_id=f"custom-{name}", labels={"run": name})
    await job.wait()
    while (found := [one async for one in client.list(name=name, phase="Completed")]) == []:
        await asyncio.sleep(0.1)
    assert [one.workflow_id for one in found] == [job.workflow_id]
    assert (await client.find(name)).workflow_id == job.workflow_id
    assert await client.count(name=name) == {"Completed": 1}
    assert [one async for one in client.list(name=name, phase="Running")] == []


async def test_a_job_that_was_terminated_is_stopped(client: Client, name: str) -> None:
    job = await client.submit(pytorch(name, ends=None))
    await until_phase(job, "Running")
    await client._temporal.get_workflow_handle(job.workflow_id).terminate(reason="by hand")
    outcome = await job.wait()
    assert outcome.phase == "Stopped"
    assert (outcome.reason, outcome.message) == ("WorkflowTerminated", "by hand")


async def test_a_job_that_does_not_exist_is_named(client: Client) -> None:
    for call in (client.job("nobody").status, client.job("nobody").suspend, client.job("nobody").wait):
        with pytest.raises(JobNotFoundError) as caught:
            await call()
        assert caught.value.code == "JobNotFound"
