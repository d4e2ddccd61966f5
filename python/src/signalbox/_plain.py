"""Copies what a program gives as a manifest into plain JSON: mappings, lists, and models of other libraries."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import cast

from pydantic import BaseModel

from .errors import Fault, InvalidManifestError

LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration"
"""The annotation in which `kubectl apply` repeats a whole manifest, with the value of every variable."""
_USERS_NAMES = frozenset(
    {
        *("annotations", "labels", "matchLabels", "nodeSelector", "limits", "requests", "overhead", "minResources"),
        *("data", "stringData", "binaryData", "options", "volumeAttributes", "parameters"),
    }
)
"""Mappings whose keys are a user's own."""

_INITIALS = {
    "host_ip": "hostIP",
    "host_ips": "hostIPs",
    "host_ipc": "hostIPC",
    "host_pid": "hostPID",
    "pod_ip": "podIP",
    "pod_ips": "podIPs",
    "set_hostname_as_fqdn": "setHostnameAsFQDN",
    "volume_id": "volumeID",
    "pd_id": "pdID",
    "disk_uri": "diskURI",
    "dataset_uuid": "datasetUUID",
    "storage_policy_id": "storagePolicyID",
    "target_wwns": "targetWWNs",
    "container_id": "containerID",
    "image_id": "imageID",
    "downward_api": "downwardAPI",
    "scale_io": "scaleIO",
}
"""Where the name of a field is not simply its words joined."""


def plain_json(value: object, path: str = "") -> object:
    """Return a copy of plain JSON values. Raise `InvalidManifestError` for what JSON cannot express."""
    return _plain(value, path, (), models=False)


def plain_manifest(value: object) -> object:
    """Return a manifest as plain JSON, with the names of Kubernetes, without null fields and `LAST_APPLIED`.

    Models of the Kubernetes client are objects with `to_dict`, which gives names in snake case and a null for each
    field that is not set.
    """
    return _of_kubernetes(_plain(value, "", (), models=True))


def _of_kubernetes(value: object) -> object:
    if isinstance(value, list):
        return [_of_kubernetes(part) for part in cast("list[object]", value)]
    if not isinstance(value, dict):
        return value
    named = {camel_case(name): part for name, part in cast("dict[str, object]", value).items()}
    fields = {name: _users_own(part) if name in _USERS_NAMES else _of_kubernetes(part) for name, part in named.items()}
    return {name: part for name, part in fields.items() if part is not None}


def camel_case(name: str) -> str:
    """Return the name of a field as Kubernetes writes it; one that already is so stays."""
    if name in _INITIALS:
        return _INITIALS[name]
    # Words that Python reserves: `_exec`, `_from`.
    return re.sub(r"(?<=.)_([a-z0-9])", lambda found: found[1].upper(), name.removeprefix("_"))


def _users_own(value: object) -> object:
    """Return a mapping whose names stay; None if it had nothing but the copy of kubectl."""
    if not isinstance(value, dict):
        return value
    fields = cast("dict[str, object]", value)
    own = {name: part for name, part in fields.items() if part is not None and name != LAST_APPLIED}
    return own if own or LAST_APPLIED not in fields else None


def _plain(given: object, path: str, parents: tuple[int, ...], *, models: bool) -> object:
    value = _of_model(given) if models else given
    if value is None or isinstance(value, (str, bool, int)):
        return value
    if isinstance(value, float):
        if math.isfinite(value):
            return value
        raise _fault(path, "a finite number", str(value))
    if id(given) in parents:
        raise _fault(path, "a document without cycles", "an alias of what holds it")
    inner = (*parents, id(given))
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json", by_alias=True, exclude_unset=True)
    if isinstance(value, Mapping):
        fields = cast("Mapping[object, object]", value)
        return {_key(key): _plain(part, _join(path, key), inner, models=models) for key, part in fields.items()}
    if isinstance(value, Sequence) and not isinstance(value, (bytes, bytearray)):
        items = cast("Sequence[object]", value)
        return [_plain(part, f"{path}[{index}]", inner, models=models) for index, part in enumerate(items)]
    raise _fault(path or "(manifest)", "a value of JSON", type(value).__name__)


def _of_model(value: object) -> object:
    """Return what a model of the Kubernetes client holds; it has times of the API server as objects."""
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, (BaseModel, Mapping)):
        return cast("object", value)
    to_dict: object = getattr(value, "to_dict", None)
    return to_dict() if callable(to_dict) else value


def _fault(path: str, expected: str, got: str) -> InvalidManifestError:
    return InvalidManifestError([Fault(path, expected, got)])


def _join(path: str, key: object) -> str:
    return f"{path}.{_key(key)}" if path else _key(key)


def _key(key: object) -> str:
    return key if isinstance(key, str) else json.dumps(key, default=str)
