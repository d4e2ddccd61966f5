"""Finds one of several jobs that had a name: `-1` is the one before the newest, else the beginning of a run id."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol, TypeVar

from temporalio.client import WorkflowExecutionStatus
from temporalio.service import RPCError

from . import _names as names
from ._search import quoted
from ._temporal import find_workflow, is_about_search_attributes
from .errors import AmbiguousRunError, JobNotFoundError, KnownJob, RefusedError, error_of
from .summary import summary_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from temporalio.client import Client as TemporalClient
    from temporalio.client import WorkflowExecution, WorkflowExecutionDescription

_RUN = re.compile(r"-[1-9]\d{0,5}|[0-9a-f][0-9a-f-]{5,35}")
_EXPECTED = "-1 for the job before the newest, -2 for the one before that, or at least 6 characters of a run id"
_MOST_RUNS = 1_000
_MOST_DESCRIBED = 100


class OfName(Protocol):
    """A job among others of its name."""

    @property
    def run_ids(self) -> Sequence[str]:
        """All that are known."""
        ...


J = TypeVar("J", bound=OfName)


def check_run(run: str) -> None:
    """Raise `RefusedError` for a text that means no run."""
    if not _RUN.fullmatch(run):
        raise RefusedError(f"run: expected {_EXPECTED}, got {run!r}.")


def jobs_meant(jobs: Sequence[J], run: str) -> Sequence[J]:
    """Return the jobs that `run` may mean, at best one. The jobs are those of the name, the newest first."""
    if run.startswith("-"):
        return jobs[-int(run) :][:1]
    return [job for job in jobs if any(one.startswith(run) for one in job.run_ids)]


_MOST_NAMED = 5


def ambiguous_run(workflow_id: str, run: str, known: Sequence[KnownJob]) -> AmbiguousRunError:
    """Return the error of a run that several jobs may have."""
    remedy = f"Write more of the run id: {_named(known)}."
    message = f"{workflow_id}@{run} may be one of {len(known)} jobs."
    return AmbiguousRunError(message, remedy=remedy, workflow_id=workflow_id, known=tuple(known))


def no_such_run(error: JobNotFoundError, run: str, known: Sequence[KnownJob]) -> JobNotFoundError:
    """Return the error of a run that no job of the name has."""
    message = error.message.replace(error.workflow_id, f"{error.workflow_id}@{run}", 1)
    remedy = f"Of that name there is {_named(known)}. {error.remedy}" if known else error.remedy
    details = {"remedy": remedy, "workflow_id": error.workflow_id}
    found = error_of(JobNotFoundError.code, message, [details])
    assert isinstance(found, JobNotFoundError)  # noqa: S101
    found.known = tuple(known)
    return found


def _named(jobs: Sequence[KnownJob]) -> str:
    texts = [f"run {job.run_ids[0]} ({job.phase}, submitted {job.start_time.isoformat()})" for job in jobs]
    more = [f"and {len(jobs) - _MOST_NAMED} older"] if len(jobs) > _MOST_NAMED else []
    return ", ".join([*texts[:_MOST_NAMED], *more])


@dataclass(frozen=True)
class JobOfName(KnownJob):
    """A job with the id of its workflow."""

    workflow_id: str


@dataclass(frozen=True)
class FoundRun:
    """The last run of a job, and the first one."""

    workflow_id: str
    run_id: str
    first_run_id: str


@dataclass(frozen=True)
class NamedJobs:
    """Jobs by workflow id; with a name, those of other workflow ids, too."""

    workflow_id: str
    name: str | None = None
    namespace: str | None = None


async def find_run(temporal: TemporalClient, named: NamedJobs, run: str) -> FoundRun:
    """Return the job that `run` means. Raise `JobNotFoundError` or `AmbiguousRunError` with the jobs there are."""
    check_run(run)
    rows = await _rows_of(temporal, named)
    jobs = [_job_of(row) for row in rows if _is_last_of_job(row)]
    if not run.startswith("-"):
        jobs = await _with_earlier_runs(temporal, rows, jobs, run)
    meant = jobs_meant(jobs, run)
    if len(meant) > 1:
        raise ambiguous_run(named.workflow_id, run, meant)
    if not meant:
        raise no_such_run(JobNotFoundError(named.workflow_id), run, jobs)
    [job] = meant
    described = await temporal.get_workflow_handle(job.workflow_id, run_id=job.run_ids[0]).describe()
    return FoundRun(job.workflow_id, described.run_id, first_run_of(described))


def first_run_of(run: WorkflowExecutionDescription) -> str:
    """Return the run that a job's workflow began with."""
    return run.raw_description.workflow_execution_info.first_run_id or run.run_id


async def _rows_of(temporal: TemporalClient, named: NamedJobs) -> list[WorkflowExecution]:
    """The visibility store is written after the workflow: the newest run may not be in it yet."""
    rows = await _listed(temporal, named)
    last = await find_workflow(temporal, named.workflow_id)
    if last and all(row.run_id != last.run_id for row in rows):
        rows.append(last)
    return sorted(rows, key=lambda row: row.start_time, reverse=True)


async def _listed(temporal: TemporalClient, named: NamedJobs) -> list[WorkflowExecution]:
    by_id = f"WorkflowId = {quoted(named.workflow_id)}"
    if named.name is None:
        return await _rows(temporal, by_id)
    by_name = (
        f"{names.JOB_NAME.name} = {quoted(named.name)} AND "
        f"{names.JOB_NAMESPACE.name} = {quoted(named.namespace or 'default')}"
    )
    try:
        return await _rows(temporal, f"(({by_name}) OR {by_id})")
    except RPCError as error:
        if not is_about_search_attributes(error):
            raise
        return await _rows(temporal, by_id)


async def _rows(temporal: TemporalClient, clause: str) -> list[WorkflowExecution]:
    query = f"WorkflowType = {quoted(names.TRAINING_JOB)} AND {clause}"
    return [row async for row in temporal.list_workflows(query, limit=_MOST_RUNS)]


def _is_last_of_job(row: WorkflowExecution) -> bool:
    return row.status is not WorkflowExecutionStatus.CONTINUED_AS_NEW


def _job_of(row: WorkflowExecution) -> JobOfName:
    return JobOfName((row.run_id,), summary_of(row).phase, row.start_time, row.id)


async def _with_earlier_runs(
    temporal: TemporalClient, rows: Sequence[WorkflowExecution], jobs: Sequence[JobOfName], run: str
) -> list[JobOfName]:
    """Add first runs, which the visibility store does not have, and runs that were continued."""

    async def first_of(workflow_id: str, run_id: str) -> str | None:
        found = await find_workflow(temporal, workflow_id, run_id)
        return first_run_of(found) if found else None

    continued = [row for row in rows if not _is_last_of_job(row) and row.run_id.startswith(run)]
    earlier = [(row.run_id, await first_of(row.id, row.run_id)) for row in continued]
    found = list(jobs)
    for index, job in enumerate(jobs[:_MOST_DESCRIBED]):
        first = await first_of(job.workflow_id, job.run_ids[0])
        if first is not None:
            own = (run_id for run_id, of in earlier if of == first)
            found[index] = replace(job, run_ids=(*job.run_ids, first, *own))
    return found
