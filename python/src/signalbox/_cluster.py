"""The connection to the cluster. Needs the extra `kubernetes`."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any

from .errors import RefusedError


def connect_cluster(kubeconfig: str | None, context: str | None) -> Any:
    """Return kubernetes.client.CoreV1Api. Raise `RefusedError` without the extra or a kubeconfig."""
    try:
        client: Any = import_module("kubernetes.client")
        config: Any = import_module("kubernetes.config")
    except ImportError as error:
        raise RefusedError(
            "This installation of signalbox cannot reach the cluster.",
            remedy="Install the extra: pip install 'signalbox[kubernetes]'.",
        ) from error
    try:
        if kubeconfig is None and context is None:
            config.load_config()
            return client.CoreV1Api()
        return client.CoreV1Api(config.new_client_from_config(kubeconfig, context))
    except config.ConfigException as error:
        raise RefusedError(f"The kubeconfig cannot be used: {error}.") from error


_CONFLICT = 409


def patch_config_map(api: Any, plan: Mapping[str, Any], *, retries: bool) -> bool:
    """Send a merge patch that the engine has planned. Return False if another client has written meanwhile.

    Raise `RefusedError` if the cluster refuses it or, without `retries`, if another client has written.
    """
    exceptions: Any = import_module("kubernetes.client.exceptions")
    namespace, name = plan["namespace"], plan["name"]
    try:
        api.patch_namespaced_config_map(name, namespace, plan["patch"])
    except exceptions.ApiException as error:
        if error.status == _CONFLICT and retries:
            return False
        raise RefusedError(
            f"The cluster refused to change ConfigMap {namespace}/{name}: {error.status} {error.reason}.",
            remedy="This program needs the right to patch that ConfigMap.",
        ) from error
    return True
