"""Asks a job's workflow for its status, through a worker; without one, what was recorded last."""

from __future__ import annotations

import asyncio
import json
from datetime import timedelta
from typing import Any

from temporalio.client import Client as TemporalClient
from temporalio.client import WorkflowExecutionDescription, WorkflowQueryFailedError
from temporalio.service import RPCError, RPCStatusCode

from . import _names as names
from ._cluster import connect_cluster
from ._follow import Run
from ._log_pods import Anchor
from ._temporal import first_run_of
from .errors import WorkerAwayError
from .outcome import KnownStatus
from .summary import JobSummary, summary_of

_WORKER_LIMIT = timedelta(seconds=10)
"""How long a worker has to answer."""
_LOAD_SECONDS = 10.0
"""How long the library for Kubernetes and the credentials may take to load."""
_CLUSTER_SECONDS = 3.0
"""How long the cluster has to answer."""
# Temporal returns these if no worker has polled for a while, took the query in time, or knows the query.
_UNANSWERED = frozenset({RPCStatusCode.FAILED_PRECONDITION, RPCStatusCode.DEADLINE_EXCEEDED, RPCStatusCode.CANCELLED})


async def ask_status(temporal: TemporalClient, run: Run) -> KnownStatus:
    """Return the status. Raise `WorkerAwayError` if no worker answers in time."""
    handle: Any = temporal.get_workflow_handle(run.workflow_id, run_id=run.run_id)
    try:
        answer = await handle.query(names.STATUS_QUERY, rpc_timeout=_WORKER_LIMIT)
    except WorkflowQueryFailedError as error:
        raise WorkerAwayError(run.workflow_id) from error
    except RPCError as error:
        if error.status in _UNANSWERED:
            raise WorkerAwayError(run.workflow_id) from error
        raise
    return KnownStatus.model_validate(answer)


async def status_if_answered(temporal: TemporalClient, run: Run) -> KnownStatus | None:
    """Return the status; None if no worker answers in time."""
    try:
        return await ask_status(temporal, run)
    except WorkerAwayError:
        return None


async def recorded_status(
    described: WorkflowExecutionDescription, kubeconfig: str | None, context: str | None
) -> KnownStatus:
    """Return what the job's anchor has, else what Temporal has. Needs no worker."""
    summary = summary_of(described)
    try:
        api = await asyncio.wait_for(asyncio.to_thread(connect_cluster, kubeconfig, context), _LOAD_SECONDS)
        reading = asyncio.to_thread(_status_on_anchor, api, summary, first_run_of(described))
        on_anchor = await asyncio.wait_for(reading, _CLUSTER_SECONDS)
    except Exception:  # noqa: BLE001 - without the cluster, Temporal has the phase
        on_anchor = {}
    recorded = {"recordedIn": "anchor" if on_anchor else "temporal"}
    return KnownStatus.model_validate({**_status_in_temporal(summary), **on_anchor, **recorded})


def _status_on_anchor(api: Any, summary: JobSummary, first_run_id: str) -> dict[str, Any]:
    """Return nothing if the anchor is another job's, or has no status yet."""
    found = api.read_namespaced_config_map(
        f"{summary.name}.signalbox", summary.namespace, _request_timeout=_CLUSTER_SECONDS
    )
    data: dict[str, str] = found.data or {}
    text = data.get("status")
    if text is None or Anchor.of(found).first_run_id != first_run_id:
        return {}
    status: dict[str, Any] = json.loads(text)
    return status


def _status_in_temporal(summary: JobSummary) -> dict[str, Any]:
    return {
        "kind": summary.kind,
        "name": summary.name,
        "namespace": summary.namespace,
        "phase": summary.phase,
        "state": summary.phase,
        "attempt": max(summary.attempt, 1),
        "startTime": summary.start_time.isoformat(),
        "completionTime": summary.end_time and summary.end_time.isoformat(),
        "restarts": 0,
        "conditions": [],
        "replicaStatuses": {},
        "warnings": [],
        "timeline": [],
    }
