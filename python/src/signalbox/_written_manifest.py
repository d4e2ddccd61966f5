"""What a user wrote of a manifest, as contracts/written-manifest.ts of the engine has it."""

from __future__ import annotations

from typing import Any

from ._fields import fields_of
from ._last_applied import LAST_APPLIED

# What programs write into metadata.
_WRITTEN = frozenset(
    {
        LAST_APPLIED,
        *(
            f"signalbox.dev/{name}"
            for name in (
                *("workflow-id", "first-run-id", "cluster-id", "phase", "kind", "main-container", "main-pod"),
                *("host-list", "watch", "expires-at", "clean-up", "milestones", "deciding-pod", "ending"),
                *("digest", "asked", "checkpoint", "requested-by", "interrupted-streams", "services"),
            )
        ),
    }
)


def written_manifest(manifest: Any) -> Any:
    """Return a manifest without a status, and without what an API server or a program added to its metadata."""
    fields = fields_of(manifest)
    if not fields:
        return manifest
    written = {key: value for key, value in fields.items() if key != "status"}
    metadata = fields_of(written.get("metadata"))
    return {**written, "metadata": _written_metadata(metadata)} if metadata else written


def _written_metadata(metadata: Any) -> dict[str, Any]:
    annotations = {key: value for key, value in fields_of(metadata.get("annotations")).items() if key not in _WRITTEN}
    kept = {key: metadata[key] for key in ("name", "namespace", "labels") if metadata.get(key) is not None}
    return {**kept, **({"annotations": annotations} if annotations else {})}
