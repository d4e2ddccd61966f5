"""The connection to the cluster. Needs the extra `kubernetes`."""

from __future__ import annotations

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
            "This installation of signalbox cannot read logs.",
            remedy="Install the extra: pip install 'signalbox[kubernetes]'.",
        ) from error
    try:
        if kubeconfig is None and context is None:
            config.load_config()
            return client.CoreV1Api()
        return client.CoreV1Api(config.new_client_from_config(kubeconfig, context))
    except config.ConfigException as error:
        raise RefusedError(f"The kubeconfig cannot be used: {error}.") from error
