"""Settings: from arguments, else from the environment variables that the command line reads too (docs/settings.md)."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from temporalio.service import TLSConfig

from .errors import SettingsError

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True)
class EvidenceFiles:
    """Evidence of failed pods in a directory."""

    directory: Path


@dataclass(frozen=True)
class EvidenceBucket:
    """Evidence of failed pods in a bucket of S3 or of a compatible server. Credentials: as in all S3 tools."""

    bucket: str
    prefix: str = ""
    region: str | None = None
    endpoint: str | None = None


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
    env = os.environ
    origin = "address" if address else "TEMPORAL_ADDRESS"
    found = address or _first(env, "SIGNALBOX_TEMPORAL_ADDRESS", "TEMPORAL_ADDRESS") or "localhost:7233"
    if not re.fullmatch(r"[^\s/:]+:\d{1,5}|\[[0-9a-fA-F:]+\]:\d{1,5}", found):
        raise SettingsError(f"{origin}: expected host:port, got {found!r}")
    key = api_key or _first(env, "TEMPORAL_API_KEY")
    return ConnectionSettings(
        address=found,
        namespace=namespace or _first(env, "SIGNALBOX_TEMPORAL_NAMESPACE", "TEMPORAL_NAMESPACE") or "default",
        api_key=key,
        tls=tls if tls is not None else _tls_from(env) or key is not None,
    )


def variable(name: str) -> str | None:
    """Return the value of an environment variable; None if it is empty or not set."""
    return os.environ.get(name) or None


def evidence_settings() -> EvidenceFiles | EvidenceBucket:
    """Return where workers store evidence, according to the environment."""
    env = os.environ
    if _first(env, "SIGNALBOX_EVIDENCE_STORE") != "s3":
        directory = _first(env, "SIGNALBOX_EVIDENCE_DIR")
        return EvidenceFiles(Path(directory) if directory else _default_directory(env))
    bucket = _first(env, "SIGNALBOX_EVIDENCE_BUCKET")
    if bucket is None:
        raise SettingsError("SIGNALBOX_EVIDENCE_BUCKET: expected the name of a bucket, got none")
    return EvidenceBucket(
        bucket,
        prefix=_first(env, "SIGNALBOX_EVIDENCE_PREFIX") or "",
        region=_first(env, "SIGNALBOX_EVIDENCE_REGION"),
        endpoint=_first(env, "SIGNALBOX_EVIDENCE_ENDPOINT"),
    )


def archive_directory() -> str:
    """Return where workers archive jobs, according to the environment."""
    store = _first(os.environ, "SIGNALBOX_ARCHIVE_STORE") or "files"
    if store != "files":
        raise SettingsError(f"SIGNALBOX_ARCHIVE_STORE: expected files, got {store}; buckets are not read here")
    return _first(os.environ, "SIGNALBOX_ARCHIVE_DIR") or str(_default_directory(os.environ, "archive"))


def _default_directory(env: Mapping[str, str], name: str = "evidence") -> Path:
    state = env.get("XDG_STATE_HOME")
    return (Path(state) if state else Path.home() / ".local" / "state") / "signalbox" / name


def _tls_from(env: Mapping[str, str]) -> TLSConfig | bool:
    ca = _first(env, "TEMPORAL_TLS_SERVER_CA_CERT_PATH", "TEMPORAL_TLS_CA")
    certificate = _first(env, "TEMPORAL_TLS_CLIENT_CERT_PATH", "TEMPORAL_TLS_CERT")
    key = _first(env, "TEMPORAL_TLS_CLIENT_KEY_PATH", "TEMPORAL_TLS_KEY")
    if (certificate is None) != (key is None):
        pair = "TEMPORAL_TLS_CLIENT_CERT_PATH and TEMPORAL_TLS_CLIENT_KEY_PATH"
        raise SettingsError(f"{pair}: expected both or none, got one")
    if ca or certificate:
        return TLSConfig(
            server_root_ca_cert=_content(ca),
            client_cert=_content(certificate),
            client_private_key=_content(key),
        )
    return _switch(env, "TEMPORAL_TLS")


def _switch(env: Mapping[str, str], name: str) -> bool:
    text = env.get(name) or "false"
    if text not in {"true", "1", "false", "0"}:
        raise SettingsError(f"{name}: expected true or false, got {text!r}")
    return text in {"true", "1"}


def _content(path: str | None) -> bytes | None:
    if path is None:
        return None
    try:
        return Path(path).read_bytes()
    except OSError as error:
        raise SettingsError(f"{path}: expected a file that can be read: {error.strerror}") from error


def _first(env: Mapping[str, str], *names: str) -> str | None:
    return next((env[name] for name in names if env.get(name)), None)
