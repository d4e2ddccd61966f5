"""Builds manifests from the table of kinds, as client/manifests/builders/build-manifest.ts does."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from copy import deepcopy
from typing import Any, TypeAlias, cast

from ._check_options import check_options

Fields: TypeAlias = Mapping[str, Any]


def build_manifest(kind: Fields, common: Fields, options: Fields) -> dict[str, Any]:
    """Return the manifest that a kind of the table makes of options: of common ones and its own.

    Raises `InvalidManifestError` with all options that are wrong.
    """
    known: Fields = {**common, **kind["options"]}
    given = {name: value for name, value in options.items() if value is not None}
    check_options(given, known)
    defaults = {name: option["default"] for name, option in known.items() if "default" in option}
    values: Fields = {**defaults, **given, **(_restarts_of(kind, given) if kind["is_of_kubeflow"] else {})}
    parts = _written(known, values)
    manifest = {"apiVersion": kind["apiVersion"], "kind": kind["kind"], "metadata": parts["metadata"]}
    manifest["spec"] = parts.get("spec", {})
    for role in kind["roles"]:
        own = {**values, "restart_policy": given.get("restart_policy")} if "has_own_restarts" in role else values
        if not _has_role(role, values):
            continue
        if kind.get("roles_are") == "patches":
            _put(manifest, kind["roles_at"], _patch_of(role, known, own))
            continue
        made = _role_of(role, known, own)
        if kind.get("roles_are") == "list":
            _put(manifest, kind["roles_at"], [{"name": role["name"], **made}])
        else:
            _put(manifest, [*kind["roles_at"], role["name"]], made)
    return manifest


_RESTARTS = 3
"""Restarts of a job that is to survive failures, unless `backoff_limit` or `restart_policy` says otherwise."""


def _restarts_of(kind: Fields, given: Fields) -> Fields:
    """A crash ends the job, unless an option asks for restarts: a number, elastic nodes, or a policy of restarts."""
    limit = given.get("backoff_limit")
    if "restart_policy" in given:
        return {}
    if limit or "elastic" in given or "restart" in given.get("policy", {}):
        return {"restart_policy": "OnFailure", "backoff_limit": _RESTARTS if limit is None else limit}
    never = kind.get("backoff_limit_of_never")
    return {"restart_policy": "Never", "backoff_limit": never if limit is None else limit}


def _has_role(role: Fields, values: Fields) -> bool:
    is_wanted = role.get("only_with", "name") in values and role.get("unless", "") not in values
    return is_wanted and _count_of(role["replicas"], values) > 0


def _count_of(replicas: Fields, values: Fields) -> int:
    count: int = max(values.get(replicas.get("of", ""), 0) - replicas.get("less", 0), replicas.get("least", 0))
    return min(count, int(replicas.get("most", count)))


def _role_of(role: Fields, known: Fields, values: Fields) -> Fields:
    """Return a role whose pods have one container, of the name that the kind looks for."""
    parts = _written(known, {name: value for name, value in values.items() if name not in role.get("without", [])})
    spec = {**parts.get("pod", {}), "containers": [{"name": role["container"], **parts["container"]}]}
    return {"replicas": _count_of(role["replicas"], values), **parts.get("role", {}), "template": {"spec": spec}}


def _patch_of(role: Fields, known: Fields, values: Fields) -> list[Fields] | None:
    """Return what a runtime's replicated job of that name gets; None if that is nothing."""
    parts = _written(known, values)
    if "pod" not in parts and "container" not in parts:
        return None
    containers = [{"name": role["container"], **parts["container"]}] if "container" in parts else None
    spec = {**parts.get("pod", {}), **({"containers": containers} if containers else {})}
    jobs = [{"name": role["name"], "template": {"spec": {"template": {"spec": spec}}}}]
    return [{"manager": _PATCHED_BY, "trainingRuntimeSpec": {"template": {"spec": {"replicatedJobs": jobs}}}}]


_PATCHED_BY = "signalbox.dev/builder"


def _written(known: Fields, values: Fields) -> dict[str, Any]:
    parts: dict[str, Any] = {}
    _write(parts, known, values)
    return parts


def _write(parts: dict[str, Any], known: Fields, values: Fields) -> None:
    """Put each value at its places."""
    for name, option in known.items():
        value = values.get(name)
        if value is None:
            continue
        for place in option.get("at", []):
            _put(parts, place["path"], _form_of(place, value, values))
        _write(parts, option.get("fields", {}), value)


def _put(tree: dict[str, Any], path: list[str], value: Any) -> None:
    """Put a value at a path; add it to a list or to fields that are there."""
    if value is None:
        return
    for step in path[:-1]:
        tree = tree.setdefault(step, {})
    before = tree.get(path[-1])
    if before is None:
        tree[path[-1]] = value
    else:
        tree[path[-1]] = before + value if type(value) is list else {**before, **value}


def _form_of(place: Fields, value: Any, values: Fields) -> object:
    if "value" in place:
        return None if value is False else deepcopy(place["value"])
    if "form" in place:
        return _FORMS[place["form"]](value, values)
    if isinstance(value, Mapping):
        return dict(cast("Fields", value))
    return list(cast("list[object]", value)) if isinstance(value, (list, tuple)) else value


_FORMS: Mapping[str, Callable[[Any, Fields], object]] = {
    "json": lambda value, _: json.dumps(value, ensure_ascii=False, separators=(",", ":")),
    "oneMore": lambda value, _: value + 1,
    "variables": lambda value, _: [{"name": name, "value": text} for name, text in value.items()] or None,
    # A claim's name may be longer than that of a volume, or taken by /dev/shm.
    "claims": lambda value, _: (
        [
            {"name": f"volume-{index}", "persistentVolumeClaim": {"claimName": claim}}
            for index, claim in enumerate(value)
        ]
        or None
    ),
    "mounts": lambda value, _: (
        [{"name": f"volume-{index}", "mountPath": path} for index, path in enumerate(value.values())] or None
    ),
    "memory": lambda value, _: [{"name": "shm", "emptyDir": {"medium": "Memory", "sizeLimit": value}}],
    "gpus": lambda value, values: {values.get("gpu_resource", "nvidia.com/gpu"): value} if value else None,
}
