"""Submits a job once, however often it is submitted. The server resolves races: a start states what it relies on."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from time import monotonic
from typing import TYPE_CHECKING, Literal, TypeAlias

from temporalio.client import WorkflowExecutionStatus
from temporalio.common import WorkflowIDReusePolicy
from temporalio.exceptions import WorkflowAlreadyStartedError
from temporalio.service import RPCError

from . import _names as names
from ._clean_up import is_live, until_cleaned_up
from ._follow import Run
from ._outcome import outcome_of
from ._search import quoted
from ._start import Submission, start_job
from ._temporal import back_off, find_workflow, is_open, is_transient
from .errors import KeyReusedError, NameTakenError
from .summary import summary_of

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from temporalio.client import Client as TemporalClient
    from temporalio.client import WorkflowExecution, WorkflowExecutionDescription

    from ._options import CleanUpOptions

SubmissionResult: TypeAlias = 'Literal["started", "already-running", "already-completed", "already-ended"]'
"""What a submission found. `already-ended` is a job that Failed or was Stopped; only a key leads to one."""

# Another client may start a job between look and start; after each such round some client's job has started.
_ROUNDS = 5
# How long the visibility store may be behind.
_BEHIND_SECONDS = 5.0


@dataclass(frozen=True)
class Submitted(Run):
    """The run of a submission."""

    result: SubmissionResult


@dataclass(frozen=True)
class _Free:
    """The workflow id is free; `reuse_policy` names the earlier ends that a start may follow."""

    reuse_policy: WorkflowIDReusePolicy
    last_run_id: str | None


@dataclass(frozen=True)
class Ending:
    """The last job of the workflow id has ended, and keeps the id until it has been cleaned up."""

    job: WorkflowExecutionDescription


async def submit_in_turn(
    temporal: TemporalClient,
    submission: Submission,
    options: CleanUpOptions,
    ask: Callable[[Callable[[], Awaitable[Submitted | Ending]]], Awaitable[Submitted | Ending]],
) -> Submitted:
    """Submit a job; if the last one of the name has ended and is still being cleaned up, wait for that first."""
    submit = submission_of(temporal, submission)
    while True:
        found = await ask(submit)
        if isinstance(found, Submitted):
            return found
        await until_cleaned_up(temporal, found.job, options)


def submission_of(temporal: TemporalClient, submission: Submission) -> Callable[[], Awaitable[Submitted | Ending]]:
    """Return a function that submits a job, and may be called again after an error."""
    lost_after: list[str | None] = []

    async def submit() -> Submitted | Ending:
        for left in reversed(range(_ROUNDS)):
            found = await _find_submission(temporal, submission)
            if isinstance(found, Ending):
                return found
            if isinstance(found, Submitted):
                is_ours = bool(lost_after) and lost_after[-1] != found.run_id
                return Submitted(found.workflow_id, found.run_id, "started" if is_ours else found.result)
            try:
                run_id = await start_job(temporal, submission, found.reuse_policy)
                return Submitted(submission.workflow_id, run_id, "started")
            except WorkflowAlreadyStartedError:
                if left == 0:
                    raise
            except RPCError as error:
                # The server may have started the job, and only its answer was lost.
                if is_transient(error):
                    lost_after.append(found.last_run_id)
                raise
        raise AssertionError("unreachable")

    return submit


async def _find_submission(temporal: TemporalClient, wanted: Submission) -> Submitted | _Free | Ending:
    last = await find_workflow(temporal, wanted.workflow_id)
    if last is None:
        return _Free(WorkflowIDReusePolicy.REJECT_DUPLICATE, None)
    same = await _same_submission(temporal, wanted, last)
    if same:
        return Submitted(wanted.workflow_id, same.run_id, await _result_of(temporal, same))
    if is_live(last):
        raise await _name_taken(last, wanted)
    if is_open(last.status):
        return Ending(last)
    return _Free(WorkflowIDReusePolicy.ALLOW_DUPLICATE, last.run_id)


async def _same_submission(
    temporal: TemporalClient, wanted: Submission, last: WorkflowExecution
) -> WorkflowExecution | None:
    if wanted.key is not None:
        return await _run_with_key(temporal, wanted, wanted.key, last)
    if (await last.memo()).get(names.MEMO_HASH) != wanted.hash or _is_open_parent(last, wanted):
        return None
    if is_live(last):
        return last
    return last if not wanted.rerun and await _has_completed(temporal, last) else None


def _is_open_parent(last: WorkflowExecution, wanted: Submission) -> bool:
    """A job that is run again is another job, though its manifest is the same."""
    return is_open(last.status) and _is_parent(last, wanted)


def _is_parent(last: WorkflowExecution, wanted: Submission) -> bool:
    return wanted.parent is not None and _first_run_of(last) == wanted.parent.run_id


def _first_run_of(run: WorkflowExecution) -> str:
    return run.raw_info.first_run_id or run.run_id


async def _run_with_key(
    temporal: TemporalClient, wanted: Submission, key: str, last: WorkflowExecution
) -> WorkflowExecution | None:
    """Earlier runs than the last are found in the visibility store, for as long as Temporal keeps them."""
    has_key = (await last.memo()).get(names.MEMO_KEY) == key
    same = last if has_key else await _earlier_run_with_key(temporal, last, key)
    if same is None:
        return None
    recorded = (await same.memo()).get(names.MEMO_HASH)
    if recorded is not None and recorded != wanted.hash:
        raise KeyReusedError(wanted.workflow_id, same.run_id, key)
    return same


async def _earlier_run_with_key(
    temporal: TemporalClient, last: WorkflowExecution, key: str
) -> WorkflowExecution | None:
    """Temporal writes the visibility store late: while the last run is not there, earlier ones may be missing, too."""
    query = f"WorkflowId = {quoted(last.id)} AND ExecutionStatus != 'ContinuedAsNew'"
    until = monotonic() + _BEHIND_SECONDS
    pauses = back_off(first=0.05, most=1.0)
    while True:
        has_last = False
        async for info in temporal.list_workflows(query):
            if (await info.memo()).get(names.MEMO_KEY) == key:
                return info
            has_last = has_last or info.run_id == last.run_id
        if has_last or monotonic() > until:
            return None
        await asyncio.sleep(next(pauses))


async def _result_of(temporal: TemporalClient, same: WorkflowExecution) -> SubmissionResult:
    if is_live(same):
        return "already-running"
    return "already-completed" if await _has_completed(temporal, same) else "already-ended"


async def _has_completed(temporal: TemporalClient, run: WorkflowExecution) -> bool:
    """During its clean-up a job has no outcome yet. The workflow of a stopped job is COMPLETED as well."""
    if is_open(run.status):
        return summary_of(run).phase == "Completed"
    if run.status is not WorkflowExecutionStatus.COMPLETED:
        return False
    return (await outcome_of(temporal, Run(run.id, run.run_id))).phase == "Completed"


async def _name_taken(last: WorkflowExecution, wanted: Submission) -> NameTakenError:
    summary = summary_of(last)
    if _is_parent(last, wanted):
        remedy = f"Stop it, or give the new job another name, e.g. {summary.name}-2."
        taken = (wanted.workflow_id, summary.phase, last.start_time)
        return NameTakenError(*taken, what="The job to run again", remedy=remedy)
    memo = await last.memo()
    key = memo.get(names.MEMO_KEY)
    with_key = "no key" if key is None else f'the key "{key}"'
    is_same = memo.get(names.MEMO_HASH) == wanted.hash
    what = f"Another submission of this manifest, with {with_key}," if is_same else "Another manifest"
    return NameTakenError(wanted.workflow_id, summary.phase, last.start_time, what=what)
