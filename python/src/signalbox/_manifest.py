"""Manifests as a program gives them: mappings, pydantic models, YAML text, or paths of files."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any, TypeAlias, cast

import yaml
from pydantic import BaseModel

from ._last_applied import without_last_applied
from ._manifest_hash import canonical_json
from ._names import LARGEST_MANIFEST_BYTES
from ._yaml import load_documents
from .errors import Fault, InvalidManifestError

Manifest: TypeAlias = "Mapping[str, Any] | BaseModel | str | PathLike[str]"
"""A mapping, a model of `signalbox.models`, YAML or JSON text, or the path of a file (`pathlib.Path`)."""

ManifestFields: TypeAlias = "dict[str, Any]"


def checked_manifest(
    given: Manifest, *, namespace: str, labels: Mapping[str, str] | None = None, strict: bool = False
) -> ManifestFields:
    """Return the manifest to submit, with its namespace and labels. Raise `InvalidManifestError` with all faults.

    It lacks the copy of itself that `kubectl apply` makes.
    """
    fields = without_last_applied(_fields_of(given))
    faults = _faults_of_names(fields)
    if faults:
        raise InvalidManifestError(faults)
    metadata: dict[str, Any] = {"namespace": namespace, **fields["metadata"]}
    if labels:
        metadata["labels"] = {**(metadata.get("labels") or {}), **labels}
    manifest = {**fields, "metadata": metadata}
    too_large = _fault_of_size(manifest)
    faults = [too_large] if too_large else _strict_faults(manifest) if strict else []
    if faults:
        raise InvalidManifestError(faults)
    return manifest


def _strict_faults(manifest: ManifestFields) -> list[Fault]:
    from ._strict import strict_faults  # noqa: PLC0415

    return strict_faults(manifest)


def plain_json(value: object, path: str = "") -> Any:
    """Return a copy of plain JSON values. Raise `InvalidManifestError` for what JSON cannot express."""
    return _plain(value, path, ())


def _fields_of(given: Manifest) -> Mapping[str, Any]:
    if isinstance(given, BaseModel):
        document: object = given.model_dump(mode="json", by_alias=True, exclude_unset=True)
    elif isinstance(given, str):
        document = _only_document(given, "(manifest)")
    elif isinstance(given, PathLike):
        document = _only_document(_text_of(Path(given)), str(given))
    else:
        document = given
    fields = plain_json(document)
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


def _plain(value: object, path: str, parents: tuple[int, ...]) -> object:
    if value is None or isinstance(value, (str, bool, int)):
        return value
    if isinstance(value, float):
        if math.isfinite(value):
            return value
        raise InvalidManifestError([Fault(path, "a finite number", str(value))])
    if id(value) in parents:
        raise InvalidManifestError([Fault(path, "a document without cycles", "an alias of what holds it")])
    inner = (*parents, id(value))
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json", by_alias=True, exclude_unset=True)
    if isinstance(value, Mapping):
        fields = cast("Mapping[object, object]", value)
        return {_key(key): _plain(part, _join(path, key), inner) for key, part in fields.items()}
    if isinstance(value, Sequence) and not isinstance(value, (bytes, bytearray)):
        items = cast("Sequence[object]", value)
        return [_plain(part, f"{path}[{index}]", inner) for index, part in enumerate(items)]
    raise InvalidManifestError([Fault(path or "(manifest)", "a value of JSON", type(value).__name__)])


def _join(path: str, key: object) -> str:
    return f"{path}.{_key(key)}" if path else _key(key)


def _key(key: object) -> str:
    return key if isinstance(key, str) else json.dumps(key, default=str)


def _faults_of_names(fields: Mapping[str, Any]) -> list[Fault]:
    metadata = _mapping(fields.get("metadata")) or {}
    faults: list[Fault] = []
    if not _is_text(fields.get("kind")):
        faults.append(_fault("kind", "a kind, e.g. PyTorchJob", fields.get("kind")))
    if not _is_text(metadata.get("name")):
        faults.append(_fault("metadata.name", "a name", metadata.get("name")))
    if "namespace" in metadata and not _is_text(metadata["namespace"]):
        faults.append(_fault("metadata.namespace", "a name", metadata["namespace"]))
    if metadata.get("labels") is not None and _mapping(metadata["labels"]) is None:
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
