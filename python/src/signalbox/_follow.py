"""Follows a workflow through its history: a long poll costs the workers nothing while nothing changes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from datetime import timedelta

from temporalio.api.enums.v1 import EventType
from temporalio.api.history.v1 import HistoryEvent
from temporalio.client import Client as TemporalClient
from temporalio.client import WorkflowHistoryEventAsyncIterator, WorkflowHistoryEventFilterType
from temporalio.service import RPCError

from ._temporal import back_off, is_transient

_POLL = timedelta(seconds=70)
"""The server answers a long poll after 20 seconds."""


@dataclass(frozen=True)
class Run:
    """One run of a workflow."""

    workflow_id: str
    run_id: str


@dataclass(frozen=True)
class ClosedRun(Run):
    """The last run of a chain, and the event that closed it."""

    close: HistoryEvent


@dataclass(frozen=True)
class _Batch:
    run: Run
    events: Sequence[HistoryEvent]
    is_last: bool


async def closed_run_of(temporal: TemporalClient, run: Run) -> ClosedRun:
    """Wait until the last run of the chain has closed. Continue through restarts of the server."""
    last: ClosedRun | None = None
    async for batch in _batches(temporal, run, WorkflowHistoryEventFilterType.CLOSE_EVENT):
        last = ClosedRun(batch.run.workflow_id, batch.run.run_id, batch.events[-1])
    if last is None:
        raise RuntimeError(f"{run.workflow_id}: Temporal returned no event that closes run {run.run_id}")
    return last


async def steps_of(temporal: TemporalClient, run: Run) -> AsyncIterator[Run]:
    """Yield whenever the workflow's state may have changed: only a completed workflow task changes it."""
    async for batch in _batches(temporal, run, WorkflowHistoryEventFilterType.ALL_EVENT):
        completed = EventType.EVENT_TYPE_WORKFLOW_TASK_COMPLETED
        if not batch.is_last and any(event.event_type == completed for event in batch.events):
            yield batch.run


async def _batches(
    temporal: TemporalClient, first: Run, event_filter: WorkflowHistoryEventFilterType
) -> AsyncIterator[_Batch]:
    """Yield batches of events until the last run of the chain has closed."""
    run = first
    while True:
        handle = temporal.get_workflow_handle(run.workflow_id, run_id=run.run_id)
        pages = handle.fetch_history_events(
            wait_new_event=True, event_filter_type=event_filter, skip_archival=True, rpc_timeout=_POLL
        )
        following = ""
        while not following:
            await _fetch_next(pages)
            events = pages.current_page or ()
            following = _continued_as(events[-1]) if events else ""
            is_last = not following and not pages.next_page_token
            if events:
                yield _Batch(run, events, is_last)
            if is_last:
                return
        run = Run(run.workflow_id, following)


async def _fetch_next(pages: WorkflowHistoryEventAsyncIterator) -> None:
    """Fetch the next page, also from a server that was restarted meanwhile."""
    pauses = back_off(first=0.2, most=5.0)
    while True:
        try:
            return await pages.fetch_next_page()
        except RPCError as error:
            if not is_transient(error):
                raise
            await asyncio.sleep(next(pauses))


def _continued_as(event: HistoryEvent) -> str:
    """Return the id of the run that continues this one."""
    return (
        event.workflow_execution_continued_as_new_event_attributes.new_execution_run_id
        or event.workflow_execution_completed_event_attributes.new_execution_run_id
        or event.workflow_execution_failed_event_attributes.new_execution_run_id
        or event.workflow_execution_timed_out_event_attributes.new_execution_run_id
    )
