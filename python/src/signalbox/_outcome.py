"""Reads the outcome of a closed run: the workflow's own result, else one derived from how Temporal closed it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timezone
from typing import TYPE_CHECKING, Any, cast

from temporalio.exceptions import ApplicationError, CancelledError, TerminatedError, TimeoutError  # noqa: A004
from temporalio.service import RPCError

from . import _names as names
from ._follow import ClosedRun, Run, closed_run_of
from ._status import ask_status
from .errors import Fault, WorkerAwayError
from .outcome import Outcome, outcome_from
from .summary import FINAL_PHASES, JobSummary, summary_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from temporalio.api.history.v1 import HistoryEvent
    from temporalio.client import Client as TemporalClient

_LAST_STATUS_SECONDS = 5.0
"""How long a worker may take to report the last state of a workflow that could not record its outcome."""


@dataclass(frozen=True)
class WorkflowEnding:
    """How Temporal closed a workflow that recorded no outcome."""

    phase: str
    reason: str | None
    message: str


async def outcome_of(temporal: TemporalClient, run: Run) -> Outcome:
    """Return the outcome of a run, which has ended or will."""
    closed = run if isinstance(run, ClosedRun) else await closed_run_of(temporal, run)
    recorded = await _recorded(temporal, closed.close)
    if recorded is not None:
        return recorded
    return await _built(temporal, closed, await _ending_of(temporal, closed.close))


async def _recorded(temporal: TemporalClient, close: HistoryEvent) -> Outcome | None:
    if close.HasField("workflow_execution_completed_event_attributes"):
        payloads = close.workflow_execution_completed_event_attributes.result.payloads
        values = await temporal.data_converter.decode(payloads) if payloads else []
        return outcome_from(values[0]) if values else None
    if close.HasField("workflow_execution_failed_event_attributes"):
        failure = close.workflow_execution_failed_event_attributes.failure
        return outcome_in(await temporal.data_converter.decode_failure(failure))
    return None


def outcome_in(cause: BaseException | None) -> Outcome | None:
    """Return the outcome that the failure of a job's workflow contains."""
    if not isinstance(cause, ApplicationError):
        return None
    first, second = (*cause.details, None, None)[:2]
    if cause.type == names.JOB_FAILED:
        return outcome_from(first)
    if cause.type == names.INVALID_MANIFEST and isinstance(second, dict):
        reason = {"reason": names.INVALID_MANIFEST, "message": _faults_in(cause)}
        return outcome_from({**cast("dict[str, Any]", second), "cause": reason})
    return None


def faults_of(details: Sequence[Any]) -> list[Fault]:
    """Return the faults that a failure of type InvalidManifest has as its first detail."""
    first: object = details[0] if details else None
    faults = cast("list[dict[str, str]]", first) if isinstance(first, list) else []
    return [Fault(fault["path"], fault["expected"], fault["got"]) for fault in faults]


def _faults_in(failure: ApplicationError) -> str:
    return "; ".join(map(str, faults_of(failure.details))) or failure.message


async def _ending_of(temporal: TemporalClient, close: HistoryEvent) -> WorkflowEnding:
    if close.HasField("workflow_execution_completed_event_attributes"):
        return WorkflowEnding("Completed", None, "")
    if close.HasField("workflow_execution_canceled_event_attributes"):
        return WorkflowEnding("Stopped", "Cancelled", "The workflow was cancelled.")
    if close.HasField("workflow_execution_terminated_event_attributes"):
        said = close.workflow_execution_terminated_event_attributes.reason
        return WorkflowEnding("Stopped", "WorkflowTerminated", said or "Workflow execution terminated")
    if close.HasField("workflow_execution_timed_out_event_attributes"):
        return WorkflowEnding("Stopped", "WorkflowTerminated", "A Temporal timeout ended it.")
    failure = close.workflow_execution_failed_event_attributes.failure
    return ending_in(await temporal.data_converter.decode_failure(failure))


def ending_in(cause: BaseException) -> WorkflowEnding:
    """Return how a workflow ended that could not record its outcome."""
    if isinstance(cause, CancelledError):
        return WorkflowEnding("Stopped", "Cancelled", "The workflow was cancelled.")
    if isinstance(cause, TerminatedError):
        return WorkflowEnding("Stopped", "WorkflowTerminated", cause.message)
    if isinstance(cause, TimeoutError):
        return WorkflowEnding("Stopped", "WorkflowTerminated", "A Temporal timeout ended it.")
    if isinstance(cause, ApplicationError) and cause.type == names.INVALID_MANIFEST:
        return WorkflowEnding("Failed", names.INVALID_MANIFEST, _faults_in(cause))
    return WorkflowEnding("Failed", "EngineFault", str(cause))


async def _built(temporal: TemporalClient, run: Run, ending: WorkflowEnding) -> Outcome:
    described = await temporal.get_workflow_handle(run.workflow_id, run_id=run.run_id).describe()
    last = await _last_status(temporal, run, summary_of(described))
    if last["phase"] in FINAL_PHASES and last["phase"] == ending.phase:
        return _checked(last)
    at = _rfc3339(described.close_time or datetime.now(timezone.utc))
    return _checked(ended(last, ending, at))


def ended(last: dict[str, Any], ending: WorkflowEnding, at: str) -> dict[str, Any]:
    """Return the last known status of a job as its outcome."""
    phase, message = ending.phase, ending.message
    entry = {"at": at, "phase": phase, "state": phase, "attempt": last["attempt"], "cause": message or phase}
    cause = {"reason": ending.reason, "message": message} if ending.reason else None
    return {
        **{key: value for key, value in last.items() if key != "cause"},
        **({"cause": cause} if cause else {}),
        "phase": phase,
        "state": phase,
        "since": at,
        "completionTime": last.get("completionTime") or at,
        "replicaStatuses": _without_active(last["replicaStatuses"]),
        "timeline": [*last["timeline"], entry],
    }


def _without_active(statuses: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """An ended job whose pods are deleted has no active ones."""
    active = {"active", "pending", "starting", "running"}
    return {
        role: {key: count for key, count in counts.items() if key not in active} for role, counts in statuses.items()
    }


async def _last_status(temporal: TemporalClient, run: Run, summary: JobSummary) -> dict[str, Any]:
    """A cancelled or terminated workflow still answers queries if a worker can replay it."""
    try:
        status = await ask_status(temporal, run, _LAST_STATUS_SECONDS)
        return status.model_dump(mode="json", by_alias=True, exclude_unset=True)
    except (WorkerAwayError, RPCError):
        return unknown_status(summary)


def unknown_status(summary: JobSummary) -> dict[str, Any]:
    """Return the status of a job of which only the summary is known."""
    return {
        "kind": summary.kind,
        "name": summary.name,
        "namespace": summary.namespace,
        "phase": "Pending",
        "state": "Pending",
        "attempt": summary.attempt,
        "restarts": 0,
        "startTime": _rfc3339(summary.start_time),
        "conditions": [],
        "replicaStatuses": {},
        "warnings": [],
        "timeline": [],
    }


def _checked(value: dict[str, Any]) -> Outcome:
    outcome = outcome_from(value)
    if outcome is None:
        raise TypeError(f"expected an outcome, got a job that is {value['phase']}")
    return outcome


def _rfc3339(time: datetime) -> str:
    return time.astimezone(timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")
