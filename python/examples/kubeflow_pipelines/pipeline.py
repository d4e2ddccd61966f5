"""A Kubeflow Pipelines component that trains by signalbox: `python pipeline.py NAME FOLDER` runs it locally."""

import sys

from kfp import dsl, local


@dsl.component(packages_to_install=["signalbox"])
def train_model(name: str, steps: int) -> str:
    """Train once, however often the step is tried, and return the phase in which the job ended."""
    from signalbox import SyncClient, train

    def fit(steps: int) -> None:
        for step in range(steps):
            print(f"step={step}", flush=True)

    manifest = train(fit, arguments={"steps": steps}, name=name, image="python:3.13", nodes=2)
    with SyncClient.connect() as client:
        outcome = client.submit_and_wait(manifest, key=f"{name}/train")
    if outcome.phase != "Completed":
        raise RuntimeError(f"{outcome.name} is {outcome.phase}: {outcome.message}")
    return outcome.phase


@dsl.component
def report(phase: str) -> str:
    """Stand for what follows the training."""
    return f"the training is {phase}"


@dsl.pipeline
def pipeline(name: str, steps: int) -> str:
    """Train, then report."""
    trained = train_model(name=name, steps=steps)
    return report(phase=trained.output).output


if __name__ == "__main__":
    # Without an environment of its own, a step uses the packages of this one.
    local.init(runner=local.SubprocessRunner(use_venv=False), pipeline_root=sys.argv[2])
    print(pipeline(name=sys.argv[1], steps=3).output)
