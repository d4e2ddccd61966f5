"""Lists and counts jobs in Temporal's visibility store."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from temporalio.service import RPCError

from . import _names as names
from ._search import quoted
from ._temporal import is_about_search_attributes
from .summary import FINAL_PHASES, PHASES, JobSummary, summary_of

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping
    from datetime import datetime

    from temporalio.client import Client as TemporalClient

_OF_JOBS = f"WorkflowType = {quoted(names.TRAINING_JOB)} AND ExecutionStatus != 'ContinuedAsNew'"
_MOST_IN_A_PAGE = 500


def _no_labels() -> Mapping[str, str]:
    return {}


@dataclass(frozen=True)
class JobFilter:
    """Which jobs to list. What is not given matches every job."""

    namespace: str | None = None
    name: str | None = None
    kind: str | None = None
    phase: str | None = None
    reason: str | None = None
    submitted_by: str | None = None
    labels: Mapping[str, str] = field(default_factory=_no_labels)
    since: datetime | None = None
    """Started at this time or later."""
    until: datetime | None = None
    """Started before this time."""

    def matches(self, job: JobSummary) -> bool:
        """Filter what the query lets through: jobs without search attributes, and ids of a wrong namespace."""
        wanted = (
            (self.namespace, job.namespace),
            (self.name, job.name),
            (self.kind, job.kind),
            (self.phase, job.phase),
            (self.reason, job.reason),
            (self.submitted_by, job.submitted_by),
        )
        has_labels = self.labels.items() <= job.labels.items()
        return has_labels and all(one is None or one == other for one, other in wanted)


async def list_jobs(temporal: TemporalClient, chosen: JobFilter, limit: int | None) -> AsyncIterator[JobSummary]:
    """Yield live jobs first, then ended ones, newest first in each group, as the visibility store sorts them."""
    given = 0
    if limit is not None and limit < 1:
        return
    async for job in _found(temporal, chosen, limit):
        if not chosen.matches(job):
            continue
        yield job
        given += 1
        if given == limit:
            return


async def count_jobs(temporal: TemporalClient, chosen: JobFilter) -> dict[str, int]:
    """Return the number of jobs by phase; phases without a job are left out."""
    counts: dict[str, int] = dict.fromkeys(PHASES, 0)
    async for job in list_jobs(temporal, chosen, None):
        counts[job.phase] += 1
    return {phase: count for phase, count in counts.items() if count}


async def _found(temporal: TemporalClient, chosen: JobFilter, limit: int | None) -> AsyncIterator[JobSummary]:
    page_size = min(limit or _MOST_IN_A_PAGE, _MOST_IN_A_PAGE)
    try:
        async for info in temporal.list_workflows(query_for(chosen), page_size=page_size):
            yield summary_of(info)
    except RPCError as error:
        if not is_about_search_attributes(error):
            raise
        # The first worker registers the search attributes, so there was no worker yet.
        async for info in temporal.list_workflows(_OF_JOBS, page_size=page_size):
            yield summary_of(info)


def query_for(chosen: JobFilter) -> str:
    """Return the query of Temporal's visibility store."""
    clauses = [_OF_JOBS]
    if chosen.namespace is not None:
        clauses.append(_namespace_clause(chosen.namespace))
    if chosen.phase is not None:
        clauses.extend(_phase_clauses(chosen.phase))
    equal = {
        names.JOB_NAME: chosen.name,
        names.JOB_KIND: chosen.kind,
        names.JOB_SUBMITTED_BY: chosen.submitted_by,
    }
    clauses.extend(f"{key.name} = {quoted(value)}" for key, value in equal.items() if value is not None)
    if chosen.reason is not None:
        clauses.append(_reason_clause(chosen.reason))
    clauses.extend(f"{names.JOB_LABELS.name} = {quoted(f'{key}={value}')}" for key, value in chosen.labels.items())
    if chosen.since is not None:
        clauses.append(f"StartTime >= {quoted(chosen.since.astimezone().isoformat())}")
    if chosen.until is not None:
        clauses.append(f"StartTime < {quoted(chosen.until.astimezone().isoformat())}")
    return " AND ".join(clauses)


def _namespace_clause(namespace: str) -> str:
    """A job that ended before a worker saw it may show its namespace only in its workflow id."""
    by_id = f"WorkflowId STARTS_WITH {quoted(f'job/{namespace}/')}"
    return f"({names.JOB_NAMESPACE.name} = {quoted(namespace)} OR {by_id})"


def _phase_clauses(phase: str) -> list[str]:
    """A terminated workflow keeps its last recorded phase, so Temporal's own status must match too."""
    recorded = f"{names.JOB_PHASE.name} = {quoted(phase)}"
    if phase == "Stopped":
        return [f"({recorded} OR ExecutionStatus IN ('Terminated', 'Canceled', 'TimedOut'))"]
    if phase == "Failed":
        return [f"({recorded} OR ExecutionStatus = 'Failed')"]
    return [recorded] if phase in FINAL_PHASES else [recorded, "ExecutionStatus = 'Running'"]


def _reason_clause(reason: str) -> str:
    """Temporal, not the workflow, records that a workflow was terminated, timed out or cancelled."""
    recorded = f"{names.JOB_REASON.name} = {quoted(reason)}"
    statuses = {"WorkflowTerminated": "('Terminated', 'TimedOut')", "Cancelled": "('Canceled')"}.get(reason)
    return f"({recorded} OR ExecutionStatus IN {statuses})" if statuses else recorded
