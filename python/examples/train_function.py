"""Trains with a Python function on three pods: `python examples/train_function.py NAME`.

The sandbox runs the command without an image.
"""

from __future__ import annotations

import asyncio
import sys

from signalbox import Client, train


def fit(steps: int) -> None:
    """Stand for a training: finds the minimum of a parabola, and reports what the job's policy reads as progress."""
    import os

    rank, world = int(os.environ["RANK"]), int(os.environ["WORLD_SIZE"])
    x = 3.0 + rank
    for step in range(1, steps + 1):
        x -= 0.1 * 2 * (x - 1)
        print(f"step={step} of {steps}, rank {rank} of {world}: x={x:.4f}", flush=True)


async def main(name: str) -> int:
    """Submit the job, show what becomes of it, and return the exit code of the script."""
    manifest = train(
        fit,
        arguments={"steps": 20},
        name=name,
        image="python:3.13",
        nodes=3,
        policy={"progress": {"log": "step=.*"}},
    )
    async with Client.connect() as client:
        # With a key, a script that is started again gets the job that it started before.
        job = await client.submit(manifest, key="first", labels={"team": "vision"}, why="to try it")
        print(f"{job.workflow_id}: {job.submission}")
        async for status in job.watch():
            print(f"{status.phase:10} {status.progress or status.state}")
        outcome = await job.wait()
    if outcome.phase == "Failed":
        print(f"{outcome.reason} ({outcome.failure_class}): {outcome.message}\n{outcome.remedy}")
        for failure in outcome.failures:
            print(f"  {failure.pod} on {failure.node}: exit code {failure.exit_code}, evidence {failure.evidence}")
    return 0 if outcome.phase == "Completed" else 1


if __name__ == "__main__":
    sys.exit(asyncio.run(main(sys.argv[1])))
