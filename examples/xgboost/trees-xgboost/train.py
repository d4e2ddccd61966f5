"""Distributed training of trees with xgboost: each process has a part of the data, and all end with the same model.

The rendezvous is what an XGBoostJob injects: xgboost's tracker runs beside rank 0, at MASTER_ADDR and MASTER_PORT.
"""

import hashlib
import os
import socket
import sys
import time
from threading import Thread

import numpy as np
import xgboost
from xgboost import collective
from xgboost.tracker import RabitTracker

ROUNDS = 20
SAMPLES = 600


def main() -> None:
    rank, world = int(os.environ["RANK"]), int(os.environ["WORLD_SIZE"])
    address = resolve(os.environ["MASTER_ADDR"])
    port = int(os.environ["MASTER_PORT"])
    if rank == 0:
        tracker = RabitTracker(n_workers=world, host_ip=address, port=port)
        tracker.start()
        Thread(target=tracker.wait_for, daemon=True).start()
    with collective.CommunicatorContext(
        dmlc_communicator="rabit",
        dmlc_tracker_uri=address,
        dmlc_tracker_port=port,
        dmlc_task_id=str(rank),
        dmlc_retry=30,
    ):
        train(collective.get_rank(), world)


def train(rank: int, world: int) -> None:
    inputs, labels = samples()
    part = xgboost.DMatrix(inputs[rank::world], label=labels[rank::world])
    history: dict = {}
    model = xgboost.train(
        {"objective": "binary:logistic", "max_depth": 3, "tree_method": "hist", "nthread": 1},
        part,
        num_boost_round=ROUNDS,
        evals=[(part, "train")],
        evals_result=history,
        verbose_eval=False,
    )
    if rank == 0:
        for number, loss in enumerate(history["train"]["logloss"]):
            print(f"round={number} loss={loss:.4f}", flush=True)
    mine = np.frombuffer(hashlib.sha256(model.save_raw()).digest(), dtype=np.uint8).astype(np.float64)
    if not np.array_equal(collective.allreduce(mine, collective.Op.MAX), mine):
        sys.exit("models differ between processes")
    print(f"[rank {rank}] done: all {world} processes hold the same model", flush=True)


def resolve(name: str) -> str:
    """Names appear when their pods do."""
    until = time.monotonic() + 60
    while True:
        try:
            return socket.gethostbyname(name)
        except OSError:
            if time.monotonic() > until:
                raise
            time.sleep(0.1)


def samples() -> tuple[np.ndarray, np.ndarray]:
    """Points in and around a circle, the same for all processes."""
    inputs = np.random.default_rng(7).normal(size=(SAMPLES, 2))
    return inputs, ((inputs**2).sum(axis=1) < 1.4).astype(float)


if __name__ == "__main__":
    main()
