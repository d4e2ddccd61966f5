"""What the visibility store knows about a job. Reading it needs no worker."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime
from typing import TypeVar

from pydantic import Field
from temporalio.client import WorkflowExecution, WorkflowExecutionStatus
from temporalio.common import SearchAttributeKey

from . import _names as names
from ._rpc import Answer

T = TypeVar("T", str, int, Sequence[str])

PHASES = names.PHASES
FINAL_PHASES = names.FINAL_PHASES


class JobSummary(Answer):
    """One job in a list."""

    workflow_id: str
    run_id: str
    kind: str
    name: str
    namespace: str
    phase: str
    reason: str | None = None
    attempt: int
    submitted_by: str | None = None
    labels: dict[str, str] = Field(default={})
    error_line: str | None = None
    """Of a job that has Failed: what its logs say of it, without what looks like a secret."""
    start_time: datetime
    end_time: datetime | None = None

    @property
    def has_ended(self) -> bool:
        """Whether the job is Completed, Failed or Stopped."""
        return self.phase in FINAL_PHASES


_BY_TEMPORAL = {
    WorkflowExecutionStatus.COMPLETED: ("Completed", None),
    WorkflowExecutionStatus.FAILED: ("Failed", None),
    WorkflowExecutionStatus.CANCELED: ("Stopped", "Cancelled"),
    WorkflowExecutionStatus.TERMINATED: ("Stopped", "WorkflowTerminated"),
    WorkflowExecutionStatus.TIMED_OUT: ("Stopped", "WorkflowTerminated"),
}
"""Phase and reason of a workflow that could not record its outcome."""


def summary_of(info: WorkflowExecution) -> JobSummary:
    """Return the summary of a workflow as Temporal describes or lists it."""
    named = re.fullmatch(r"job/([^/]+)/([^/]+)", info.id)
    phase, reason = _get(info, names.JOB_PHASE), _get(info, names.JOB_REASON)
    ended = _BY_TEMPORAL.get(info.status) if info.status else None
    if ended and phase not in FINAL_PHASES:
        # The last recorded reason does not explain why Temporal closed the workflow.
        phase, reason = ended[0], ended[1] or reason
    return JobSummary(
        workflow_id=info.id,
        run_id=info.run_id,
        kind=_get(info, names.JOB_KIND) or "unknown",
        name=_get(info, names.JOB_NAME) or (named[2] if named else info.id),
        namespace=_get(info, names.JOB_NAMESPACE) or (named[1] if named else ""),
        phase=phase if phase in PHASES else "Pending",
        reason=reason,
        attempt=_get(info, names.JOB_ATTEMPT) or 0,
        submitted_by=_get(info, names.JOB_SUBMITTED_BY),
        labels=dict(pair.split("=", 1) for pair in _get(info, names.JOB_LABELS) or () if "=" in pair),
        start_time=info.start_time,
        end_time=info.close_time,
    )


async def told_summary_of(info: WorkflowExecution) -> JobSummary:
    """Return the summary, of a failed job with what its logs say."""
    summary = summary_of(info)
    line = (await info.memo()).get(names.MEMO_ERROR) if summary.phase == "Failed" else None
    return summary.model_copy(update={"error_line": line}) if isinstance(line, str) else summary


def _get(info: WorkflowExecution, key: SearchAttributeKey[T]) -> T | None:
    return info.typed_search_attributes.get(key)
