"""Waits for the clean-up of an ended job, which keeps the job's name until it is over."""

from __future__ import annotations

import asyncio

from temporalio.client import Client as TemporalClient
from temporalio.client import WorkflowExecution, WorkflowExecutionDescription

from ._follow import Run, steps_of
from ._options import CleanUpOptions
from ._status import status_if_answered
from ._temporal import is_open
from .errors import NameTakenError
from .summary import FINAL_PHASES, summary_of

_DEFAULT_TIMEOUT = 600.0
"""As long as a new job waits for pods that an earlier one of its name has left."""
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
    end = options.get("clean_up_end") or asyncio.Event()
    waiting = _Waiting(temporal, job, options)
    task, ended = asyncio.ensure_future(waiting.run()), asyncio.ensure_future(end.wait())
    try:
        await asyncio.wait((task, ended), timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
        if task.done():
            return task.result()
        limit = "when the wait was ended" if end.is_set() else f"after {seconds:g} s"
        raise waiting.taken(f"its clean-up was not over {limit}", "See what it waits for (`job.why()`)")
    finally:
        task.cancel()
        ended.cancel()


class _Waiting:
    """The wait, and what the job waits for itself."""

    def __init__(self, temporal: TemporalClient, job: WorkflowExecutionDescription, options: CleanUpOptions) -> None:
        self._temporal = temporal
        self._job = job
        self._on_clean_up = options.get("on_clean_up")
        self._phase = summary_of(job).phase
        self._why = ""

    async def run(self) -> None:
        self._tell()
        async for run in steps_of(self._temporal, Run(self._job.id, self._job.run_id)):
            status = await status_if_answered(self._temporal, run)
            if status is None:
                continue
            why = status.cause.message if status.cause else ""
            is_new, self._why = why != self._why, why
            if status.state == _HOLDING:
                raise self.taken("its failed pods are held for inspection", "Release it (`job.release()`)")
            if is_new and status.state not in FINAL_PHASES:
                self._tell()

    def taken(self, what: str, advice: str) -> NameTakenError:
        why = f": {self._why}" if self._why else ""
        return NameTakenError(
            *(self._job.id, self._phase, self._job.start_time),
            message=f"{self._job.id} has ended, {self._phase}, and {what}{why}.",
            remedy=f"Nothing was started. {advice} and submit again, or choose another metadata.name.",
        )

    def _tell(self) -> None:
        if self._on_clean_up:
            ended = f"{self._job.id} has ended, {self._phase}, and is being cleaned up"
            self._on_clean_up(f"{ended}; the new job starts after that{f' ({self._why})' if self._why else ''}")
