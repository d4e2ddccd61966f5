"""Waits for the clean-up of an ended job, which keeps the job's name until it is over."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from ._follow import Run, steps_of
from ._status import ask_status
from ._temporal import is_open
from .errors import NameTakenError, WorkerAwayError
from .summary import FINAL_PHASES, summary_of

if TYPE_CHECKING:
    from collections.abc import Coroutine

    from temporalio.client import Client as TemporalClient
    from temporalio.client import WorkflowExecution, WorkflowExecutionDescription

    from ._options import CleanUpOptions
    from .known_status import KnownStatus

_DEFAULT_TIMEOUT = 600.0
"""As long as a new job waits for pods that an earlier one of its name has left."""
_ANSWER_SECONDS = 10.0
"""How long a worker has to answer."""
_HOLDING = "Finishing.Holding"
"""The state in which failed pods are kept after the outcome is decided."""


def is_live(job: WorkflowExecution) -> bool:
    """Return whether the job's outcome is not decided yet.

    The workflow of a job whose outcome is decided stays open while the job is cleaned up, or its failed pods are held.
    """
    return is_open(job.status) and not summary_of(job).has_ended


async def until_cleaned_up(
    temporal: TemporalClient, job: WorkflowExecutionDescription, options: CleanUpOptions
) -> None:
    """Wait until an ended job has been cleaned up, which makes its name free.

    Raise `NameTakenError` if that takes too long, or if its failed pods are held, which only a user ends.
    """
    given = options.get("clean_up_timeout")
    seconds = _DEFAULT_TIMEOUT if given is None else given
    waiting = _Waiting(temporal, job, options)
    try:
        await asyncio.wait_for(_unless_ended(waiting.run(), options.get("clean_up_end")), seconds)
    except (asyncio.TimeoutError, _EndedError) as error:
        limit = "when the wait was ended" if isinstance(error, _EndedError) else f"after {seconds:g} s"
        why = f": {waiting.why}" if waiting.why else ""
        raise NameTakenError(
            job.id,
            waiting.phase,
            job.start_time,
            message=f"{job.id} has ended, {waiting.phase}, and its clean-up was not over {limit}{why}.",
            remedy="Nothing was started. See what it waits for (`job.why()`) and submit again, or choose another "
            "metadata.name.",
        ) from error


class _Waiting:
    """The wait, and what the job waits for itself."""

    def __init__(self, temporal: TemporalClient, job: WorkflowExecutionDescription, options: CleanUpOptions) -> None:
        self._temporal = temporal
        self._job = job
        self._on_clean_up = options.get("on_clean_up")
        self.phase = summary_of(job).phase
        self.why = ""

    async def run(self) -> None:
        self._tell()
        async for run in steps_of(self._temporal, Run(self._job.id, self._job.run_id)):
            status = await self._status(run)
            if status is None:
                continue
            if status.state == _HOLDING:
                raise self._held(status)
            why = status.cause.message if status.cause else ""
            if why != self.why:
                self.why = why
                if status.state not in FINAL_PHASES:
                    self._tell()

    async def _status(self, run: Run) -> KnownStatus | None:
        try:
            return await ask_status(self._temporal, run, _ANSWER_SECONDS)
        except WorkerAwayError:
            return None

    def _tell(self) -> None:
        if self._on_clean_up:
            ended = f"{self._job.id} has ended, {self.phase}, and is being cleaned up"
            self._on_clean_up(f"{ended}; the new job starts after that{f' ({self.why})' if self.why else ''}")

    def _held(self, status: KnownStatus) -> NameTakenError:
        why = f": {status.cause.message}" if status.cause else ""
        return NameTakenError(
            self._job.id,
            self.phase,
            self._job.start_time,
            message=f"{self._job.id} has ended, {self.phase}, and its failed pods are held for inspection{why}.",
            remedy="Nothing was started. Release it (`job.release()`) and submit again, or choose another "
            "metadata.name.",
        )


class _EndedError(Exception):
    """The caller has ended the wait."""


async def _unless_ended(waiting: Coroutine[Any, Any, None], end: asyncio.Event | None) -> None:
    if end is None:
        return await waiting
    task = asyncio.ensure_future(waiting)
    ended = asyncio.ensure_future(end.wait())
    try:
        await asyncio.wait((task, ended), return_when=asyncio.FIRST_COMPLETED)
        if not task.done():
            raise _EndedError
        return task.result()
    finally:
        task.cancel()
        ended.cancel()
