"""An Airflow task that trains by signalbox. A task that is tried again waits for the job of its first try."""

from __future__ import annotations

import os

from airflow.sdk import dag, get_current_context, task


def fit(steps: int) -> None:
    """Stand for a training."""
    for step in range(steps):
        print(f"step={step}", flush=True)


@task(retries=2)
def train_model(name: str) -> str:
    """Return the phase in which the job ended."""
    from signalbox import SyncClient, train

    context = get_current_context()
    manifest = train(fit, arguments={"steps": 3}, name=name, image="python:3.13", nodes=2)
    with SyncClient.connect() as client:
        outcome = client.submit_and_wait(manifest, key=f"{context['run_id']}/{context['task'].task_id}")
    if outcome.phase != "Completed":
        raise RuntimeError(f"{outcome.name} is {outcome.phase}: {outcome.message}")
    return outcome.phase


@dag(schedule=None)
def training() -> None:
    """Train one model."""
    train_model(os.environ.get("JOB_NAME", "airflow"))


instance = training()

if __name__ == "__main__":
    run = instance.test()
    print(f"the run is {run.state}")
