"""The last status on record, for when no worker answers."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any

from ._cluster import connect_cluster
from ._fields import fields_of
from ._log_pods import Anchor
from ._outcome import unknown_status
from .known_status import KnownStatus
from .summary import summary_of

if TYPE_CHECKING:
    from temporalio.client import WorkflowExecutionDescription

    from .summary import JobSummary

_LOAD_SECONDS = 10.0
"""How long the library for Kubernetes and the credentials may take to load."""
_ANSWER_SECONDS = 3.0
"""How long the cluster has to answer."""


async def recorded_status(
    described: WorkflowExecutionDescription, kubeconfig: str | None, context: str | None
) -> KnownStatus:
    """Return what the job's anchor has, else what Temporal has. Needs no worker."""
    summary = summary_of(described)
    known = {
        **unknown_status(summary),
        "phase": summary.phase,
        "state": summary.phase,
        "attempt": max(summary.attempt, 1),
        "recordedIn": "temporal",
    }
    first_run_id = described.raw_description.workflow_execution_info.first_run_id or described.run_id
    try:
        api = await asyncio.wait_for(asyncio.to_thread(connect_cluster, kubeconfig, context), _LOAD_SECONDS)
        reading = asyncio.to_thread(_status_on_anchor, api, summary, first_run_id)
        on_anchor = await asyncio.wait_for(reading, _ANSWER_SECONDS)
    except Exception:  # noqa: BLE001 - without the cluster, Temporal has the phase
        on_anchor = None
    if on_anchor:
        known |= {**on_anchor, "recordedIn": "anchor"}
    return KnownStatus.model_validate(known)


def _status_on_anchor(api: Any, summary: JobSummary, first_run_id: str) -> dict[str, Any] | None:
    """Return None if the anchor is another job's, or has no status yet."""
    found = api.read_namespaced_config_map(
        f"{summary.name}.signalbox", summary.namespace, _request_timeout=_ANSWER_SECONDS
    )
    text = fields_of(found.data).get("status")
    if text is None or Anchor.of(found).first_run_id != first_run_id:
        return None
    return fields_of(json.loads(text))
