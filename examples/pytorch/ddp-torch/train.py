"""Data-parallel training with torch: DistributedDataParallel over gloo, on CPUs.

The rendezvous is `env://`: MASTER_ADDR, MASTER_PORT, RANK and WORLD_SIZE, as a PyTorchJob injects them.
"""

import argparse
import signal
import sys
import time
from datetime import timedelta

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel

SAMPLES = 600
BATCH = 32


def main() -> None:
    options = parse_options()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    dist.init_process_group("gloo", init_method="env://", timeout=timedelta(seconds=60))
    rank, world = dist.get_rank(), dist.get_world_size()
    torch.manual_seed(options.seed)  # the same for all: the same data
    inputs, labels = half_moons()
    inputs, labels = inputs[rank::world], labels[rank::world]
    model = DistributedDataParallel(nn.Sequential(nn.Linear(2, 16), nn.Tanh(), nn.Linear(16, 1)))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.15, momentum=0.9)
    for step in range(options.steps):
        if step == options.fail_at_step and rank == options.fail_rank:
            print(f"[rank {rank}] fails at step {step}, as it was told to", flush=True)
            sys.exit(3)
        at = torch.arange(step * BATCH, (step + 1) * BATCH) % len(inputs)
        scores = model(inputs[at]).squeeze(1)
        loss = nn.functional.binary_cross_entropy_with_logits(scores, labels[at])
        optimizer.zero_grad()
        loss.backward()  # DistributedDataParallel averages the gradients here
        optimizer.step()
        if rank == 0 and (step % 20 == 0 or step == options.steps - 1):
            accuracy = ((scores > 0) == (labels[at] > 0.5)).float().mean()
            print(f"step={step} loss={loss.item():.4f} accuracy={accuracy.item():.2f}", flush=True)
        time.sleep(options.step_millis / 1000)
    assert_equal_weights(model, world)
    print(f"[rank {rank}] done: all {world} ranks hold the same weights", flush=True)
    dist.destroy_process_group()


def half_moons() -> tuple[torch.Tensor, torch.Tensor]:
    """Two half moons that grip into each other: no straight line parts them."""
    labels = (torch.arange(SAMPLES) % 2).float()
    angles = torch.rand(SAMPLES) * torch.pi
    first = torch.stack([angles.cos(), angles.sin()], 1)
    second = torch.stack([1 - angles.cos(), 0.5 - angles.sin()], 1)
    inputs = torch.where(labels.unsqueeze(1) == 0, first, second)
    return inputs + (torch.rand(SAMPLES, 2) - 0.5) * 0.2, labels


def assert_equal_weights(model: nn.Module, world: int) -> None:
    mine = torch.cat([weights.detach().flatten() for weights in model.parameters()])
    everybodys = [torch.empty_like(mine) for _ in range(world)]
    dist.all_gather(everybodys, mine)
    if not all(torch.equal(mine, other) for other in everybodys):
        sys.exit("weights differ between ranks")


def parse_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=200)
    parser.add_argument("--step-millis", type=int, default=20)
    parser.add_argument("--fail-at-step", type=int, default=-1)
    parser.add_argument("--fail-rank", type=int, default=0)
    parser.add_argument("--seed", type=int, default=7)
    return parser.parse_args()


if __name__ == "__main__":
    main()
