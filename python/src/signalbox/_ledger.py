"""Reads the ledger of a job: pages of a query over all runs of its workflow, and who asked from their histories."""

from __future__ import annotations

import asyncio
from datetime import datetime, timezone
from typing import TYPE_CHECKING, Any

from . import _names as names
from ._callers import Callers
from ._follow import Run, closed_run_of, events_of, run_after, run_before, steps_of
from ._status import query
from ._temporal import back_off, find_workflow, is_open
from ._worker_presence import fail_without_worker
from .errors import WorkerAwayError
from .models.records import LedgerEntry

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Sequence

    from temporalio.api.history.v1 import HistoryEvent
    from temporalio.client import Client as TemporalClient
    from temporalio.client import WorkflowExecutionDescription

    from ._options import LedgerChoice

_ANSWER_SECONDS = 60.0
"""How long a worker has to answer. It may have to replay a run of 50,000 events first."""


async def read_ledger(temporal: TemporalClient, described: WorkflowExecutionDescription) -> AsyncIterator[LedgerEntry]:
    """Yield the entries of all runs that Temporal still has, as far as they are written now."""
    reader = _LedgerReader(temporal)
    async for entry in _present_entries(temporal, reader, described, reader.entries_of):
        yield entry


async def follow_ledger(
    temporal: TemporalClient, described: WorkflowExecutionDescription
) -> AsyncIterator[LedgerEntry]:
    """Yield the entries, and then each new one until the workflow has closed.

    Continue through restarts of servers and workers: a Temporal server that was just restarted knows no worker until
    they ask for tasks again.
    """
    if not is_open(described.status):
        async for entry in read_ledger(temporal, described):
            yield entry
        return
    reader = _LedgerReader(temporal)

    def entries_of(run: Run) -> AsyncIterator[LedgerEntry]:
        return _patiently(reader, run)

    async for entry in _present_entries(temporal, reader, described, entries_of):
        yield entry
    last = Run(described.id, described.run_id)
    async for run in steps_of(temporal, last):
        last = run
        async for entry in entries_of(run):
            yield entry
    closed = await closed_run_of(temporal, last)
    last = Run(closed.workflow_id, closed.run_id)
    async for entry in entries_of(last):
        yield entry
    async for entry in reader.closing_of(last):
        yield entry


def is_chosen(entry: LedgerEntry, choice: LedgerChoice) -> bool:
    """Return whether an entry is one of those that are asked for, apart from their number."""
    attempt, since = choice.get("attempt"), choice.get("since")
    if entry.seq < (choice.get("start") or 1) or (attempt is not None and entry.attempt != attempt):
        return False
    if since is None:
        return True
    return datetime.fromisoformat(entry.at.replace("Z", "+00:00")) >= since.astimezone(timezone.utc)


class _LedgerReader:
    """Reads the entries of a chain of runs, run by run, each entry once and with who asked."""

    def __init__(self, temporal: TemporalClient) -> None:
        self._temporal = temporal
        self._callers = Callers()
        self._unread: list[Run] = []
        """Runs whose events have not been read, the oldest first."""
        self._last_event = 0
        self._last: dict[str, Any] | None = None

    async def entries_of(self, run: Run) -> AsyncIterator[LedgerEntry]:
        """Yield the entries of a run that have not been read yet. Runs in the order of their chain."""
        self._present(run)
        following: int | None = self._last["seq"] + 1 if self._last else 1
        while following is not None:
            asked = query(self._temporal, run, names.LEDGER_QUERY, _ANSWER_SECONDS, {"from": following})
            page = await fail_without_worker(self._temporal, run.workflow_id, asked, has_fallback=False)
            entries: list[dict[str, Any]] = page["entries"]
            # After the entries, so that the events have all that the entries stem from.
            if any("who" in entry["cause"] for entry in entries):
                await self._read_events()
            for entry in entries:
                yield self._joined(entry)
            following = page.get("next")

    async def closing_of(self, run: Run) -> AsyncIterator[LedgerEntry]:
        """Yield what Temporal did when no code of the job ran: that it closed the last run."""
        self._present(run)
        events = await self._read_events()
        entry = _closing_entry(self._last, events[-1])
        if entry:
            yield self._joined(entry)

    def _present(self, run: Run) -> None:
        if not self._unread or self._unread[-1] != run:
            self._unread.append(run)

    def _joined(self, entry: dict[str, Any]) -> LedgerEntry:
        self._last = self._callers.join(entry)
        return LedgerEntry.model_validate(self._last)

    async def _read_events(self) -> Sequence[HistoryEvent]:
        """Return the events of the present run. A signal may be in one run, and its entry in the next one."""
        events: Sequence[HistoryEvent] = []
        for run in self._unread:
            events = await events_of(self._temporal, run)
            for event in events:
                if event.event_id > self._last_event:
                    await self._callers.read(event, self._temporal.data_converter)
                    self._last_event = event.event_id
            if run != self._unread[-1]:
                self._last_event = 0
        self._unread = self._unread[-1:]
        return events


async def _present_entries(
    temporal: TemporalClient,
    reader: _LedgerReader,
    described: WorkflowExecutionDescription,
    entries_of: Callable[[Run], AsyncIterator[LedgerEntry]],
) -> AsyncIterator[LedgerEntry]:
    last = Run(described.id, described.run_id)
    run: Run | None = await oldest_run_of(temporal, described)
    while run is not None:
        async for entry in entries_of(run):
            yield entry
        run = None if run == last else await run_after(temporal, run)
    if not is_open(described.status):
        async for entry in reader.closing_of(last):
            yield entry


async def oldest_run_of(temporal: TemporalClient, described: WorkflowExecutionDescription) -> Run:
    """Return the first run that Temporal still has: retention may delete those of a long job before the others."""
    first = described.raw_description.workflow_execution_info.first_run_id or described.run_id
    if await find_workflow(temporal, described.id, first):
        return Run(described.id, first)
    oldest = Run(described.id, described.run_id)
    while before := await run_before(temporal, oldest):
        if not await find_workflow(temporal, described.id, before.run_id):
            break
        oldest = before
    return oldest


async def _patiently(reader: _LedgerReader, run: Run) -> AsyncIterator[LedgerEntry]:
    """Wait for the next worker; each entry is yielded once, as the reader knows which ones it has read."""
    pauses = back_off(first=0.2, most=5.0)
    while True:
        try:
            async for entry in reader.entries_of(run):
                yield entry
        except WorkerAwayError:
            await asyncio.sleep(next(pauses))
        else:
            return


_HOW = {"terminated": "terminated", "timed out": "ended by a timeout of Temporal"}


def _closing_entry(last: dict[str, Any] | None, event: HistoryEvent) -> dict[str, Any] | None:
    """Return None if the job's own code closed the workflow."""
    if event.HasField("workflow_execution_timed_out_event_attributes"):
        how, why = "timed out", ""
    elif event.HasField("workflow_execution_terminated_event_attributes"):
        how, why = "terminated", event.workflow_execution_terminated_event_attributes.reason
    else:
        return None
    before = last or {}
    kept: dict[str, Any] = {key: before[key] for key in ("attempt", "revision", "counts", "restarts") if key in before}
    return {
        "attempt": 1,
        "revision": 1,
        **kept,
        "seq": before.get("seq", 0) + 1,
        "at": event.event_time.ToJsonString(),
        "from": before.get("to"),
        "to": "Stopped",
        "phase": "Stopped",
        "cause": {"type": "closed", "how": how, "who": {}, **({"why": why} if why else {})},
        "message": f"the workflow was {_HOW[how]}{f': {why}' if why else ''}",
        "reason": "WorkflowTerminated",
    }
