"""Builds PaddleJobs of batch.paddlepaddle.org/v1."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from typing_extensions import Required, Unpack

from ._options import PodOptions
from ._parts import given, metadata_of, pod_template
from ._rules import POD_RULES, Rule, check_options, integer, one_of

_RULES: Mapping[str, Rule] = {
    **POD_RULES,
    "nodes": integer(1),
    "parameter_servers": integer(0),
    "intranet": one_of("PodIP", "Service", "Host"),
    "restart_policy": one_of("Always", "OnFailure", "Never"),
    "clean_pod_policy": one_of("Always", "Never", "OnFailure", "OnCompletion"),
}


class PaddleOperatorJobOptions(PodOptions, total=False):
    """Options of `paddle_operator_job`."""

    nodes: Required[int]
    """Pods that train: the role worker."""
    parameter_servers: int | None
    """Pods that hold the parameters, the role ps, without GPUs; default: 0."""
    intranet: Literal["PodIP", "Service", "Host"] | None
    """How pods reach each other: by address, by the names of their Services, or on the host network."""
    restart_policy: Literal["Always", "OnFailure", "Never"] | None
    """Which failures the kubelet retries; default: Never, so that a crash ends the job."""
    clean_pod_policy: Literal["Always", "Never", "OnFailure", "OnCompletion"] | None
    """At which end pods are removed; default: OnCompletion."""


def paddle_operator_job(**options: Unpack[PaddleOperatorJobOptions]) -> dict[str, Any]:
    """Return the manifest of a PaddleJob of batch.paddlepaddle.org.

    Raises `InvalidManifestError` with all options that are wrong.
    """
    check_options(options, _RULES, ("name", "image", "nodes"))
    servers = options.get("parameter_servers") or 0
    settings = {"cleanPodPolicy": options.get("clean_pod_policy"), "intranet": options.get("intranet")}
    roles = {
        "ps": _role_of({**options, "gpus_per_node": 0}, servers) if servers else None,
        "worker": _role_of(options, options["nodes"]),
    }
    return {
        "apiVersion": "batch.paddlepaddle.org/v1",
        "kind": "PaddleJob",
        "metadata": metadata_of(options),
        "spec": given({**settings, **roles}),
    }


def _role_of(options: Mapping[str, Any], replicas: int) -> dict[str, Any]:
    restart = {"restartPolicy": options.get("restart_policy") or "Never"}
    return {"replicas": replicas, "template": {"spec": {**restart, **pod_template(options, "paddle")["spec"]}}}
