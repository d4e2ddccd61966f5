from __future__ import annotations

import asyncio

import pytest

from manifests import pytorch
from signalbox import Client, InvalidManifestError, JobNotFoundError, NameTakenError, WaitTimeoutError

END = "spec.pytorchReplicaSpecs.Master.template.metadata.annotations[signalbox.dev/simulate]"


async def test_each_combination_is_a_job(client: Client, name: str) -> None:
    seed = END.replace("simulate]", "seed]")
    values = {END: ["succeeded"], seed: map(str, range(3))}
    sweep = await client.sweep(pytorch(name), set=values, at_most=2, why="to compare")
    assert sweep.workflow_id.endswith(f"/{name}")
    assert await client.sweep(pytorch(name), set={END: ["succeeded"], seed: list("012")}, at_most=2, why="to compare")
    with pytest.raises(NameTakenError):
        await client.sweep(pytorch(name), set={END: ["succeeded"]})
    summary = await sweep.wait()
    assert (summary.phase, summary.trials, summary.completed, summary.at_most) == ("Completed", 3, 3, 2)
    jobs = await asyncio.gather(*(client.job(f"{name}-{trial}").summary() for trial in range(3)))
    assert {(job.phase, job.submitted_by) for job in jobs} == {("Completed", "a test")}
    trials = await sweep.trials()
    assert [(trial.name, trial.phase) for trial in trials] == [(f"{name}-{index}", "Completed") for index in range(3)]
    assert [trial.values[seed] for trial in trials] == ["0", "1", "2"]
    assert all(trial.start_time and trial.end_time for trial in trials)
    assert await sweep.stop() == "already-ended"


async def test_a_failure_stops_the_sweep_and_is_named(client: Client, name: str) -> None:
    ends = ["never", "failed", "never"]
    sweep = await client.sweep(pytorch(name, ends=None), set={END: ends}, at_most=2, stop_on_failure=True)
    summary = await sweep.wait()
    assert (summary.phase, summary.failed, summary.stopped, summary.waiting) == ("Failed", 1, 1, 1)
    assert summary.stop is not None
    assert summary.stop.trial == f"{name}-1"
    assert next((trial.name, trial.phase) for trial in summary.failures) == (f"{name}-1", "Failed")


async def test_a_sweep_is_stopped_as_a_whole(client: Client, name: str) -> None:
    await client.sweep(pytorch(name, ends=None), set={END: ["never", "never"]}, name=f"{name}-s", at_most=1)
    sweep = client.sweep_named(f"{name}-s")
    with pytest.raises(WaitTimeoutError):
        await sweep.wait(timeout=0.1)
    assert await sweep.stop(by="eve", why="wrong data") == "requested"
    summary = await sweep.wait()
    assert (summary.phase, summary.running) == ("Stopped", 0)
    assert summary.stop is not None
    assert (summary.stop.by, summary.stop.why) == ("eve", "wrong data")


async def test_faults_of_all_trials_are_found_before_one_starts(client: Client, name: str) -> None:
    with pytest.raises(InvalidManifestError) as caught:
        await client.sweep(pytorch(name), set={"spec.pytorchReplicaSpecs.Master.replicas": [1, -2], "nobody": [1]})
    assert "set.nobody" in caught.value.message
    with pytest.raises(InvalidManifestError):
        await client.sweep(pytorch(name), set={END: []})
    with pytest.raises(JobNotFoundError) as missing:
        await client.sweep_named(name).summary()
    assert missing.value.message == f"There is no sweep {client._context.namespace}/{name}."
    with pytest.raises(JobNotFoundError) as missing:
        await client.sweep_named(name).stop()
    assert missing.value.message == f"There is no sweep {client._context.namespace}/{name}."
