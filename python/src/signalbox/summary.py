"""What the visibility store knows about a job. Reading it needs no worker."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, TypeVar

from temporalio.client import WorkflowExecution, WorkflowExecutionStatus

from . import _names as names

if TYPE_CHECKING:
    from collections.abc import Sequence

    from temporalio.common import SearchAttributeKey

T = TypeVar("T", str, int, "Sequence[str]")

PHASES = names.PHASES
FINAL_PHASES = names.FINAL_PHASES


@dataclass(frozen=True)
class JobSummary:
    """One job in a list."""

    workflow_id: str
    run_id: str
    kind: str
    name: str
    namespace: str
    phase: str
    reason: str | None
    attempt: int
    submitted_by: str | None
    labels: dict[str, str]
    start_time: datetime
    end_time: datetime | None

    @property
    def has_ended(self) -> bool:
        """Whether the job is Completed, Failed or Stopped."""
        return self.phase in FINAL_PHASES


_ENDED_BY_TEMPORAL = {
    WorkflowExecutionStatus.CANCELED: "Cancelled",
    WorkflowExecutionStatus.TERMINATED: "WorkflowTerminated",
    WorkflowExecutionStatus.TIMED_OUT: "WorkflowTerminated",
}


def summary_of(info: WorkflowExecution) -> JobSummary:
    """Return the summary of a workflow as Temporal describes or lists it."""
    named = re.fullmatch(r"job/([^/]+)/([^/]+)", info.id)
    recorded = _get(info, names.JOB_PHASE) or ""
    phase = _phase_of(info.status, recorded)
    return JobSummary(
        workflow_id=info.id,
        run_id=info.run_id,
        kind=_get(info, names.JOB_KIND) or "unknown",
        name=_get(info, names.JOB_NAME) or (named[2] if named else info.id),
        namespace=_get(info, names.JOB_NAMESPACE) or (named[1] if named else ""),
        phase=phase,
        reason=_reason_of(info.status, recorded) or _get(info, names.JOB_REASON),
        attempt=_get(info, names.JOB_ATTEMPT) or 0,
        submitted_by=_get(info, names.JOB_SUBMITTED_BY),
        labels=dict(pair.split("=", 1) for pair in _get(info, names.JOB_LABELS) or () if "=" in pair),
        start_time=info.start_time,
        end_time=info.close_time,
    )


def _get(info: WorkflowExecution, key: SearchAttributeKey[T]) -> T | None:
    return info.typed_search_attributes.get(key)


def _reason_of(status: WorkflowExecutionStatus | None, recorded: str) -> str | None:
    """The last recorded reason does not explain why Temporal closed the workflow."""
    return None if recorded in FINAL_PHASES or status is None else _ENDED_BY_TEMPORAL.get(status)


def _phase_of(status: WorkflowExecutionStatus | None, recorded: str) -> str:
    """A terminated workflow could not record its outcome, so use Temporal's status."""
    if recorded in FINAL_PHASES:
        return recorded
    if status is WorkflowExecutionStatus.COMPLETED:
        return "Completed"
    if status is WorkflowExecutionStatus.FAILED:
        return "Failed"
    if status in _ENDED_BY_TEMPORAL:
        return "Stopped"
    return recorded if recorded in PHASES else "Pending"
