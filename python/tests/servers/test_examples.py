"""The examples, as a user runs them, and the workflows of the pipeline example in other situations."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from conftest import until_phase
from temporalio.client import Client as TemporalClient
from temporalio.client import WorkflowFailureError
from temporalio.exceptions import CancelledError

from manifests import pytorch
from signalbox import Client, Job, JobNotFoundError

EXAMPLES = Path(__file__).parents[2] / "examples"
TASK_QUEUE = "python-pipelines"
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(EXAMPLES.parent / "src")}


async def run(*args: str) -> str:
    pipe = asyncio.subprocess.PIPE
    child = await asyncio.create_subprocess_exec(sys.executable, *args, env=ENVIRONMENT, stdout=pipe, stderr=pipe)
    out, err = await child.communicate()
    # Temporal's SDK can crash a program that has done all of its work (github.com/temporalio/sdk-python/issues/300).
    crashed_at_exit = child.returncode == -signal.SIGABRT and b"Python runtime state: finalizing" in err
    assert child.returncode == 0 or crashed_at_exit, f"{out.decode()}{err.decode()}"
    return out.decode()


@pytest_asyncio.fixture(scope="module")
async def temporal() -> TemporalClient:
    namespace = os.environ.get("TEMPORAL_NAMESPACE", "default")
    return await TemporalClient.connect(os.environ["TEMPORAL_ADDRESS"], namespace=namespace)


@pytest_asyncio.fixture(scope="module")
async def worker() -> AsyncIterator[None]:
    script = str(EXAMPLES / "pipeline" / "worker.py")
    child = await asyncio.create_subprocess_exec(
        sys.executable, script, env=ENVIRONMENT, stdout=asyncio.subprocess.PIPE
    )
    assert child.stdout is not None
    assert await child.stdout.readline() == b"ready\n"
    yield
    child.terminate()
    await child.wait()


async def test_the_script_trains_a_function_on_three_pods(name: str) -> None:
    first = await run(str(EXAMPLES / "train_function.py"), name)
    assert f"/{name}: started" in first
    assert "Completed" in first
    assert "step=20 of 20" in first
    assert f"/{name}: already-completed" in await run(str(EXAMPLES / "train_function.py"), name)


@pytest.mark.usefixtures("worker")
async def test_the_pipeline_trains_two_models_at_once_and_compares_them(name: str, client: Client) -> None:
    printed = await run(str(EXAMPLES / "pipeline" / "start.py"), name, "10")
    assert printed.startswith(f"best: {name}-2 ")
    for workers in (1, 2):
        summary = await client.job(f"{name}-{workers}").summary()
        assert (summary.phase, summary.submitted_by) == ("Completed", f"workflow python-pipeline-{name}")


@pytest.mark.usefixtures("worker")
async def test_cancelling_the_pipeline_stops_its_jobs(name: str, client: Client, temporal: TemporalClient) -> None:
    given = {"dataset": name, "steps": 100_000, "namespace": os.environ.get("SIGNALBOX_NAMESPACE", "default")}
    pipeline = await temporal.start_workflow("pythonPipeline", given, id=f"pipeline-{name}", task_queue=TASK_QUEUE)
    job = await started(client, f"{name}-1")
    await until_phase(job, "Running")
    await pipeline.cancel()
    with pytest.raises(WorkflowFailureError) as caught:
        await pipeline.result()
    assert isinstance(caught.value.cause, CancelledError)
    outcome = await job.wait()
    assert outcome.phase == "Stopped"
    assert (outcome.by, outcome.why) == (f"workflow pipeline-{name}", "the calling workflow was cancelled")


@pytest.mark.usefixtures("worker")
async def test_a_pipeline_gets_the_outcome_of_a_job_whose_workflow_was_terminated(
    name: str, client: Client, temporal: TemporalClient
) -> None:
    given = {"dataset": name, "steps": 100_000, "namespace": os.environ.get("SIGNALBOX_NAMESPACE", "default")}
    pipeline = await temporal.start_workflow("pythonPipeline", given, id=f"pipeline-{name}", task_queue=TASK_QUEUE)
    first, second = [await started(client, f"{name}-{workers}") for workers in (1, 2)]
    await until_phase(first, "Running")
    await temporal.get_workflow_handle(first.workflow_id).terminate(reason="by hand")
    await second.stop()
    with pytest.raises(WorkflowFailureError) as caught:
        await pipeline.result()
    assert f"{name}-1 is Stopped: by hand" in str(caught.value.cause)


@pytest.mark.usefixtures("worker")
async def test_an_activity_trains_for_other_namespaces_and_stops_the_job_when_it_is_cancelled(
    name: str, client: Client, temporal: TemporalClient
) -> None:
    elsewhere = "pythonPipelineElsewhere"
    phase = await temporal.execute_workflow(elsewhere, pytorch(name), id=f"elsewhere-{name}", task_queue=TASK_QUEUE)
    assert phase == "Completed"
    lasting = pytorch(f"{name}-2", ends=None)
    pipeline = await temporal.start_workflow(elsewhere, lasting, id=f"elsewhere-{name}-2", task_queue=TASK_QUEUE)
    job = await started(client, f"{name}-2")
    await until_phase(job, "Running")
    await pipeline.cancel()
    with pytest.raises(WorkflowFailureError):
        await pipeline.result()
    outcome = await job.wait()
    assert outcome.phase == "Stopped"
    assert outcome.by == f"workflow elsewhere-{name}-2"


async def started(client: Client, name: str) -> Job:
    """Wait until the job exists."""
    job = client.job(name)
    while True:
        try:
            await job.summary()
        except JobNotFoundError:
            await asyncio.sleep(0.1)
        else:
            return job
