"""One job: its status, its outcome, and interventions."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from typing import Any, Literal, TypeVar

from pydantic.alias_generators import to_snake
from temporalio.client import WorkflowExecutionDescription
from typing_extensions import Unpack

from . import _names as names
from ._context import Context
from ._follow import Run, closed_run_of, steps_of
from ._intervene import check_seconds, intervene
from ._known_options import refuse_unknown_options
from ._logs import LoggedJob, LogLine, read_logs
from ._options import Intervention, LedgerChoice, LogOptions
from ._outcome import outcome_of
from ._plans import Applied
from ._status import ask_status, recorded_status, status_if_answered
from ._submit import SubmissionResult
from ._temporal import back_off, find_workflow, first_run_of, is_open
from ._worker_presence import fail_without_worker
from .cost import JobCost, Prices, prices_document
from .errors import JobEndedError, WaitTimeoutError, WorkerAwayError
from .explanation import Explanation, explanation_of
from .models.records import EvidenceRecord, JobStatus, LedgerEntry, WhyAnswer
from .outcome import KnownStatus, Outcome
from .summary import FINAL_PHASES, JobSummary, summary_of, told_summary_of

T = TypeVar("T")


class Job:
    """One job. Requests go to Temporal; nothing is cached.

    Each intervention returns once it is recorded, with user and reason. It raises `RefusedError` with the job's
    message if the present state does not allow it, `JobEndedError` if the job has ended, and `WorkerAwayError` if no
    worker is there, or none answers within 30 seconds; the next worker may still do it.
    """

    def __init__(
        self,
        context: Context,
        workflow_id: str,
        run_id: str | None = None,
        *,
        first_run_id: str | None = None,
        submission: SubmissionResult | None = None,
        applied: Applied | None = None,
    ) -> None:
        self._context = context
        self._temporal = context.temporal
        self._workflow_id = workflow_id
        self._run_id = run_id
        self._first_run_id = first_run_id
        self._submission: SubmissionResult | None = submission
        self._applied = applied

    def __repr__(self) -> str:
        return f"<Job {self._workflow_id}>"

    @property
    def workflow_id(self) -> str:
        """The id of the job's workflow."""
        return self._workflow_id

    @property
    def run_id(self) -> str | None:
        """The run that this handle follows; None for one that was made by name."""
        return self._run_id

    @property
    def submission(self) -> SubmissionResult | None:
        """What the submission found: started, already-running, already-completed or already-ended."""
        return self._submission

    @property
    def applied(self) -> Applied | None:
        """What `Client.apply` did, or would do."""
        return self._applied

    async def status(self) -> KnownStatus:
        """Return the status. If no worker answers, it is what was recorded last, and `recorded_in` says where."""
        return await self._ask(self._status)

    async def summary(self) -> JobSummary:
        """Return what Temporal has recorded; needs no worker."""

        async def ask() -> JobSummary:
            return await told_summary_of(await self._describe())

        return await self._ask(ask)

    async def history(self, **choice: Unpack[LedgerChoice]) -> list[LedgerEntry]:
        """Return the job's ledger, the oldest entry first: transitions, requests, how effects ended, and who asked.

        Of all runs of its workflow that Temporal still has, and also of an ended job. Needs a worker: raises
        `WorkerAwayError` if none is there, within a second, or 20 if one was there a minute ago.
        """
        refuse_unknown_options("history", choice, LedgerChoice)
        asked = {"job": self._id, **choice}
        return await self._context.records(LedgerEntry, "history", self._workflow_id, asked)

    async def follow_history(self, **choice: Unpack[LedgerChoice]) -> AsyncIterator[LedgerEntry]:
        """Yield the entries of the job's ledger, and then each new one until it has ended.

        Continues through restarts of servers and workers, and waits for a worker if there is none. For an ended job it
        is as `history`.
        """
        refuse_unknown_options("follow_history", choice, LedgerChoice)
        described = await self._ask(self._describe, patient=True)
        last = Run(described.id, described.run_id)
        job = {"workflowId": last.workflow_id, "runId": last.run_id, "firstRunId": first_run_of(described)}
        asked = {"job": job, "start": 1, **choice}
        with self._context.errors(self._workflow_id):
            async for _ in steps_of(self._temporal, last):
                async for entry in self._new_entries(asked):
                    yield entry
            async for entry in self._new_entries(asked):
                yield entry

    async def why(self) -> Explanation:
        """Explain what the job waits for, or why it ended, and what to do about it."""
        return explanation_of(await self.status())

    async def why_waiting(self) -> WhyAnswer:
        """Return why the job waits, in detail: the reasons, who can change each, and what it has waited for so far.

        For pods without a node it has the class of each node. Needs a worker, which reads the cluster with its own
        rights; `unknown` names what is not known.
        """
        answer = await self._context.ask_engine("why", self._workflow_id, {"job": self._id})
        return WhyAnswer.model_validate(answer)

    async def cost(self, *, prices: Prices | None = None) -> JobCost:
        """Return what the devices of the job were used for until its end or until now and, with prices, what that cost.

        By its ledger alone, and to the last unit as `signalbox cost` (docs/cost.md). Needs a worker. Raises
        `RefusedError` for invalid prices, with all faults.
        """
        asked = {"job": self._id, "prices": prices_document(prices)}
        return JobCost.model_validate(await self._context.ask_engine("cost", self._workflow_id, asked))

    async def wait(self, *, timeout: float | None = None) -> Outcome:
        """Wait for the outcome: Completed, Failed and Stopped alike.

        Continues through restarts of servers and workers. To stop waiting, cancel the task, or give a timeout in
        seconds (`WaitTimeoutError`): the job continues. The outcome of a job whose workflow was terminated needs a
        worker.
        """
        waiting = self._ask(self._wait, patient=True)
        if timeout is None:
            return await waiting
        try:
            return await asyncio.wait_for(waiting, timeout)
        except asyncio.TimeoutError as error:
            raise WaitTimeoutError(self._workflow_id, timeout) from error

    async def watch(self) -> AsyncIterator[KnownStatus]:
        """Yield the present status, then each change of it; end after the outcome."""
        last: object = None
        run = await self._ask(self._starting_run, patient=True)
        with self._context.errors(self._workflow_id):
            async for current in steps_of(self._temporal, run):
                run = current
                status = await status_if_answered(self._temporal, run)
                # The outcome, which follows, says more than a last status.
                if status and status.state not in FINAL_PHASES and _position_of(status) != last:
                    last = _position_of(status)
                    yield status
            yield await outcome_of(self._context.engine, run)

    async def stop(
        self, *, checkpoint: bool = False, **intervention: Unpack[Intervention]
    ) -> Literal["requested", "already-ended"]:
        """Request a stop: the job's pods are deleted, then it ends as Stopped.

        With `checkpoint`, first request a checkpoint, in the way and time that its policy allows. Stopping an ended
        job does nothing.
        """
        refuse_unknown_options("stop", intervention, Intervention)
        if not is_open((await self._ask(self._describe)).status):
            return "already-ended"
        try:
            await self._intervene(names.STOP_UPDATE, intervention, checkpoint=checkpoint or None)
        except JobEndedError:
            return "already-ended"
        return "requested"

    async def suspend(self, **intervention: Unpack[Intervention]) -> None:
        """Delete the job's pods, services and group until it is resumed; no deadline runs meanwhile."""
        await self._intervene(names.SUSPEND_UPDATE, intervention)

    async def resume(self, **intervention: Unpack[Intervention]) -> None:
        """Restart all pods of a suspended job as a new attempt."""
        await self._intervene(names.RESUME_UPDATE, intervention)

    async def scale(self, role: str, replicas: int, **intervention: Unpack[Intervention]) -> None:
        """Change the number of replicas of a role; surplus pods are deleted, highest index first."""
        await self._intervene(names.SCALE_UPDATE, intervention, role=role, replicas=replicas)

    async def retry_now(self, **intervention: Unpack[Intervention]) -> None:
        """End the back-off before the next restart."""
        await self._intervene(names.RETRY_NOW_UPDATE, intervention)

    async def extend_deadline(self, seconds: int, **intervention: Unpack[Intervention]) -> None:
        """Add seconds to the job's activeDeadlineSeconds."""
        await self._intervene(names.EXTEND_DEADLINE_UPDATE, intervention, seconds=check_seconds(seconds, 1))

    async def hold(self, seconds: int, **intervention: Unpack[Intervention]) -> None:
        """Keep failed pods for this many seconds for inspection, counted from now; 0 disables the hold."""
        await self._intervene(names.HOLD_UPDATE, intervention, seconds=check_seconds(seconds, 0))

    async def release(self, **intervention: Unpack[Intervention]) -> None:
        """Release a job that is held with its failed pods."""
        await self._intervene(names.RELEASE_UPDATE, intervention)

    async def amend_policy(self, policy: Mapping[str, Any], **intervention: Unpack[Intervention]) -> None:
        """Change the policy of a live job by a merge patch (RFC 7396): values replace, None removes.

        Raises `InvalidManifestError` with all faults if the result is invalid.
        """
        await self._intervene(names.AMEND_POLICY_UPDATE, intervention, policy=dict(policy))

    def logs(self, **options: Unpack[LogOptions]) -> AsyncIterator[LogLine]:
        """Yield lines of the job's log: of the main pod, unless another choice is made.

        Needs access to the cluster, and the extra `kubernetes`. `follow` waits for pods to start, continues through
        restarts, and ends with the job. A line ends at a line feed; carriage returns are part of it.
        """
        refuse_unknown_options("logs", options, LogOptions)
        return self._logs(options)

    async def evidence(self, *, pod: str | None = None, attempt: int | None = None) -> AsyncIterator[EvidenceRecord]:
        """Yield evidence of the job's failed pods, newest first: exit codes, last log lines, node and events.

        Needs a worker, which reads it where workers store it.
        """
        chosen = {"job": self._id, "pod": pod, "attempt": attempt}
        for record in await self._context.records(EvidenceRecord, "evidence", self._workflow_id, chosen):
            yield record

    @property
    def _id(self) -> dict[str, str]:
        ids = {"workflowId": self._workflow_id, "runId": self._run_id, "firstRunId": self._first_run_id}
        return {name: value for name, value in ids.items() if value is not None}

    async def _new_entries(self, asked: dict[str, Any]) -> AsyncIterator[LedgerEntry]:
        """Yield the entries from the number `start` on, and move it. Wait for a worker if there is none."""
        pauses = back_off(first=0.2, most=5.0)
        while True:
            try:
                read = self._context.records(LedgerEntry, "history", self._workflow_id, asked, timeout=float("inf"))
                entries = await read
                break
            except WorkerAwayError:
                await asyncio.sleep(next(pauses))
        for entry in entries:
            asked["start"] = entry.seq + 1
            yield entry

    async def _logs(self, options: LogOptions) -> AsyncIterator[LogLine]:
        described = await self._ask(self._describe)
        logged = LoggedJob(summary_of(described), first_run_of(described), self.wait)
        context = self._context
        async for line in read_logs(context.kubeconfig, context.kube_context, logged, options):
            yield line

    async def _status(self) -> KnownStatus:
        described = await self._describe()
        run = Run(self._workflow_id, described.run_id)
        try:
            if not is_open(described.status):
                return await outcome_of(self._context.engine, run)
            asked = ask_status(self._temporal, run)
            return await fail_without_worker(self._temporal, self._workflow_id, asked, has_fallback=True)
        except WorkerAwayError:
            return await recorded_status(described, self._context.kubeconfig, self._context.kube_context)

    async def _wait(self) -> Outcome:
        closed = await closed_run_of(self._temporal, await self._starting_run())
        return await outcome_of(self._context.engine, closed)

    async def _starting_run(self) -> Run:
        """Retention may delete the first runs of a long job; the present run always exists."""
        if self._run_id and await find_workflow(self._temporal, self._workflow_id, self._run_id):
            return Run(self._workflow_id, self._run_id)
        return Run(self._workflow_id, (await self._describe()).run_id)

    async def _describe(self) -> WorkflowExecutionDescription:
        """Describe the last run; if a later job has the workflow id, the last run of this one's chain."""
        last = await self._temporal.get_workflow_handle(self._workflow_id).describe()
        if self._first_run_id is None or self._run_id is None or first_run_of(last) == self._first_run_id:
            return last
        closed = await closed_run_of(self._temporal, Run(self._workflow_id, self._run_id))
        return await self._temporal.get_workflow_handle(self._workflow_id, run_id=closed.run_id).describe()

    async def _intervene(self, update: str, intervention: Intervention, **request: Any) -> None:
        refuse_unknown_options(to_snake(update), intervention, Intervention)
        by = intervention.get("by")
        given = {**intervention, **request, "by": self._context.user if by is None else by}

        async def ask() -> None:
            if self._first_run_id is not None:
                await self._check_is_live()
            await intervene(self._temporal, self._workflow_id, update, given)

        await self._ask(ask, timeout=0)

    async def _check_is_live(self) -> None:
        """A later job of the workflow id must not get what was meant for this one."""
        summary = summary_of(await self._describe())
        if summary.has_ended and summary.end_time:
            raise JobEndedError(self._workflow_id, summary.phase, summary.end_time)

    async def _ask(
        self, question: Callable[[], Awaitable[T]], *, patient: bool = False, timeout: float | None = None
    ) -> T:
        return await self._context.ask(self._workflow_id, question, timeout=float("inf") if patient else timeout)


def _position_of(status: JobStatus) -> object:
    """A full timeline keeps its length, so compare its last entry too."""
    timeline = status.timeline
    last = timeline[-1] if timeline else None
    return (status.attempt, status.restarts, status.state, len(timeline), last, status.cause, status.progress)
