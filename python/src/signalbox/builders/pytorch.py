"""Builds PyTorchJobs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, cast

from typing_extensions import Required, Unpack

from ._options import Elastic, JobOptions
from ._parts import given, metadata_of, role_of, run_policy_of
from ._rules import JOB_RULES, Rule, check_options, integer, is_integer


class PyTorchJobOptions(JobOptions, total=False):
    """Options of `pytorch_job`."""

    nodes: Required[int]
    """Pods: one Master, and Workers for the rest."""
    processes_per_node: int | Literal["auto", "cpu", "gpu"] | None
    """Processes that torchrun starts in each pod; default: auto, one for each GPU."""
    elastic: Elastic | None
    """Lets the number of pods change while the job runs. Then all pods are Workers, and `nodes` of them start."""


def pytorch_job(**options: Unpack[PyTorchJobOptions]) -> dict[str, Any]:
    """Return the manifest of a PyTorchJob. Raise `InvalidManifestError` with all options that are wrong.

    ```python
    manifest = pytorch_job(
        name="resnet", image="registry.example/resnet:1", command=["torchrun", "train.py"], nodes=4, gpus_per_node=8
    )
    ```
    """
    check_options(options, _RULES, ("name", "image", "nodes"))
    return {
        "apiVersion": "kubeflow.org/v1",
        "kind": "PyTorchJob",
        "metadata": metadata_of(options),
        "spec": {
            **run_policy_of(options),
            **given({"nprocPerNode": options.get("processes_per_node")}),
            **_elastic_policy_of(options.get("elastic")),
            "pytorchReplicaSpecs": _roles_of(options),
        },
    }


def _is_elastic(value: Any) -> bool:
    limits: Mapping[str, Any] = cast("Mapping[str, Any]", value) if isinstance(value, Mapping) else {}
    least = limits.get("min_nodes")
    return is_integer(least, 1) and is_integer(limits.get("max_nodes"), int(least or 1))


def _is_process_count(value: Any) -> bool:
    return is_integer(value, 1) or value in ("auto", "cpu", "gpu")


_RULES: Mapping[str, Rule] = {
    **JOB_RULES,
    "nodes": integer(1),
    "processes_per_node": ("an integer >= 1, auto, cpu or gpu", _is_process_count),
    "elastic": ("min_nodes and max_nodes, both integers, with 1 <= min_nodes <= max_nodes", _is_elastic),
}


def _roles_of(options: PyTorchJobOptions) -> dict[str, Any]:
    nodes = options["nodes"]
    if options.get("elastic"):
        return {"Worker": role_of(options, "pytorch", nodes)}
    workers = {"Worker": role_of(options, "pytorch", nodes - 1)} if nodes > 1 else {}
    return {"Master": role_of(options, "pytorch", 1), **workers}


def _elastic_policy_of(elastic: Elastic | None) -> dict[str, Any]:
    if not elastic:
        return {}
    restarts = given({"maxRestarts": elastic.get("max_restarts")})
    return {"elasticPolicy": {"minReplicas": elastic["min_nodes"], "maxReplicas": elastic["max_nodes"], **restarts}}
