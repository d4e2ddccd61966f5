"""Submits a job once, however often it is submitted. The server resolves races: a start states what it relies on."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from time import monotonic
from typing import Literal, TypeAlias

from temporalio.client import WorkflowExecution, WorkflowExecutionDescription, WorkflowExecutionStatus
from temporalio.common import WorkflowIDReusePolicy
from temporalio.exceptions import WorkflowAlreadyStartedError
from temporalio.service import RPCError

from . import _names as names
from ._clean_up import is_live, until_cleaned_up
from ._context import Context
from ._follow import Run, closed_run_of
from ._options import SubmitOptions
from ._outcome import recorded_outcome
from ._search import quoted
from ._start import Submission, start_job
from ._temporal import back_off, find_workflow, is_open, is_transient
from .errors import KeyReusedError, NameTakenError, SignalboxError
from .summary import summary_of

SubmissionResult: TypeAlias = 'Literal["started", "already-running", "already-completed", "already-ended"]'
"""What a submission found. `already-ended` is a job that Failed or was Stopped; only a key leads to one."""

# Another client may start a job between look and start; after each such round some client's job has started.
_ROUNDS = 5
# How long the visibility store may be behind.
_BEHIND_SECONDS = 5.0
# A refusal is worth more than what differs, which a worker says.
_DIFFERENCES_SECONDS = 5.0


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
class _Ending:
    """The last job of the workflow id has ended, and keeps the id until it has been cleaned up."""

    job: WorkflowExecutionDescription


async def submit_in_turn(context: Context, submission: Submission, options: SubmitOptions) -> Submitted:
    """Submit a job; if the last one of the name has ended and is still being cleaned up, wait for that first."""
    submitting = _Submitting(context, submission)
    while True:
        found = await context.ask(submission.workflow_id, submitting.submit, timeout=options.get("timeout"))
        if isinstance(found, Submitted):
            return found
        await until_cleaned_up(context.temporal, found.job, options)


class _Submitting:
    """A submission that may be tried again after an error."""

    def __init__(self, context: Context, wanted: Submission) -> None:
        self._temporal = context.temporal
        self._engine = context.engine
        self._wanted = wanted
        self._lost_after: list[str | None] = []
        """The last runs before starts whose answers were lost."""

    async def submit(self) -> Submitted | _Ending:
        for left in reversed(range(_ROUNDS)):
            found = await self._find()
            if isinstance(found, _Ending):
                return found
            if isinstance(found, Submitted):
                is_ours = bool(self._lost_after) and self._lost_after[-1] != found.run_id
                return Submitted(found.workflow_id, found.run_id, "started" if is_ours else found.result)
            try:
                run_id = await start_job(self._temporal, self._wanted, found.reuse_policy)
                return Submitted(self._wanted.workflow_id, run_id, "started")
            except WorkflowAlreadyStartedError:
                if left == 0:
                    raise
            except RPCError as error:
                # The server may have started the job, and only its answer was lost.
                if is_transient(error):
                    self._lost_after.append(found.last_run_id)
                raise
        raise AssertionError("unreachable")

    async def _find(self) -> Submitted | _Free | _Ending:
        last = await find_workflow(self._temporal, self._wanted.workflow_id)
        if last is None:
            return _Free(WorkflowIDReusePolicy.REJECT_DUPLICATE, None)
        same = await self._same_submission(last)
        if same:
            return Submitted(self._wanted.workflow_id, same.run_id, await self._result_of(same))
        if is_live(last):
            raise await self._name_taken(last)
        if is_open(last.status):
            return _Ending(last)
        return _Free(WorkflowIDReusePolicy.ALLOW_DUPLICATE, last.run_id)

    async def _same_submission(self, last: WorkflowExecution) -> WorkflowExecution | None:
        if self._wanted.key is not None:
            return await self._run_with_key(self._wanted.key, last)
        # A job that is run again is another job, though its manifest is the same.
        is_open_parent = is_open(last.status) and self._is_parent(last)
        if (await last.memo()).get(names.MEMO_HASH) != self._wanted.hash or is_open_parent:
            return None
        if is_live(last):
            return last
        return last if not self._wanted.rerun and await self._has_completed(last) else None

    def _is_parent(self, last: WorkflowExecution) -> bool:
        parent = self._wanted.parent
        return parent is not None and (last.raw_info.first_run_id or last.run_id) == parent.run_id

    async def _run_with_key(self, key: str, last: WorkflowExecution) -> WorkflowExecution | None:
        """Earlier runs than the last are found in the visibility store, for as long as Temporal keeps them."""
        has_key = (await last.memo()).get(names.MEMO_KEY) == key
        same = last if has_key else await self._earlier_run_with_key(key, last)
        if same is None:
            return None
        recorded = (await same.memo()).get(names.MEMO_HASH)
        if recorded is not None and recorded != self._wanted.hash:
            raise KeyReusedError(self._wanted.workflow_id, same.run_id, key, await self._differences(same))
        return same

    async def _differences(self, run: WorkflowExecution) -> str:
        job = {"workflowId": run.id, "runId": run.run_id}
        asked = {"job": job, "manifest": self._wanted.manifest}
        try:
            answer = await asyncio.wait_for(self._engine.ask("differences", run.id, asked), _DIFFERENCES_SECONDS)
        except (SignalboxError, RPCError, asyncio.TimeoutError):
            return ""
        return str(answer["text"])

    async def _earlier_run_with_key(self, key: str, last: WorkflowExecution) -> WorkflowExecution | None:
        """Temporal writes the visibility store late: while the last run is not there, earlier ones may be missing."""
        query = f"WorkflowId = {quoted(last.id)} AND ExecutionStatus != 'ContinuedAsNew'"
        until = monotonic() + _BEHIND_SECONDS
        pauses = back_off(first=0.05, most=1.0)
        while True:
            has_last = False
            async for info in self._temporal.list_workflows(query):
                if (await info.memo()).get(names.MEMO_KEY) == key:
                    return info
                has_last = has_last or info.run_id == last.run_id
            if has_last or monotonic() > until:
                return None
            await asyncio.sleep(next(pauses))

    async def _result_of(self, same: WorkflowExecution) -> SubmissionResult:
        if is_live(same):
            return "already-running"
        return "already-completed" if await self._has_completed(same) else "already-ended"

    async def _has_completed(self, run: WorkflowExecution) -> bool:
        """During its clean-up a job has no outcome yet. The workflow of a stopped job is COMPLETED as well."""
        if is_open(run.status):
            return summary_of(run).phase == "Completed"
        if run.status is not WorkflowExecutionStatus.COMPLETED:
            return False
        outcome = await recorded_outcome(self._temporal, await closed_run_of(self._temporal, Run(run.id, run.run_id)))
        return outcome is None or outcome.phase == "Completed"

    async def _name_taken(self, last: WorkflowExecution) -> NameTakenError:
        summary, memo = summary_of(last), await last.memo()
        taken = (self._wanted.workflow_id, summary.phase, last.start_time)
        if self._is_parent(last):
            remedy = f"Stop it, or give the new job another name, e.g. {summary.name}-2."
            return NameTakenError(*taken, what="The job to run again", remedy=remedy)
        key = memo.get(names.MEMO_KEY)
        with_key = "no key" if key is None else f'the key "{key}"'
        is_same = memo.get(names.MEMO_HASH) == self._wanted.hash
        if is_same:
            return NameTakenError(*taken, what=f"Another submission of this manifest, with {with_key},")
        return NameTakenError(*taken, differences=await self._differences(last))
