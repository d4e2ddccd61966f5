"""Follows a workflow through its history: a long poll costs the workers nothing while nothing changes."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from temporalio.api.common.v1 import WorkflowExecution as ProtoExecution
from temporalio.api.enums.v1 import EventType, HistoryEventFilterType
from temporalio.api.workflowservice.v1 import GetWorkflowExecutionHistoryRequest
from temporalio.service import RPCError

from ._temporal import back_off, is_transient

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence

    from temporalio.api.history.v1 import HistoryEvent
    from temporalio.api.workflowservice.v1 import GetWorkflowExecutionHistoryResponse
    from temporalio.client import Client as TemporalClient

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
    async for batch in _batches(temporal, run, HistoryEventFilterType.HISTORY_EVENT_FILTER_TYPE_CLOSE_EVENT):
        last = ClosedRun(batch.run.workflow_id, batch.run.run_id, batch.events[-1])
    if last is None:
        raise RuntimeError(f"{run.workflow_id}: Temporal returned no event that closes run {run.run_id}")
    return last


async def steps_of(temporal: TemporalClient, run: Run) -> AsyncIterator[Run]:
    """Yield whenever the workflow's state may have changed: only a completed workflow task changes it."""
    async for batch in _batches(temporal, run, HistoryEventFilterType.HISTORY_EVENT_FILTER_TYPE_ALL_EVENT):
        completed = EventType.EVENT_TYPE_WORKFLOW_TASK_COMPLETED
        if not batch.is_last and any(event.event_type == completed for event in batch.events):
            yield batch.run


async def run_after(temporal: TemporalClient, run: Run) -> Run | None:
    """Return the run in which a closed run was continued."""
    event = await _one_event(temporal, run, HistoryEventFilterType.HISTORY_EVENT_FILTER_TYPE_CLOSE_EVENT)
    following = continued_as(event) if event else ""
    return Run(run.workflow_id, following) if following else None


async def run_before(temporal: TemporalClient, run: Run) -> Run | None:
    """Return the run that this one continues."""
    event = await _one_event(temporal, run, HistoryEventFilterType.HISTORY_EVENT_FILTER_TYPE_ALL_EVENT)
    before = event.workflow_execution_started_event_attributes.continued_execution_run_id if event else ""
    return Run(run.workflow_id, before) if before else None


async def events_of(temporal: TemporalClient, run: Run) -> Sequence[HistoryEvent]:
    """Return the whole history of a run."""
    handle = temporal.get_workflow_handle(run.workflow_id, run_id=run.run_id)
    return (await handle.fetch_history()).events


async def _one_event(
    temporal: TemporalClient, run: Run, event_filter: HistoryEventFilterType.ValueType
) -> HistoryEvent | None:
    request = GetWorkflowExecutionHistoryRequest(
        namespace=temporal.namespace,
        execution=ProtoExecution(workflow_id=run.workflow_id, run_id=run.run_id),
        maximum_page_size=1,
        skip_archival=True,
        history_event_filter_type=event_filter,
    )
    answer = await temporal.workflow_service.get_workflow_execution_history(request)
    return answer.history.events[0] if answer.history.events else None


async def _batches(
    temporal: TemporalClient, first: Run, event_filter: HistoryEventFilterType.ValueType
) -> AsyncIterator[_Batch]:
    """Yield batches of events until the last run of the chain has closed."""
    run, token = first, b""
    while True:
        request = GetWorkflowExecutionHistoryRequest(
            namespace=temporal.namespace,
            execution=ProtoExecution(workflow_id=run.workflow_id, run_id=run.run_id),
            wait_new_event=True,
            next_page_token=token,
            skip_archival=True,
            history_event_filter_type=event_filter,
        )
        answer = await _until_answered(temporal, request)
        events = answer.history.events
        following = continued_as(events[-1]) if events else ""
        is_last = not following and not answer.next_page_token
        if events:
            yield _Batch(run, events, is_last)
        if is_last:
            return
        run = Run(run.workflow_id, following) if following else run
        token = b"" if following else answer.next_page_token


async def _until_answered(
    temporal: TemporalClient, request: GetWorkflowExecutionHistoryRequest
) -> GetWorkflowExecutionHistoryResponse:
    pauses = back_off(first=0.2, most=5.0)
    while True:
        try:
            return await temporal.workflow_service.get_workflow_execution_history(request, timeout=_POLL)
        except RPCError as error:
            if not is_transient(error):
                raise
            await asyncio.sleep(next(pauses))


def continued_as(event: HistoryEvent) -> str:
    """Return the id of the run that continues this one."""
    return (
        event.workflow_execution_continued_as_new_event_attributes.new_execution_run_id
        or event.workflow_execution_completed_event_attributes.new_execution_run_id
        or event.workflow_execution_failed_event_attributes.new_execution_run_id
        or event.workflow_execution_timed_out_event_attributes.new_execution_run_id
    )
