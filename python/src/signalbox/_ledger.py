"""Reads the ledger of a job: pages of a query over all runs of its workflow, and who asked from their histories."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from temporalio.api.common.v1 import WorkflowExecution as ProtoExecution
from temporalio.api.enums.v1 import HistoryEventFilterType
from temporalio.api.workflowservice.v1 import GetWorkflowExecutionHistoryRequest
from temporalio.client import WorkflowExecutionStatus

from . import _names as names
from ._callers import Callers
from ._follow import continued_as
from ._status import query
from ._temporal import find_workflow
from .models.records import LedgerEntry

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence

    from temporalio.api.history.v1 import HistoryEvent
    from temporalio.client import Client as TemporalClient

    from ._follow import Run

_ANSWER_SECONDS = 60.0
"""How long a worker has to answer. It may have to replay a run of 50,000 events first."""


@dataclass(frozen=True)
class LedgerChoice:
    """Which entries."""

    attempt: int | None = None
    since: datetime | None = None

    def includes(self, entry: LedgerEntry) -> bool:
        """Return whether the entry is one of these."""
        if self.attempt is not None and entry.attempt != self.attempt:
            return False
        return self.since is None or datetime.fromisoformat(entry.at.replace("Z", "+00:00")) >= self.since


class LedgerReader:
    """Reads the entries of a chain of runs, run by run, each entry once and with who asked."""

    def __init__(self, temporal: TemporalClient) -> None:
        self._temporal = temporal
        self._callers = Callers()
        self._unread: list[Run] = []
        self._last_event = 0
        self._next: int | None = 1

    async def entries_of(self, run: Run) -> AsyncIterator[LedgerEntry]:
        """Yield the entries of a run that have not been read yet. Runs in the order of their chain."""
        if run not in self._unread:
            self._unread.append(run)
        following = self._next
        while following is not None:
            argument = {"from": following}
            page = await query(self._temporal, run, names.LEDGER_QUERY, _ANSWER_SECONDS, argument)
            entries: list[dict[str, Any]] = page["entries"]
            # After the entries, so that the events have all that the entries stem from.
            if any("who" in entry["cause"] for entry in entries):
                await self._read_events()
            for entry in entries:
                self._next = entry["seq"] + 1
                yield LedgerEntry.model_validate(self._callers.join(entry))
            following = page.get("next")

    async def _read_events(self) -> None:
        """A signal may be in one run, and its entry in the next one."""
        for run in self._unread:
            for event in await events_of(self._temporal, run):
                if event.event_id > self._last_event:
                    self._callers.read(event)
                    self._last_event = event.event_id
            if run is not self._unread[-1]:
                self._last_event = 0
        self._unread = self._unread[-1:]


async def present_entries(
    temporal: TemporalClient, reader: LedgerReader, run: Run, last: Run
) -> AsyncIterator[LedgerEntry]:
    """Yield the entries of all runs from one to the last."""
    current: Run | None = run
    while current is not None:
        async for entry in reader.entries_of(current):
            yield entry
        current = None if current == last else await _next_of(temporal, current)
