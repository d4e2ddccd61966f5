"""Lists and counts jobs in Temporal's visibility store."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator

from temporalio.client import Client as TemporalClient
from temporalio.service import RPCError

from . import _names as names
from ._options import FilterOptions
from ._search import quoted
from ._temporal import is_about_search_attributes
from .summary import FINAL_PHASES, PHASES, JobSummary, summary_of

_OF_JOBS = f"WorkflowType = {quoted(names.TRAINING_JOB)} AND ExecutionStatus != 'ContinuedAsNew'"
_MOST_IN_A_PAGE = 500


async def list_jobs(temporal: TemporalClient, chosen: FilterOptions, limit: int | None) -> AsyncIterator[JobSummary]:
    """Yield live jobs first, then ended ones, newest first in each group, as the visibility store sorts them."""
    left = float("inf") if limit is None else limit
    if left < 1:
        return
    async for job in _found(temporal, chosen, limit):
        if not _matches(job, chosen):
            continue
        yield job
        left -= 1
        if left < 1:
            return


async def count_jobs(temporal: TemporalClient, chosen: FilterOptions) -> dict[str, int]:
    """Return the number of jobs by phase; phases without a job are left out."""
    counts = Counter([job.phase async for job in list_jobs(temporal, chosen, None)])
    return {phase: counts[phase] for phase in PHASES if counts[phase]}


async def _found(temporal: TemporalClient, chosen: FilterOptions, limit: int | None) -> AsyncIterator[JobSummary]:
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


def _matches(job: JobSummary, chosen: FilterOptions) -> bool:
    """Filter what the query lets through: jobs without search attributes, and ids of a wrong namespace."""
    equal = {"namespace", "name", "kind", "phase", "reason", "submitted_by"}
    has_fields = all(getattr(job, field) == value for field, value in chosen.items() if field in equal and value)
    return has_fields and (chosen.get("labels") or {}).items() <= job.labels.items()


def query_for(chosen: FilterOptions) -> str:
    """Return the query of Temporal's visibility store."""
    clauses = [_OF_JOBS]
    if namespace := chosen.get("namespace"):
        # A job that ended before a worker saw it may show its namespace only in its workflow id.
        by_id = f"WorkflowId STARTS_WITH {quoted(f'job/{namespace}/')}"
        clauses.append(f"({names.JOB_NAMESPACE.name} = {quoted(namespace)} OR {by_id})")
    if phase := chosen.get("phase"):
        clauses.extend(_phase_clauses(phase))
    equal = {
        names.JOB_NAME: chosen.get("name"),
        names.JOB_KIND: chosen.get("kind"),
        names.JOB_SUBMITTED_BY: chosen.get("submitted_by"),
    }
    clauses.extend(f"{key.name} = {quoted(value)}" for key, value in equal.items() if value)
    if reason := chosen.get("reason"):
        clauses.append(_reason_clause(reason))
    labels = chosen.get("labels") or {}
    clauses.extend(f"{names.JOB_LABELS.name} = {quoted(f'{key}={value}')}" for key, value in labels.items())
    if since := chosen.get("since"):
        clauses.append(f"StartTime >= {quoted(since.astimezone().isoformat())}")
    if until := chosen.get("until"):
        clauses.append(f"StartTime < {quoted(until.astimezone().isoformat())}")
    return " AND ".join(clauses)


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
