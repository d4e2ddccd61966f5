"""Search attributes: what a job is found by in Temporal's visibility store."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Mapping
from typing import Any

from temporalio.common import SearchAttributePair, TypedSearchAttributes

from . import _names as names

_LONGEST_KEYWORD = 255
_LONGEST_LIST = 2_000
"""Temporal limits the value of a search attribute to 2 KiB, as JSON."""


def attributes_at_start(manifest: Mapping[str, Any], submitted_by: str) -> TypedSearchAttributes:
    """Return the attributes of a job that no worker has seen yet, so that lists show it."""
    metadata = manifest["metadata"]
    labels = searchable_labels(manifest)
    return TypedSearchAttributes(
        [
            SearchAttributePair(names.JOB_KIND, manifest["kind"]),
            SearchAttributePair(names.JOB_NAME, metadata["name"]),
            SearchAttributePair(names.JOB_NAMESPACE, metadata["namespace"]),
            SearchAttributePair(names.JOB_PHASE, "Pending"),
            SearchAttributePair(names.JOB_ATTEMPT, 1),
            SearchAttributePair(names.JOB_SUBMITTED_BY, searchable_text(submitted_by)),
            *([SearchAttributePair(names.JOB_LABELS, labels)] if labels else []),
        ]
    )


def searchable_text(text: str) -> str:
    """Return a text as a keyword: SQL stores have no control characters, and columns of 255."""
    return "".join(part for part in text if unicodedata.category(part) != "Cc")[:_LONGEST_KEYWORD]


def searchable_labels(manifest: Mapping[str, Any]) -> list[str]:
    """Return `key=value` for each label of the manifest, sorted, without what a visibility store would refuse."""
    labels: Mapping[str, Any] = manifest["metadata"].get("labels") or {}
    pairs = sorted(f"{key}={value}" for key, value in labels.items() if isinstance(value, str))
    length = 0
    fitting: list[str] = []
    for pair in pairs:
        if pair != searchable_text(pair):
            continue
        length += len(json.dumps(pair, ensure_ascii=False).encode()) + 1
        if length <= _LONGEST_LIST:
            fitting.append(pair)
    return fitting


def quoted(value: str) -> str:
    """Quote a value in a query of the visibility store."""
    escaped = value.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"
