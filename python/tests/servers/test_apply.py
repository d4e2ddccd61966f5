import pytest
from conftest import until_phase

from manifests import pytorch
from signalbox import Applied, Client, InvalidManifestError, Job

REPLICAS = "spec.pytorchReplicaSpecs.Worker.replicas"


def applied(job: Job) -> Applied:
    assert job.applied is not None
    return job.applied


async def test_a_manifest_starts_a_job_changes_it_and_leaves_it(client: Client, name: str) -> None:
    manifest = pytorch(name, ends=None)
    manifest["metadata"]["annotations"] = {"signalbox.dev/policy": "scaleByRestart: true\n"}
    would = await client.apply(manifest, dry_run=True, strict=False)
    assert (applied(would).result, would.submission) == ("started", None)
    job = await client.apply(manifest, why="the first time")
    assert (applied(job).result, job.submission) == ("started", "started")
    manifest["spec"]["pytorchReplicaSpecs"]["Worker"]["replicas"] = 3
    manifest["metadata"]["annotations"] = {"signalbox.dev/policy": "scaleByRestart: true\nholdOnFailure: 5m\n"}
    # It may not be admitted yet.
    changed = await client.apply(manifest, why="more")
    assert applied(changed).result == "changed"
    assert (REPLICAS, 2, 3) in [(one.path, one.from_, one.to) for one in applied(changed).changes]
    assert applied(await client.apply(manifest)).result == "unchanged"
    causes = [entry.cause for entry in await job.history() if entry.cause.type == "request"]
    assert {cause.request for cause in causes} == {"apply"}
    assert {(cause.why, cause.who.given) for cause in causes} == {("more", "a test")}
    await job.stop()
    await job.wait()
    ended = applied(await client.apply(manifest))
    assert (ended.result, ended.ended) == ("unchanged", "Stopped")


async def test_what_a_live_job_keeps_is_refused_and_nothing_is_changed(client: Client, name: str) -> None:
    job = await client.apply(pytorch(name, ends=None))
    await until_phase(job, "Running")
    with pytest.raises(InvalidManifestError) as refused:
        await client.apply(pytorch(name, ends=None, image="train:2", workers=3))
    paths = [fault.path for fault in refused.value.faults]
    assert any(path.endswith("image") for path in paths)
    assert not [entry for entry in await job.history() if entry.cause.type == "request"]
    await job.stop()


async def test_unknown_fields_are_refused_before_anything_starts(client: Client, name: str) -> None:
    manifest = pytorch(name)
    manifest["spec"]["runpolicy"] = {}
    for refuse in (client.apply(manifest), client.submit(manifest)):
        with pytest.raises(InvalidManifestError) as refused:
            await refuse
        assert [fault.path for fault in refused.value.faults] == ["spec.runpolicy"]
    assert applied(await client.apply(manifest, dry_run=True, strict=False)).result == "started"
