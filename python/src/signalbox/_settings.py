"""Settings: from arguments, else from the environment variables that the command line reads too (docs/settings.md)."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path

from temporalio.service import TLSConfig

from .errors import SettingsError


@dataclass(frozen=True)
class ConnectionSettings:
    """How to reach Temporal."""

    address: str
    namespace: str
    api_key: str | None
    tls: TLSConfig | bool


def connection_settings(
    address: str | None,
    namespace: str | None,
    api_key: str | None,
    tls: TLSConfig | bool | None,  # noqa: FBT001
) -> ConnectionSettings:
    """Return the effective settings. Raise `SettingsError` with the name of the wrong one."""
    origin = "address" if address else "TEMPORAL_ADDRESS"
    found = address or variable("TEMPORAL_ADDRESS") or "localhost:7233"
    if not re.fullmatch(r"[^\s/:]+:[0-9]{1,5}|\[[0-9a-fA-F:]+\]:[0-9]{1,5}", found):
        raise SettingsError(f"{origin}: expected host:port, got {found!r}")
    key = api_key or variable("TEMPORAL_API_KEY")
    return ConnectionSettings(
        address=found,
        namespace=namespace or variable("TEMPORAL_NAMESPACE") or "default",
        api_key=key,
        tls=tls if tls is not None else _tls_from_environment() or key is not None,
    )


def variable(name: str) -> str | None:
    """Return the value of an environment variable; None if it is empty or not set."""
    return os.environ.get(name) or None


def _tls_from_environment() -> TLSConfig | bool:
    ca = variable("TEMPORAL_TLS_SERVER_CA_CERT_PATH")
    certificate = variable("TEMPORAL_TLS_CLIENT_CERT_PATH")
    key = variable("TEMPORAL_TLS_CLIENT_KEY_PATH")
    if (certificate is None) != (key is None):
        pair = "TEMPORAL_TLS_CLIENT_CERT_PATH and TEMPORAL_TLS_CLIENT_KEY_PATH"
        raise SettingsError(f"{pair}: expected both or none, got one")
    name = variable("TEMPORAL_TLS_SERVER_NAME")
    if ca or certificate or name:
        return TLSConfig(_content(ca), name, client_cert=_content(certificate), client_private_key=_content(key))
    text = variable("TEMPORAL_TLS") or "false"
    if text not in {"true", "1", "false", "0"}:
        raise SettingsError(f"TEMPORAL_TLS: expected true or false, got {text!r}")
    return text in {"true", "1"}


def _content(path: str | None) -> bytes | None:
    if path is None:
        return None
    try:
        return Path(path).read_bytes()
    except OSError as error:
        raise SettingsError(f"{path}: expected a file that can be read: {error.strerror}") from error
