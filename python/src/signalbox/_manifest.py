"""Manifests as a program gives them: mappings, pydantic models, YAML text, or paths of files."""

from __future__ import annotations

import hashlib
import json
import secrets
from collections.abc import Callable, Mapping
from os import PathLike
from pathlib import Path
from typing import Any, Protocol, TypeAlias, cast

import yaml
from pydantic import BaseModel

from ._manifest_hash import canonical_json
from ._names import LARGEST_MANIFEST_BYTES
from ._plain import plain_manifest
from ._yaml import load_documents
from .errors import Fault, InvalidManifestError


class KubernetesModel(Protocol):
    """A model of the Kubernetes client, or of one that is made like it."""

    def to_dict(self) -> dict[str, Any]:
        """Return its fields; names may be in snake case."""
        ...


Manifest: TypeAlias = "Mapping[str, Any] | BaseModel | KubernetesModel | str | PathLike[str]"
"""A mapping, a model of `signalbox.models` or of the Kubernetes client, YAML or JSON text, or the path of a file."""

ManifestFields: TypeAlias = "dict[str, Any]"


def checked_manifest(
    given: Manifest,
    *,
    namespace: str,
    named: Callable[[Mapping[str, Any]], dict[str, Any]] = dict,
    labels: Mapping[str, str] | None = None,
) -> ManifestFields:
    """Return the manifest to submit, with its namespace and labels. Raise `InvalidManifestError` with all faults.

    `named` returns the metadata with the name of the job.
    """
    fields = manifest_fields(given)
    own = named(_mapping(fields.get("metadata")) or {})
    faults = _faults_of_names(fields, own)
    if faults:
        raise InvalidManifestError(faults)
    metadata: dict[str, Any] = {"namespace": namespace, **own}
    if labels:
        metadata["labels"] = {**metadata.get("labels", {}), **labels}
    manifest = {**fields, "metadata": metadata}
    too_large = _fault_of_size(manifest)
    if too_large:
        raise InvalidManifestError([too_large])
    return manifest


def manifest_fields(given: Manifest) -> Mapping[str, Any]:
    """Return a manifest as fields, unchecked: the engine checks what it plans with."""
    document: object = given
    if isinstance(given, str):
        document = _only_document(given, "(manifest)")
    elif isinstance(given, PathLike):
        document = _only_document(_text_of(Path(given)), str(given))
    fields = plain_manifest(document)
    if not isinstance(fields, dict):
        raise InvalidManifestError([_fault("(manifest)", "an object", fields)])
    return cast("Mapping[str, Any]", fields)


def _text_of(path: Path) -> str:
    try:
        return path.read_text("utf-8")
    except UnicodeDecodeError as error:
        raise InvalidManifestError([Fault(str(path), "text in UTF-8", str(error))]) from error


def _only_document(text: str, source: str) -> object:
    try:
        documents = load_documents(text)
    except yaml.YAMLError as error:
        raise InvalidManifestError([Fault(source, "YAML or JSON", " ".join(str(error).split()))]) from error
    if len(documents) == 1:
        return documents[0]
    raise InvalidManifestError([Fault(source, "one document", f"{len(documents)} documents")])


def _faults_of_names(fields: Mapping[str, Any], metadata: Mapping[str, Any]) -> list[Fault]:
    faults: list[Fault] = []
    if not _is_text(fields.get("apiVersion")):
        faults.append(_fault("apiVersion", "the API version of its kind", fields.get("apiVersion")))
    if not _is_text(fields.get("kind")):
        faults.append(_fault("kind", "a kind, e.g. PyTorchJob", fields.get("kind")))
    if not _is_text(metadata.get("name")):
        also = " (a workflow makes none of generateName)" if "generateName" in metadata else ""
        faults.append(_fault("metadata.name", f"a name{also}", metadata.get("name")))
    if "namespace" in metadata and not _is_text(metadata["namespace"]):
        faults.append(_fault("metadata.namespace", "a name", metadata["namespace"]))
    if "labels" in metadata and _mapping(metadata["labels"]) is None:
        faults.append(_fault("metadata.labels", "an object", metadata["labels"]))
    return faults


def _fault_of_size(manifest: ManifestFields) -> Fault | None:
    size = len(canonical_json(manifest).encode())
    if size <= LARGEST_MANIFEST_BYTES:
        return None
    advice = "data and long scripts belong in a ConfigMap, a volume or the image"
    expected = f"at most {LARGEST_MANIFEST_BYTES:,} bytes as JSON ({advice})"
    return Fault("(manifest)", expected, f"{size:,} bytes")


def _mapping(value: object) -> Mapping[str, Any] | None:
    return cast("Mapping[str, Any]", value) if isinstance(value, Mapping) else None


def _is_text(value: object) -> bool:
    return isinstance(value, str) and value != ""


def _fault(path: str, expected: str, value: object) -> Fault:
    return Fault(path, expected, "nothing" if value is None else json.dumps(value))


_LETTERS = "bcdfghjklmnpqrstvwxz2456789"
"""Those of Kubernetes' generated names."""
_LENGTH = 8


def with_generated_name(metadata: Mapping[str, Any], key: str | None) -> dict[str, Any]:
    """Return metadata with a name that begins with its generateName, if it has no name.

    With a key the name follows from the key: a program that is restarted finds its job again.
    """
    prefix = _prefix_of(metadata)
    if prefix is None:
        return dict(metadata)
    values = secrets.token_bytes(_LENGTH) if key is None else hashlib.sha256(key.encode()).digest()
    ending = "".join(_LETTERS[value % len(_LETTERS)] for value in values[:_LENGTH])
    rest = {field: value for field, value in metadata.items() if field != "generateName"}
    return {**rest, "name": f"{prefix}{ending}"}


def with_own_name(metadata: Mapping[str, Any]) -> dict[str, Any]:
    """Return metadata of one of several manifests with one key, from which all generated names would follow."""
    if _prefix_of(metadata) is None:
        return dict(metadata)
    raise InvalidManifestError([Fault("metadata.name", "a name, as several jobs have this key", "a generateName")])


def _prefix_of(metadata: Mapping[str, Any]) -> str | None:
    """Return the beginning of a generated name, if the job gets one."""
    prefix = metadata.get("generateName")
    return prefix if isinstance(prefix, str) and prefix and not metadata.get("name") else None
