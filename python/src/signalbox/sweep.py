"""Parameter sweeps: a job, the trial, for each combination of values."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, Literal

from temporalio.client import WorkflowExecutionStatus
from temporalio.common import WorkflowIDConflictPolicy, WorkflowIDReusePolicy
from temporalio.exceptions import WorkflowAlreadyStartedError
from typing_extensions import Unpack

from . import _names as names
from ._context import Context
from ._follow import Run, closed_run_of
from ._intervene import intervene
from ._known_options import refuse_unknown_options
from ._manifest import Manifest, checked_manifest
from ._options import Intervention, SweepOptions
from ._rpc import Answer
from ._temporal import is_open
from .errors import JobEndedError, NameTakenError, WaitTimeoutError


class FailedTrial(Answer):
    """A trial that did not complete."""

    name: str
    phase: Literal["Failed", "Stopped", "Refused"]
    """`Refused`: it could not be started."""
    why: str
    error_line: str | None = None
    """What its logs say of it, without what looks like a secret."""


class SweepStop(Answer):
    """Who stops a sweep, and why."""

    by: str | None = None
    why: str | None = None
    trial: str | None = None
    """The trial that has failed, if that stops the sweep (`stop_on_failure`)."""


class SweepWait(Answer):
    """What some trials wait for."""

    reason: str
    trials: int


class SweepTrial(Answer):
    """One trial of a sweep, and how far it is."""

    index: int
    """Its place in the sweep, from 0."""
    name: str
    workflow_id: str
    values: Mapping[str, Any]
    """The value of each parameter."""
    phase: str
    """Of its job; `Waiting`: not started yet; `Refused`: not to be started; `Unknown`: Temporal has no job any more."""
    reason: str | None = None
    why: str | None = None
    """Why there is no job."""
    progress: str | None = None
    """The last progress that it reported, if its policy says where."""
    run_id: str | None = None
    start_time: datetime | None = None
    end_time: datetime | None = None


class SweepSummary(Answer):
    """How far a sweep is, and what became of its trials."""

    name: str
    namespace: str
    phase: Literal["Running", "Stopping", "Completed", "Failed", "Stopped"]
    trials: int
    """How many there are of all."""
    at_most: int
    waiting: int
    """Trials that were not started yet; in a stopped sweep those that never will be."""
    running: int
    completed: int
    failed: int
    stopped: int
    refused: int
    """Trials that could not be started, e.g. because another job has the name."""
    stop: SweepStop | None = None
    failures: Sequence[FailedTrial] = ()
    """The first trials that did not complete."""
    waits: Sequence[SweepWait] = ()
    """What running trials wait for, those that most wait for first."""


class Sweep:
    """One parameter sweep. Its trials are jobs, NAME-0, NAME-1, …, with the label `signalbox.dev/sweep`."""

    def __init__(self, context: Context, name: str, namespace: str, run_id: str | None = None) -> None:
        self._context = context
        self._name = name
        self._namespace = namespace
        self._run_id = run_id

    def __repr__(self) -> str:
        return f"<Sweep {self._namespace}/{self._name}>"

    @property
    def workflow_id(self) -> str:
        """The id of the sweep's workflow."""
        return names.sweep_id_of(self._name, self._namespace)

    async def summary(self) -> SweepSummary:
        """Return how many trials have ended in which way, the first that failed, and what others wait for.

        Needs a worker. Raises `JobNotFoundError` if Temporal has no such sweep, or no longer.
        """
        named = {"name": self._name, "namespace": self._namespace}
        answer = await self._context.ask_engine("sweepSummary", self.workflow_id, named)
        return SweepSummary.model_validate(answer)

    async def trials(self) -> list[SweepTrial]:
        """Return each trial with its values, its phase and the last progress that it reported, in their order.

        Needs a worker. Raises `JobNotFoundError` if Temporal has no such sweep, or no longer.

        ```python
        best = min((trial for trial in await sweep.trials() if trial.progress), key=lambda one: float(one.progress))
        ```
        """
        named = {"name": self._name, "namespace": self._namespace}
        return await self._context.records(SweepTrial, "sweepTrials", self.workflow_id, named)

    async def wait(self, *, timeout: float | None = None) -> SweepSummary:
        """Wait until the last trial has ended; see `Job.wait`."""
        waiting = self._context.ask(self.workflow_id, self._until_closed, timeout=float("inf"))
        try:
            await asyncio.wait_for(waiting, timeout)
        except asyncio.TimeoutError as error:
            raise WaitTimeoutError(self.workflow_id, timeout or 0.0) from error
        return await self.summary()

    async def stop(self, **intervention: Unpack[Intervention]) -> Literal["requested", "already-ended"]:
        """Start no more trials, and stop those that run. Stopping an ended sweep does nothing."""
        refuse_unknown_options("stop", intervention, Intervention)
        by = intervention.get("by")
        given = {**intervention, "by": self._context.user if by is None else by}

        async def ask() -> Literal["requested", "already-ended"]:
            if not is_open(await self._status()):
                return "already-ended"
            try:
                await intervene(self._context.temporal, self.workflow_id, names.STOP_UPDATE, given)
            except JobEndedError:
                return "already-ended"
            return "requested"

        return await self._context.ask(self.workflow_id, ask, timeout=0)

    async def _until_closed(self) -> None:
        run_id = self._run_id or (await self._context.temporal.get_workflow_handle(self.workflow_id).describe()).run_id
        await closed_run_of(self._context.temporal, Run(self.workflow_id, run_id))

    async def _status(self) -> WorkflowExecutionStatus | None:
        return (await self._context.temporal.get_workflow_handle(self.workflow_id).describe()).status


class _Start(Answer):
    """What starts a sweep."""

    workflow_id: str
    sweep: dict[str, Any]
    memo: dict[str, Any]
    summary: str


async def start_sweep(context: Context, given: Manifest, options: SweepOptions) -> Sweep:
    """Start a sweep, or find it running. The engine checks all trials; the start goes to Temporal."""
    name, namespace = options.get("name"), options.get("namespace") or context.namespace
    own = {} if name is None else {"name": name}
    manifest = checked_manifest(given, namespace=namespace, named=lambda metadata: {**metadata, **own})
    metadata = manifest["metadata"]
    sweep_id = names.sweep_id_of(metadata["name"], metadata["namespace"])
    asked: dict[str, Any] = {"manifest": manifest, "set": {key: listed(some) for key, some in options["set"].items()}}
    asked |= {key: options.get(key) for key in ("env", "at_most", "rerun", "stop_on_failure", "why", "strict")}
    asked["submitted_by"] = context.user
    timeout = options.get("timeout")
    start = _Start.model_validate(await context.ask_engine("planSweep", sweep_id, asked, timeout=timeout))
    run_id = await context.ask(sweep_id, lambda: _started(context, start), timeout=timeout)
    return Sweep(context, metadata["name"], metadata["namespace"], run_id)


def listed(values: Iterable[Any]) -> Any:
    """The engine refuses what is no list. A text would be one of its characters."""
    return values if isinstance(values, str) else list(values)


async def _started(context: Context, start: _Start) -> str | None:
    try:
        handle = await context.temporal.start_workflow(
            names.PARAMETER_SWEEP,
            start.sweep,
            id=start.workflow_id,
            task_queue=context.task_queue,
            id_conflict_policy=WorkflowIDConflictPolicy.FAIL,
            id_reuse_policy=WorkflowIDReusePolicy.ALLOW_DUPLICATE,
            memo=start.memo,
            static_summary=start.summary,
        )
    except WorkflowAlreadyStartedError:
        live = await context.temporal.get_workflow_handle(start.workflow_id).describe()
        if (await live.memo()).get(names.MEMO_HASH) == start.memo[names.MEMO_HASH]:
            return live.run_id
        remedy = "Nothing was started. Stop it, or choose another name."
        taken = (start.workflow_id, "Running", live.start_time)
        raise NameTakenError(*taken, what="Another sweep", remedy=remedy) from None
    return handle.first_execution_run_id
