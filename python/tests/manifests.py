"""Manifests for tests: small jobs on simulated nodes."""

from __future__ import annotations

from typing import Any


def pytorch(name: str, *, ends: str | None = "succeeded", workers: int = 2, image: str = "train:1") -> dict[str, Any]:
    """Return a PyTorchJob whose pods end by themselves, or run on if `ends` is None."""
    role = {
        "restartPolicy": "Never",
        "template": {
            "metadata": {"annotations": {"signalbox.dev/simulate": ends} if ends else {}},
            "spec": {
                "nodeSelector": {"signalbox.dev/node": "simulated"},
                "terminationGracePeriodSeconds": 1,
                "containers": [{"name": "pytorch", "image": image, "command": ["train"]}],
            },
        },
    }
    specs = {"Master": {"replicas": 1, **role}, "Worker": {"replicas": workers, **role}}
    return {
        "apiVersion": "kubeflow.org/v1",
        "kind": "PyTorchJob",
        "metadata": {"name": name},
        "spec": {"pytorchReplicaSpecs": specs},
    }
