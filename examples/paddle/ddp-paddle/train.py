"""Data-parallel training with paddle: DataParallel over gloo, on CPUs.

`python -m paddle.distributed.launch` starts it, and says in variables of its own who takes part.
"""

import sys

import numpy as np
import paddle
import paddle.distributed as dist

STEPS = 100
SAMPLES = 600
BATCH = 50


def main() -> None:
    paddle.set_device("cpu")
    dist.init_parallel_env()
    rank, world = dist.get_rank(), dist.get_world_size()
    paddle.seed(7)  # the same for all: the same weights to start from
    inputs, labels = samples()
    inputs, labels = paddle.to_tensor(inputs[rank::world]), paddle.to_tensor(labels[rank::world])
    model = paddle.DataParallel(paddle.nn.Linear(2, 1))
    optimizer = paddle.optimizer.SGD(0.5, parameters=model.parameters())
    for step in range(STEPS):
        at = slice(step * BATCH % len(inputs), step * BATCH % len(inputs) + BATCH)
        scores = model(inputs[at]).squeeze(1)
        loss = paddle.nn.functional.binary_cross_entropy_with_logits(scores, labels[at])
        loss.backward()  # DataParallel averages the gradients here
        optimizer.step()
        optimizer.clear_grad()
        if rank == 0 and (step % 20 == 0 or step == STEPS - 1):
            print(f"step={step} loss={loss.item():.4f}", flush=True)
    mine = paddle.concat([weights.flatten() for weights in model.parameters()])
    everybodys: list = []
    dist.all_gather(everybodys, mine)
    if not all(paddle.equal_all(mine, other).item() for other in everybodys):
        sys.exit("weights differ between ranks")
    print(f"[rank {rank}] done: all {world} ranks hold the same weights", flush=True)


def samples() -> tuple[np.ndarray, np.ndarray]:
    """Two clouds of points, the same for all ranks."""
    random = np.random.default_rng(7)
    labels = np.arange(SAMPLES) % 2
    inputs = random.normal(size=(SAMPLES, 2)) + 2 * labels[:, None]
    order = random.permutation(SAMPLES)
    return inputs[order].astype("float32"), labels[order].astype("float32")


if __name__ == "__main__":
    main()
