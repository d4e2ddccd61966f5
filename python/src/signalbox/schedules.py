"""Schedules: jobs that start by the clock."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Literal

from typing_extensions import Unpack

from ._context import Context
from ._known_options import refuse_unknown_options
from ._manifest import Manifest, manifest_fields
from ._options import OverlapPolicy, ScheduleOptions
from ._rpc import Answer
from ._schedule_plans import Milliseconds, ScheduleChange, SchedulePlan, create_schedule, send_change


class StartedRun(Answer):
    """A job of a schedule."""

    workflow_id: str
    run_id: str


class ScheduledRun(StartedRun):
    """A start by a schedule."""

    due_at: datetime


class ScheduleCounts(Answer):
    """What became of the times at which a job was due."""

    started: int
    skipped: int
    """Because an earlier one still ran."""
    missed: int
    """While Temporal was away."""


class ScheduleSummary(Answer):
    """What a list shows of a schedule."""

    schedule_id: str
    namespace: str
    name: str
    kind: str
    when: Sequence[str]
    """In words, e.g. `0 2 * * * (Europe/Berlin)` or `every 6h`."""
    paused: bool
    note: str | None = None
    next_runs: Sequence[datetime]
    """The next times at which a job is due."""
    last_runs: Sequence[ScheduledRun]
    """The latest starts, latest first."""


class ScheduleDetails(ScheduleSummary):
    """A schedule with all that Temporal knows of it."""

    overlap: OverlapPolicy | Literal["terminate"]
    """`terminate` only if another tool chose it."""
    catch_up: Milliseconds
    pause_on_failure: bool
    running: Sequence[StartedRun]
    """Jobs that run now."""
    counts: ScheduleCounts
    submitted_by: str | None = None
    created_at: datetime
    manifest: Any


class Schedules:
    """Jobs that start by the clock, `Client.schedules` (docs/temporal.md#schedules).

    Each has the name of the manifest and the time at which it was due, e.g. `nightly-20261122-043602`. Temporal starts
    them: no process of signalbox has to run for that but a worker. All methods need a worker, which checks and plans;
    Temporal then hears from this program. A schedule is named by the name and namespace of its jobs, or by the id that
    Temporal knows it by. Methods about one raise `ScheduleNotFoundError`.
    """

    def __init__(self, context: Context) -> None:
        self._context = context

    async def create(self, manifest: Manifest, **options: Unpack[ScheduleOptions]) -> ScheduleDetails:
        """Create a schedule for the jobs of a manifest.

        Raises `InvalidManifestError` and `InvalidScheduleError` before creating anything, and `ScheduleExistsError` if
        there is one of this name.

        ```python
        await client.schedules.create(manifest, cron=["0 2 * * *"], time_zone="Europe/Berlin", overlap="queue-one")
        ```
        """
        refuse_unknown_options("create", options, ScheduleOptions)
        asked = {**_request(options), "manifest": manifest_fields(manifest), "submitted_by": self._context.user}
        asked["namespace"] = options.get("namespace") or self._context.namespace
        timeout = options.get("timeout")
        about = options.get("name") or "schedule"
        plan = SchedulePlan.model_validate(
            await self._context.ask_engine("planSchedule", about, asked, timeout=timeout)
        )
        await self._context.ask(plan.schedule_id, lambda: create_schedule(self._context, plan), timeout=timeout)
        return await self.get(schedule_id=plan.schedule_id)

    async def list(self, *, namespace: str | None = None) -> Sequence[ScheduleSummary]:
        """Return schedules of jobs, those of other tools included; of all namespaces, or of one."""
        return await self._context.records(ScheduleSummary, "schedules", "schedules", {"namespace": namespace})

    async def get(
        self, name: str | None = None, *, namespace: str | None = None, schedule_id: str | None = None
    ) -> ScheduleDetails:
        """Return a schedule with its times, its jobs and its manifest."""
        named = self._named(name, namespace, schedule_id)
        return ScheduleDetails.model_validate(await self._context.ask_engine("schedule", _about(named), named))

    async def pause(
        self,
        name: str | None = None,
        *,
        namespace: str | None = None,
        schedule_id: str | None = None,
        why: str | None = None,
    ) -> None:
        """Start no job until the schedule is unpaused. Running jobs continue."""
        await self._change(self._named(name, namespace, schedule_id), {"change": "pause", "why": why})

    async def unpause(
        self,
        name: str | None = None,
        *,
        namespace: str | None = None,
        schedule_id: str | None = None,
        why: str | None = None,
    ) -> None:
        """Start jobs again when they are due."""
        await self._change(self._named(name, namespace, schedule_id), {"change": "unpause", "why": why})

    async def delete(
        self, name: str | None = None, *, namespace: str | None = None, schedule_id: str | None = None
    ) -> None:
        """Delete a schedule. Running jobs continue."""
        await self._change(self._named(name, namespace, schedule_id), {"change": "delete"})

    async def trigger(
        self,
        name: str | None = None,
        *,
        namespace: str | None = None,
        schedule_id: str | None = None,
        overlap: OverlapPolicy | None = None,
    ) -> None:
        """Start a job now, also if the schedule is paused. `overlap`: default `allow`."""
        await self._change(self._named(name, namespace, schedule_id), {"change": "trigger", "overlap": overlap})

    async def backfill(
        self,
        name: str | None = None,
        *,
        start: datetime,
        end: datetime,
        namespace: str | None = None,
        schedule_id: str | None = None,
        overlap: OverlapPolicy | None = None,
    ) -> None:
        """Start the jobs that were due in a time that has passed. `overlap`: default `queue-all`."""
        change = {"change": "backfill", "overlap": overlap, "from": start, "to": end}
        await self._change(self._named(name, namespace, schedule_id), change)

    def _named(self, name: str | None, namespace: str | None, schedule_id: str | None) -> dict[str, Any]:
        if (name is None) == (schedule_id is None):
            raise TypeError("expected either the name of a schedule or a schedule_id")
        if name is None:
            return {"schedule_id": schedule_id}
        return {"name": name, "namespace": namespace or self._context.namespace}

    async def _change(self, named: Mapping[str, Any], change: Mapping[str, Any]) -> None:
        asked = {**named, **change, "submitted_by": self._context.user}
        plan = ScheduleChange.model_validate(await self._context.ask_engine("planScheduleChange", _about(named), asked))
        # Some changes are other changes when they are made twice.
        await self._context.ask(plan.schedule_id, lambda: send_change(self._context, change["change"], plan), timeout=0)


def _about(named: Mapping[str, Any]) -> str:
    return str(named.get("schedule_id") or f"{named['namespace']}/{named['name']}")


_DURATIONS = ("every", "offset", "jitter", "catch_up")
_AS_THEY_ARE = ("name", "time_zone", "overlap", "start_at", "end_at", "pause_on_failure", "paused", "note")


def _request(options: ScheduleOptions) -> dict[str, Any]:
    cron = options.get("cron")
    labels = options.get("labels")
    return {
        **{key: options.get(key) for key in (*_AS_THEY_ARE, "strict")},
        **{key: _milliseconds(options.get(key)) for key in _DURATIONS},
        "cron": None if cron is None else _listed(cron),
        "labels": None if labels is None else dict(labels),
    }


def _listed(cron: str | Iterable[str]) -> Sequence[str]:
    return [cron] if isinstance(cron, str) else list(cron)


def _milliseconds(duration: object) -> int | None:
    if duration is None:
        return None
    if isinstance(duration, timedelta):
        return round(duration.total_seconds() * 1000)
    if isinstance(duration, (int, float)):
        return round(duration * 1000)
    raise TypeError(f"expected a timedelta or a number of seconds, got {duration!r}")
