"""Data-parallel training with MPI: each rank has a part of the data, gradients are added up by an allreduce.

Who takes part, and where, is mpirun's business: the program asks MPI.
"""

import random
import sys

from mpi4py import MPI

STEPS = 60
SAMPLES = 600
RATE = 0.5


def main() -> None:
    world = MPI.COMM_WORLD
    rank, size = world.Get_rank(), world.Get_size()
    part = samples()[rank::size]
    slope = offset = 0.0
    for step in range(STEPS):
        errors = [(x, slope * x + offset - y) for x, y in part]
        own = [sum(e * x for x, e in errors), sum(e for _, e in errors), sum(e * e for _, e in errors)]
        sums = [world.allreduce(number, op=MPI.SUM) for number in own]
        slope -= RATE * sums[0] / SAMPLES
        offset -= RATE * sums[1] / SAMPLES
        if rank == 0 and (step % 20 == 0 or step == STEPS - 1):
            print(f"step={step} loss={sums[2] / SAMPLES:.4f}", flush=True)
    everybodys = world.allgather((slope, offset))
    if any(other != (slope, offset) for other in everybodys):
        sys.exit("weights differ between ranks")
    if rank == 0:
        print(f"done: all {size} ranks hold the same weights", flush=True)


def samples() -> list[tuple[float, float]]:
    """Points along a line, the same for all ranks."""
    source = random.Random(7)
    inputs = [source.uniform(-1, 1) for _ in range(SAMPLES)]
    return [(x, 3 * x + 1 + source.gauss(0, 0.1)) for x in inputs]


if __name__ == "__main__":
    main()
