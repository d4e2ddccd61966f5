"""Sends to Temporal what the engine plans of schedules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator
from temporalio.client import (
    Schedule,
    ScheduleActionStartWorkflow,
    ScheduleAlreadyRunningError,
    ScheduleBackfill,
    ScheduleHandle,
    ScheduleIntervalSpec,
    ScheduleOverlapPolicy,
    SchedulePolicy,
    ScheduleSpec,
    ScheduleState,
)
from temporalio.common import SearchAttributePair, TypedSearchAttributes
from temporalio.service import RPCError, RPCStatusCode

from . import _names as names
from ._context import Context
from ._rpc import Answer
from ._temporal import is_about_no_workflow, is_about_search_attributes
from .errors import InvalidScheduleError, ScheduleExistsError, ScheduleNotFoundError


def _from_milliseconds(value: object) -> object:
    return timedelta(milliseconds=value) if isinstance(value, (int, float)) else value


Milliseconds = Annotated[timedelta, BeforeValidator(_from_milliseconds)]
"""A duration that the engine tells in milliseconds."""


class PlannedAction(Answer):
    """What a schedule starts."""

    workflow_id: str
    manifest: dict[str, Any]
    memo: dict[str, Any]
    static_summary: str | None = None
    static_details: str | None = None
    search_attributes: dict[str, Any]


class PlannedInterval(Answer):
    """How often, and by how much later."""

    every: Milliseconds
    offset: Milliseconds | None = None


class PlannedSpec(Answer):
    """When jobs are due."""

    cron_expressions: Sequence[str] = ()
    intervals: Sequence[PlannedInterval] = ()
    timezone: str | None = None
    jitter: Milliseconds | None = None
    start_at: datetime | None = None
    end_at: datetime | None = None


class PlannedPolicies(Answer):
    """What happens while a job runs, and after times that were missed."""

    overlap: str
    catchup_window: Milliseconds
    pause_on_failure: bool


class PlannedState(Answer):
    """Of a new schedule."""

    paused: bool
    note: str | None = None


class SchedulePlan(Answer):
    """A schedule to create."""

    schedule_id: str
    action: PlannedAction
    spec: PlannedSpec
    policies: PlannedPolicies
    state: PlannedState
    memo: dict[str, Any]


class ScheduleChange(Answer):
    """What to send about a schedule that exists."""

    schedule_id: str
    note: str | None = None
    overlap: str | None = None
    start: datetime | None = None
    end: datetime | None = None


async def create_schedule(context: Context, plan: SchedulePlan) -> None:
    """Create a schedule."""
    try:
        await _create(context, plan, plan.action.search_attributes)
    except RPCError as error:
        if not is_about_search_attributes(error):
            raise
        # The first worker registers the search attributes. It will also set them.
        await _create(context, plan, {})


async def _create(context: Context, plan: SchedulePlan, attributes: Mapping[str, Any]) -> None:
    try:
        await context.temporal.create_schedule(
            plan.schedule_id, _schedule_of(context, plan, attributes), memo=plan.memo
        )
    except ScheduleAlreadyRunningError as error:
        raise ScheduleExistsError(plan.schedule_id) from error
    except RPCError as error:
        if error.status != RPCStatusCode.INVALID_ARGUMENT or is_about_search_attributes(error):
            raise
        raise InvalidScheduleError(f"Temporal refused: {error.message}.") from error


def _schedule_of(context: Context, plan: SchedulePlan, attributes: Mapping[str, Any]) -> Schedule:
    action, spec, policies = plan.action, plan.spec, plan.policies
    return Schedule(
        action=ScheduleActionStartWorkflow(
            names.TRAINING_JOB,
            action.manifest,
            id=action.workflow_id,
            task_queue=context.task_queue,
            memo=action.memo,
            static_summary=action.static_summary,
            static_details=action.static_details,
            typed_search_attributes=TypedSearchAttributes(
                [SearchAttributePair(_KEYS[name], value) for name, value in attributes.items()]
            ),
        ),
        spec=ScheduleSpec(
            cron_expressions=spec.cron_expressions,
            intervals=[ScheduleIntervalSpec(every=one.every, offset=one.offset) for one in spec.intervals],
            time_zone_name=spec.timezone,
            jitter=spec.jitter,
            start_at=spec.start_at,
            end_at=spec.end_at,
        ),
        policy=SchedulePolicy(
            overlap=ScheduleOverlapPolicy[policies.overlap],
            catchup_window=policies.catchup_window,
            pause_on_failure=policies.pause_on_failure,
        ),
        state=ScheduleState(paused=plan.state.paused, note=plan.state.note),
    )


_KEYS: Mapping[str, Any] = {
    key.name: key
    for key in (
        names.JOB_KIND,
        names.JOB_NAME,
        names.JOB_NAMESPACE,
        names.JOB_PHASE,
        names.JOB_ATTEMPT,
        names.JOB_SUBMITTED_BY,
        names.JOB_LABELS,
    )
}


async def send_change(
    context: Context,
    change: Literal["pause", "unpause", "delete", "trigger", "backfill"],
    plan: ScheduleChange,
) -> None:
    """Change a schedule."""
    handle = context.temporal.get_schedule_handle(plan.schedule_id)
    try:
        await _send(handle, change, plan)
    except RPCError as error:
        if not is_about_no_workflow(error):
            raise
        # It was deleted since the engine looked.
        raise ScheduleNotFoundError(plan.schedule_id) from error


async def _send(handle: ScheduleHandle, change: str, plan: ScheduleChange) -> None:
    overlap = None if plan.overlap is None else ScheduleOverlapPolicy[plan.overlap]
    if change == "pause":
        await handle.pause(note=plan.note)
    elif change == "unpause":
        await handle.unpause(note=plan.note)
    elif change == "delete":
        await handle.delete()
    elif change == "trigger":
        await handle.trigger(overlap=overlap)
    elif plan.start and plan.end:
        await handle.backfill(ScheduleBackfill(start_at=plan.start, end_at=plan.end, overlap=overlap))
