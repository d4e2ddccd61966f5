"""Builds TFJobs, XGBoostJobs, JAXJobs and PaddleJobs of kubeflow.org/v1."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from typing_extensions import Required, Unpack

from ._options import JobOptions
from ._parts import given, metadata_of, role_of, run_policy_of
from ._rules import JOB_RULES, Rule, check_options, integer, one_of

_NODES: Mapping[str, Rule] = {**JOB_RULES, "nodes": integer(1)}
_NEEDED = ("name", "image", "nodes")


class NodesOptions(JobOptions, total=False):
    """Options of kinds whose size is one number."""

    nodes: Required[int]
    """Pods that train."""


class PaddleJobOptions(NodesOptions, total=False):
    """Options of `paddle_job`."""

    parameter_servers: int | None
    """Pods that hold the parameters, without GPUs; default: 0."""


class TFJobOptions(PaddleJobOptions, total=False):
    """Options of `tf_job`."""

    evaluators: int | None
    """Pods that evaluate, beside those that train; default: 0."""
    success_policy: Literal["AllWorkers"] | None
    """AllWorkers: every Worker must succeed; default: the Chief, or else the first Worker."""


def tf_job(**options: Unpack[TFJobOptions]) -> dict[str, Any]:
    """Return the manifest of a TFJob: with more than one node, one Chief, and Workers for the rest.

    Raises `InvalidManifestError` with all options that are wrong.
    """
    rules = {"parameter_servers": integer(0), "evaluators": integer(0), "success_policy": one_of("AllWorkers")}
    check_options(options, {**_NODES, **rules}, _NEEDED)
    nodes, servers = options["nodes"], options.get("parameter_servers") or 0
    evaluators = options.get("evaluators") or 0
    roles = {
        "Chief": role_of(options, "tensorflow", 1) if nodes > 1 else None,
        "Worker": role_of(options, "tensorflow", max(nodes - 1, 1)),
        "PS": role_of({**options, "gpus_per_node": 0}, "tensorflow", servers) if servers else None,
        "Evaluator": role_of(options, "tensorflow", evaluators) if evaluators else None,
    }
    success = given({"successPolicy": options.get("success_policy")})
    return _job("TFJob", options, {**success, "tfReplicaSpecs": given(roles)})


def xgboost_job(**options: Unpack[NodesOptions]) -> dict[str, Any]:
    """Return the manifest of an XGBoostJob, which also runs LightGBM: one Master, and Workers for the rest.

    Raises `InvalidManifestError` with all options that are wrong.
    """
    check_options(options, _NODES, _NEEDED)
    nodes = options["nodes"]
    workers = role_of(options, "xgboost", nodes - 1) if nodes > 1 else None
    roles = {"Master": role_of(options, "xgboost", 1), "Worker": workers}
    return _job("XGBoostJob", options, {"xgbReplicaSpecs": given(roles)})


def jax_job(**options: Unpack[NodesOptions]) -> dict[str, Any]:
    """Return the manifest of a JAXJob: all pods are Workers; the first one coordinates.

    Raises `InvalidManifestError` with all options that are wrong.
    """
    check_options(options, _NODES, _NEEDED)
    return _job("JAXJob", options, {"jaxReplicaSpecs": {"Worker": role_of(options, "jax", options["nodes"])}})


def paddle_job(**options: Unpack[PaddleJobOptions]) -> dict[str, Any]:
    """Return the manifest of a PaddleJob: pods that train are Workers, parameter servers are Masters.

    Raises `InvalidManifestError` with all options that are wrong.
    """
    check_options(options, {**_NODES, "parameter_servers": integer(0)}, _NEEDED)
    servers = options.get("parameter_servers") or 0
    roles = {
        "Master": role_of({**options, "gpus_per_node": 0}, "paddle", servers) if servers else None,
        "Worker": role_of(options, "paddle", options["nodes"]),
    }
    return _job("PaddleJob", options, {"paddleReplicaSpecs": given(roles)})


def _job(kind: str, options: Mapping[str, Any], spec: dict[str, Any]) -> dict[str, Any]:
    return {
        "apiVersion": "kubeflow.org/v1",
        "kind": kind,
        "metadata": metadata_of(options),
        "spec": {**run_policy_of(options), **spec},
    }
