"""Parts of manifests that all kinds share."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping


def metadata_of(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the metadata of a job, with its settings as annotations."""
    policy = options.get("policy")
    policy_text = None if policy is None else json.dumps(policy, ensure_ascii=False, separators=(",", ":"))
    annotations = given(
        {
            **(options.get("annotations") or {}),
            # JSON is YAML.
            "signalbox.dev/policy": policy_text,
            "signalbox.dev/gang": options.get("gang"),
        }
    )
    labels = dict(options["labels"]) if options.get("labels") else None
    named = {"name": options["name"], "namespace": options.get("namespace"), "labels": labels}
    return given({**named, "annotations": annotations or None})


def run_policy_of(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the runPolicy as a part of spec; empty if no option belongs there."""
    policy = given(
        {
            "cleanPodPolicy": options.get("clean_pod_policy"),
            "ttlSecondsAfterFinished": options.get("ttl_seconds"),
            "activeDeadlineSeconds": options.get("deadline_seconds"),
            "backoffLimit": failure_rules(options)[1],
            "suspend": options.get("suspend"),
        }
    )
    return {"runPolicy": policy} if policy else {}


_RESTARTS = 3
"""Restarts of a job that is to survive failures, unless `backoff_limit` or `restart_policy` says otherwise."""


def failure_rules(options: Mapping[str, Any]) -> tuple[str, int | None]:
    """Return restartPolicy and backoffLimit.

    A program that crashes must not be restarted for ever, as the original operators do by default: the caller of a
    builder waits for an outcome. Failures are retried where an option asks for that: a number of restarts, elastic
    nodes, or a policy of restarts.
    """
    limit: int | None = options.get("backoff_limit")
    if options.get("restart_policy") is not None:
        return options["restart_policy"], limit
    is_retried = bool(limit) or bool(options.get("elastic")) or "restart" in (options.get("policy") or {})
    if is_retried:
        return "OnFailure", _RESTARTS if limit is None else limit
    return "Never", limit


def role_of(options: Mapping[str, Any], container: str, replicas: int) -> dict[str, Any]:
    """Return a role whose pods all run the same."""
    restart = {"restartPolicy": failure_rules(options)[0]}
    return {"replicas": replicas, **restart, "template": pod_template(options, container)}


def pod_template(options: Mapping[str, Any], container: str) -> dict[str, Any]:
    """Return a pod with one container, of the name that the kind looks for."""
    volumes = _volumes_of(options)
    selector = dict(options["node_selector"]) if options.get("node_selector") else None
    spec = {
        "nodeSelector": selector,
        "containers": [_container_of(options, container, [mount for _, mount in volumes])],
        "volumes": [volume for volume, _ in volumes] or None,
    }
    return {"spec": given(spec)}


def given(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Remove fields that are not set."""
    return {name: value for name, value in fields.items() if value is not None}


def _container_of(options: Mapping[str, Any], name: str, mounts: list[dict[str, Any]]) -> dict[str, Any]:
    command, args = options.get("command"), options.get("args")
    env: Mapping[str, str] = options.get("env") or {}
    return given(
        {
            "name": name,
            "image": options["image"],
            "command": None if command is None else list(command),
            "args": None if args is None else list(args),
            "env": [{"name": variable, "value": value} for variable, value in env.items()] or None,
            "resources": _resources_of(options) or None,
            "volumeMounts": mounts or None,
        }
    )


def _resources_of(options: Mapping[str, Any]) -> dict[str, Any]:
    """CPUs have no limit: a limit slows a program down even on an idle node."""
    gpus = options.get("gpus_per_node") or None
    limits = given({"memory": options.get("memory"), options.get("gpu_resource") or "nvidia.com/gpu": gpus})
    requests = {**given({"cpu": options.get("cpu")}), **limits}
    return given({"requests": requests or None, "limits": limits or None})


def _volumes_of(options: Mapping[str, Any]) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    claims: Mapping[str, str] = options.get("volumes") or {}
    # A claim's name may be longer than that of a volume, or taken by /dev/shm.
    mounted = [
        (
            {"name": f"volume-{index}", "persistentVolumeClaim": {"claimName": claim}},
            {"name": f"volume-{index}", "mountPath": path},
        )
        for index, (claim, path) in enumerate(claims.items())
    ]
    if options.get("shm") is None:
        return mounted
    memory = {"name": "shm", "emptyDir": {"medium": "Memory", "sizeLimit": options["shm"]}}
    return [*mounted, (memory, {"name": "shm", "mountPath": "/dev/shm"})]  # noqa: S108
