import asyncio

import pytest
from conftest import until_phase

from manifests import pytorch
from signalbox import (
    ArchivedJob,
    Client,
    InvalidManifestError,
    JobEndedError,
    JobNotFoundError,
    NameTakenError,
    RefusedError,
)
from signalbox._options import RerunOptions

REPLICAS = "spec.pytorchReplicaSpecs.worker.replicas"


async def until_archived(client: Client, name: str) -> ArchivedJob:
    """Archivers need some seconds."""
    while True:
        try:
            return await client.archive.find(name)
        except JobNotFoundError:
            await asyncio.sleep(0.2)


async def test_an_ended_job_runs_again_and_names_its_parent(client: Client, name: str) -> None:
    parent = await client.submit(pytorch(name))
    await parent.wait()
    again = await client.rerun(name, set={REPLICAS: 1}, why="once more", key="again")
    assert (again.workflow_id, again.submission) == (parent.workflow_id, "started")
    assert again.run_id != parent.run_id
    first = (await again.history())[0].cause
    assert first.type == "submitted"
    assert (first.parent, first.why) == (f"{parent.workflow_id}, run {parent.run_id}", "once more")
    await again.wait()
    assert any("waiting for 2 pods" in entry.message for entry in await again.history())
    same = await client.rerun(name, set={REPLICAS: 1}, key="again", run_id=parent.run_id)
    assert (same.run_id, same.submission) == (again.run_id, "already-completed")


async def test_an_earlier_job_of_a_name_is_found_and_gets_no_requests(client: Client, name: str) -> None:
    first = await client.submit(pytorch(name), key="first")
    await first.wait()
    assert first.run_id is not None
    live = await client.submit(pytorch(name, ends=None), key="second")
    for run in ("-1", first.run_id[:13]):
        before = await client.find(name, run=run)
        assert (await before.wait()).phase == "Completed"
        assert (await before.history())[-1].phase == "Completed"
        assert (await before.summary()).run_id == first.run_id
    with pytest.raises(JobEndedError):
        await (await client.find(name, run="-1")).suspend()
    with pytest.raises(JobNotFoundError) as missing:
        await client.find(name, run="-2")
    assert [job.run_ids[0] for job in missing.value.known] == [live.run_id, first.run_id]
    with pytest.raises(RefusedError):
        await client.find(name, run="last")
    await live.stop()


async def test_a_live_job_runs_again_only_under_another_name(client: Client, name: str) -> None:
    parent = await client.submit(pytorch(name, ends=None))
    with pytest.raises(NameTakenError) as refused:
        await client.rerun(name)
    assert f"e.g. {name}-2" in str(refused.value.remedy)
    other = await client.rerun(name, new_name=f"{name}-2")
    assert (await other.summary()).name == f"{name}-2"
    await asyncio.gather(parent.stop(), other.stop())


async def test_what_is_wrong_starts_nothing(client: Client, name: str) -> None:
    job = await client.submit(pytorch(name))
    await job.wait()
    for changes, path in (
        ({REPLICAS: "many"}, "spec.pytorchReplicaSpecs.Worker.replicas"),
        ({"spec.foo": 1}, "spec.foo"),
    ):
        with pytest.raises(InvalidManifestError) as refused:
            await client.rerun(name, new_name=f"{name}-2", set=changes)
        assert [fault.path for fault in refused.value.faults] == [path]
    with pytest.raises(InvalidManifestError) as unknown:
        await client.rerun(name, revision=9)
    assert "expected 1, as the job was never amended, got 9" in str(unknown.value)
    with pytest.raises(JobNotFoundError):
        await client.find(f"{name}-2")
    with pytest.raises(JobNotFoundError):
        await client.rerun("nobody")


async def test_a_rerun_takes_a_revision_of_a_job_that_is_live_or_archived(client: Client, name: str) -> None:
    manifest = pytorch(name, ends=None)
    manifest["spec"]["runPolicy"] = {"suspend": True}
    manifest["metadata"]["annotations"] = {"signalbox.dev/policy": "scaleByRestart: true\n"}
    job = await client.submit(manifest)
    await until_phase(job, "Suspended")
    await job.scale("Worker", 3)
    await job.amend_policy({"holdOnFailure": "5m"})
    await job.stop()
    await job.wait()
    archived = await until_archived(client, name)
    reruns: list[RerunOptions] = [{}, {"revision": 2}, {"revision": 3, "set": {"spec.runPolicy.suspend": None}}]
    plans = [await client.plan_rerun(name, **changes) for changes in reruns]
    sizes = [plan.manifest["spec"]["pytorchReplicaSpecs"]["Worker"]["replicas"] for plan in plans]
    assert sizes == [2, 3, 3]
    assert "suspend" not in plans[2].manifest["spec"].get("runPolicy", {})
    assert "holdOnFailure" in plans[2].manifest["metadata"]["annotations"]["signalbox.dev/policy"]
    assert [(plan.revision, plan.revisions, plan.parent.revision) for plan in plans] == [
        (1, 3, None),
        (2, 3, 2),
        (3, 3, 3),
    ]
    assert [await client.plan_rerun(archived=archived, **changes) for changes in reruns] == plans
    again = await client.rerun(archived=archived, revision=3, new_name=f"{name}-2")
    first = (await again.history())[0].cause
    assert first.type == "submitted"
    assert first.parent == f"{job.workflow_id}, run {job.run_id}, revision 3"
    await again.stop()


async def test_an_archive_has_what_the_job_itself_returned(client: Client, name: str) -> None:
    job = await client.submit(pytorch(name, ends="failed"), why="to fail", labels={"team": "vision"})
    outcome = await job.wait()
    summary = await job.summary()
    archived = await until_archived(client, name)
    assert await archived.history() == await job.history()
    assert await archived.history(start=3) == (await job.history())[2:]
    assert await archived.outcome() == outcome
    assert (await archived.status()).phase == "Failed"
    assert await archived.why() == "to fail"
    assert (archived.summary.labels, archived.summary.phase) == ({"team": "vision"}, "Failed")
    evidence = await archived.evidence()
    assert [record.summary.exit_code for record in evidence][:1] == [1]
    assert {pod.pod for pod in await archived.pods()} >= {record.summary.pod for record in evidence}
    found = client.archive.list(namespace=summary.namespace, phase="Failed", ended_since=summary.start_time)
    [listed] = [one async for one in found if one.workflow_id == job.workflow_id]
    assert (listed.first_run_id, listed.run_ids) == (job.run_id, (job.run_id,))
    assert await listed.manifest() == await archived.manifest()
    assert (await client.archive.find(name, run=str(job.run_id)[:13])).first_run_id == job.run_id
    with pytest.raises(JobNotFoundError):
        await client.archive.find("nobody")


async def test_without_a_worker_the_status_is_what_was_recorded(client: Client, name: str) -> None:
    alone = Client(client._temporal, task_queue=f"nobody-{name}", submitted_by="a test")
    job = await alone.submit(pytorch(name))
    status = await job.status()
    assert (status.recorded_in, status.phase) == ("temporal", "Pending")
    assert (await job.why()).recorded_in == "temporal"
    await client._temporal.get_workflow_handle(job.workflow_id).terminate()
