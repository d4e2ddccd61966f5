"""Copies what a program gives as a manifest into plain JSON: mappings, lists, and models of other libraries."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import cast

from pydantic import BaseModel

from ._camel_case import camel_case, keeps_names
from .errors import Fault, InvalidManifestError


def plain_json(value: object, path: str = "") -> object:
    """Return a copy of plain JSON values. Raise `InvalidManifestError` for what JSON cannot express."""
    return _plain(value, path, (), models=False)


def plain_manifest(value: object) -> object:
    """Return a manifest as plain JSON, with the names of Kubernetes and without null fields.

    Models of the Kubernetes client are objects with `to_dict`, which gives names in snake case and a null for each
    field that is not set.
    """
    return _of_kubernetes(_plain(value, "", (), models=True))


def _of_kubernetes(value: object) -> object:
    if isinstance(value, list):
        return [_of_kubernetes(part) for part in cast("list[object]", value)]
    if not isinstance(value, dict):
        return value
    fields = {key: part for key, part in cast("dict[str, object]", value).items() if part is not None}
    return {
        camel_case(key): _without_nulls(part) if keeps_names(key) else _of_kubernetes(part)
        for key, part in fields.items()
    }


def _without_nulls(value: object) -> object:
    """Return a mapping of a user's own names as it is."""
    if not isinstance(value, dict):
        return value
    return {key: part for key, part in cast("dict[str, object]", value).items() if part is not None}


def _plain(given: object, path: str, parents: tuple[int, ...], *, models: bool) -> object:
    value = _of_model(given) if models else given
    if value is None or isinstance(value, (str, bool, int)):
        return value
    if isinstance(value, float):
        if math.isfinite(value):
            return value
        raise InvalidManifestError([Fault(path, "a finite number", str(value))])
    if id(given) in parents:
        raise InvalidManifestError([Fault(path, "a document without cycles", "an alias of what holds it")])
    inner = (*parents, id(given))
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json", by_alias=True, exclude_unset=True)
    if isinstance(value, Mapping):
        fields = cast("Mapping[object, object]", value)
        return {_key(key): _plain(part, _join(path, key), inner, models=models) for key, part in fields.items()}
    if isinstance(value, Sequence) and not isinstance(value, (bytes, bytearray)):
        items = cast("Sequence[object]", value)
        return [_plain(part, f"{path}[{index}]", inner, models=models) for index, part in enumerate(items)]
    raise InvalidManifestError([Fault(path or "(manifest)", "a value of JSON", type(value).__name__)])


def _of_model(value: object) -> object:
    """Return what a model of the Kubernetes client holds; it has times of the API server as objects."""
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, (BaseModel, Mapping)):
        return cast("object", value)
    to_dict: object = getattr(value, "to_dict", None)
    return to_dict() if callable(to_dict) else value


def _join(path: str, key: object) -> str:
    return f"{path}.{_key(key)}" if path else _key(key)


def _key(key: object) -> str:
    return key if isinstance(key, str) else json.dumps(key, default=str)
