"""Data-parallel training with jax: each process has a part of the data, gradients are averaged over all of them.

The rendezvous is what a JAXJob injects: COORDINATOR_ADDRESS, COORDINATOR_PORT, NUM_PROCESSES and PROCESS_ID.
"""

import os
import sys

import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import multihost_utils

STEPS = 100
SAMPLES = 600
RATE = 0.5


def main() -> None:
    port = os.environ["COORDINATOR_PORT"]
    jax.distributed.initialize(
        coordinator_address=f"{os.environ['COORDINATOR_ADDRESS']}:{port}",
        num_processes=int(os.environ["NUM_PROCESSES"]),
        process_id=int(os.environ["PROCESS_ID"]),
        # On a machine of many addresses the manifest says which one is this pod's.
        coordinator_bind_address=f"{os.environ['POD_IP']}:{port}",
        initialization_timeout=60,
    )
    rank, world = jax.process_index(), jax.process_count()
    inputs, labels = samples()
    inputs, labels = inputs[rank::world], labels[rank::world]
    step = jax.jit(jax.value_and_grad(loss))
    weights = jnp.zeros(3)
    for number in range(STEPS):
        value, gradient = step(weights, inputs, labels)
        value, gradient = average(value), average(gradient)
        weights = weights - RATE * gradient
        if rank == 0 and (number % 20 == 0 or number == STEPS - 1):
            print(f"step={number} loss={value:.4f}", flush=True)
    everybodys = multihost_utils.process_allgather(weights)
    if not (everybodys == np.asarray(weights)).all():
        sys.exit("weights differ between processes")
    print(f"[process {rank}] done: all {world} processes hold the same weights", flush=True)


def average(value: jax.Array) -> jax.Array:
    return multihost_utils.process_allgather(value).mean(axis=0)


def loss(weights: jax.Array, inputs: jax.Array, labels: jax.Array) -> jax.Array:
    """Logistic regression: two weights and a bias."""
    scores = inputs @ weights[:2] + weights[2]
    return jnp.mean(jnp.logaddexp(0, scores) - labels * scores)


def samples() -> tuple[np.ndarray, np.ndarray]:
    """Two clouds of points, the same for all processes."""
    random = np.random.default_rng(7)
    labels = np.arange(SAMPLES) % 2
    return random.normal(size=(SAMPLES, 2)) + 2 * labels[:, None], labels.astype(float)


if __name__ == "__main__":
    main()
