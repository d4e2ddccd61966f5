"""Names of Kubernetes' fields: models of its Python client have them in snake case."""

from __future__ import annotations

import re

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


def camel_case(name: str) -> str:
    """Return the name of a field as Kubernetes writes it; one that already is so stays."""
    if name in _INITIALS:
        return _INITIALS[name]
    # Words that Python reserves: `_exec`, `_from`.
    return re.sub(r"(?<=.)_([a-z0-9])", lambda found: found[1].upper(), name.removeprefix("_"))


def keeps_names(name: str) -> bool:
    """Return whether the keys below this field are a user's own."""
    return camel_case(name) in _USERS_NAMES
