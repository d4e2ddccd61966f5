import asyncio
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest
from conftest import until_phase

from manifests import pytorch
from signalbox import Client, InvalidManifestError, KeyReusedError, NameTakenError, ServerAwayError

TypeScript = Callable[[dict[str, Any]], dict[str, Any]]


async def test_the_same_manifest_gives_one_job(client: Client, name: str) -> None:
    manifest = pytorch(name, ends=None)
    jobs = await asyncio.gather(*(client.submit(manifest) for _ in range(5)))
    assert sorted(str(job.submission) for job in jobs) == [*["already-running"] * 4, "started"]
    assert len({job.run_id for job in jobs}) == 1
    with pytest.raises(NameTakenError) as caught:
        await client.submit(pytorch(name, workers=3))
    assert caught.value.workflow_id == jobs[0].workflow_id
    await jobs[0].stop()
    await jobs[0].wait()


async def test_a_key_returns_its_run_whatever_its_state(client: Client, name: str) -> None:
    manifest = pytorch(name, ends="failed")
    first = await client.submit(manifest, key="one", why="the nightly run")
    assert (await client.submit(manifest, key="one")).run_id == first.run_id
    with pytest.raises(NameTakenError):
        await client.submit(manifest, key="two")
    assert (await first.wait()).phase == "Failed"
    again = await client.submit(manifest, key="one")
    assert (again.run_id, again.submission) == (first.run_id, "already-ended")
    with pytest.raises(KeyReusedError, match=r"They differ in spec\.\S+\.Worker\.replicas \(2 there, 3 here\)\."):
        await client.submit(pytorch(name, ends="failed", workers=3), key="one")
    second = await client.submit(manifest, key="two")
    assert second.submission == "started"
    await second.wait()
    earlier = await eventually_with_key(client, manifest)
    assert earlier == first.run_id


async def eventually_with_key(client: Client, manifest: dict[str, Any]) -> str | None:
    """The visibility store, in which earlier runs are found, is behind by a moment."""
    while True:
        try:
            return (await client.submit(manifest, key="one")).run_id
        except NameTakenError:
            await asyncio.sleep(0.1)


async def test_a_completed_job_runs_again_only_if_asked(client: Client, name: str) -> None:
    manifest = pytorch(name)
    first = await client.submit(manifest)
    assert (await first.wait()).phase == "Completed"
    assert (await client.submit(manifest)).submission == "already-completed"
    again = await client.submit(manifest, rerun=True)
    assert again.submission == "started"
    assert again.run_id != first.run_id
    await again.wait()


async def test_a_job_of_the_same_name_starts_when_a_stopped_one_has_been_cleaned_up(client: Client, name: str) -> None:
    manifest = pytorch(name, ends=None)
    first = await client.submit(manifest)
    await until_phase(first, "Running")
    await first.stop(why="data were wrong")
    told: list[str] = []
    second = await client.submit(manifest, on_clean_up=told.append)
    assert (second.submission, second.run_id == first.run_id) == ("started", False)
    assert told[0].startswith(f"{first.workflow_id} has ended, Stopped, and is being cleaned up")
    await until_phase(second, "Running")
    await second.stop()
    third = await client.submit(manifest, key="third")
    assert third.submission == "started"
    assert (await client.submit(manifest, key="third")).run_id == third.run_id
    await until_phase(third, "Running")
    await third.stop()
    with pytest.raises(NameTakenError, match="clean-up was not over"):
        await client.submit(manifest, clean_up_timeout=0)
    await third.wait()


async def test_a_held_job_keeps_its_name_until_it_is_released(client: Client, name: str) -> None:
    manifest = pytorch(name, ends="failed")
    manifest["metadata"]["annotations"] = {"signalbox.dev/policy": "holdOnFailure: 10m"}
    first = await client.submit(manifest)
    async for status in first.watch():
        if status.state == "Finishing.Holding":
            break
    with pytest.raises(NameTakenError, match="held for inspection") as caught:
        await client.submit(manifest)
    assert "job.release()" in str(caught.value.remedy)
    await first.release()
    assert (await client.submit(manifest)).submission == "started"
    assert (await first.wait()).phase == "Failed"
    second = client.job(name)
    await second.stop()


@pytest.mark.parametrize("value", [1, 0.1, 1e21, "ü\u2028", {"10": 1, "2": 2}])
async def test_both_clients_are_idempotent_towards_each_other(
    client: Client, name: str, typescript: TypeScript, value: object
) -> None:
    manifest = pytorch(name, ends=None)
    manifest["metadata"]["annotations"] = {"note": str(value)}
    manifest["spec"]["pytorchReplicaSpecs"]["Master"]["template"]["spec"]["x"] = value
    assert typescript({"hash": manifest})["hash"] == typescript({"hash": dict(reversed(manifest.items()))})["hash"]
    options = {"key": "k", "labels": {"team": "vision"}, "strict": False}
    theirs = typescript({"submit": {"manifest": manifest, "options": options}})
    ours = await client.submit(manifest, key="k", labels={"team": "vision"}, strict=False)
    assert (theirs["submission"], ours.submission) == ("started", "already-running")
    assert ours.run_id == theirs["runId"]
    await ours.stop()
    await ours.wait()
    ours = await client.submit(manifest, key="k2", labels={"team": "vision"}, strict=False)
    theirs = typescript({"submit": {"manifest": manifest, "options": {**options, "key": "k2"}}})
    assert (ours.submission, theirs["submission"]) == ("started", "already-running")
    third = {"manifest": manifest, "options": {**options, "key": "k3"}}
    assert typescript({"submit": third})["code"] == "NameTaken"
    await ours.stop()
    await ours.wait()


async def test_a_manifest_with_faults_fails_with_all_of_them(client: Client, name: str) -> None:
    with pytest.raises(InvalidManifestError):
        await client.submit({"kind": "PyTorchJob"})
    manifest = pytorch(name)
    manifest["spec"]["pytorchReplicaSpecs"]["Worker"]["replicas"] = -2
    outcome = await (await client.submit(manifest)).wait()
    assert outcome.phase == "Failed"
    assert outcome.reason == "InvalidManifest"
    assert "spec.pytorchReplicaSpecs.Worker.replicas" in outcome.message


async def test_a_server_that_does_not_answer_is_named() -> None:
    with pytest.raises(ServerAwayError) as caught:
        await Client.connect("127.0.0.1:1")
    assert "127.0.0.1:1" in str(caught.value)


async def test_nulls_and_a_generated_name_are_as_in_typescript(
    client: Client, name: str, typescript: TypeScript
) -> None:
    manifest = pytorch(name, ends=None)
    manifest["metadata"] = {"generateName": f"{name}-", "namespace": None, "labels": None}
    job = await client.submit(manifest, key="again")
    options = {"key": "again", "namespace": job.workflow_id.split("/")[1]}
    submitted = typescript({"submit": {"manifest": manifest, "options": options}})
    assert (submitted["workflowId"], submitted["submission"]) == (job.workflow_id, "already-running")
    with pytest.raises(InvalidManifestError, match="no rerun with a key"):
        await client.submit(manifest, key="again", rerun=True)
    await job.stop()
    await job.wait()


async def test_many_manifests_are_submitted_and_found_again(client: Client, name: str) -> None:
    manifests = [pytorch(f"{name}-{index}", ends="failed") for index in range(4)]
    [taken] = [one async for one in client.submit_many(manifests[:1])]
    assert taken.job.submission == "started"
    await taken.job.wait()
    assert [one.job.submission async for one in client.submit_many(manifests[:1], key="trials")] == ["started"]

    async def stream() -> AsyncIterator[dict[str, Any]]:
        for manifest in [*manifests, {}]:
            yield manifest

    attempts = {one.index: one async for one in client.submit_many(stream(), key="trials")}
    assert attempts[0].job.submission in {"already-running", "already-ended"}
    assert [attempts[index].job.submission for index in (1, 2, 3)] == ["started"] * 3
    assert isinstance(attempts[4].error, InvalidManifestError)
    with pytest.raises(InvalidManifestError):
        _ = attempts[4].job
    for index in range(4):
        await attempts[index].job.wait()


async def test_many_manifests_with_one_key_need_names_of_their_own(client: Client) -> None:
    manifest = {**pytorch("x"), "metadata": {"generateName": "trial-"}}
    [attempt] = [one async for one in client.submit_many([manifest], key="trials")]
    assert isinstance(attempt.error, InvalidManifestError)
    assert attempt.error.faults[0].path == "metadata.name"
