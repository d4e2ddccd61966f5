"""Options that several calls share, by keyword."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Literal, TypeAlias

from typing_extensions import Required, TypedDict


class CleanUpOptions(TypedDict, total=False):
    """How long a new job may wait for its name. The last job of the name keeps it until it has been cleaned up."""

    clean_up_timeout: float | None
    """For how many seconds; default: 600. Then, and if its failed pods are held, the call raises `NameTakenError`."""
    clean_up_end: asyncio.Event | None
    """Set it to end only that wait, with `NameTakenError`: nothing was started then."""
    on_clean_up: Callable[[str], None] | None
    """Called with a sentence when the call begins to wait for a clean-up, and when the reason changes."""


class SubmitManyOptions(CleanUpOptions, total=False):
    """How many manifests are submitted."""

    key: str | None
    """Identifies this submission, e.g. `f"{pipeline_run}/train"`. A program that restarts gets its job again."""
    labels: Mapping[str, str] | None
    """Added to the manifest's metadata.labels."""
    timeout: float | None
    """For how many seconds the submission is repeated while servers are away; default: 10."""
    why: str | None
    """Why the job is run; recorded."""
    namespace: str | None
    """Namespace of a job whose manifest has none."""
    rerun: bool
    """Run a completed job again. Refused with a key: another key runs it again."""
    strict: bool
    """Refuse unknown fields before anything is started; default: True."""


class SubmitOptions(SubmitManyOptions, total=False):
    """How a manifest is submitted."""

    workflow_id: str | None
    """Default: `job/NAMESPACE/NAME`."""


class ApplyOptions(CleanUpOptions, total=False):
    """How a manifest is applied."""

    why: str | None
    """Why; recorded with the job, or with each of its changes."""
    namespace: str | None
    """Namespace of a job whose manifest has none."""
    strict: bool
    """Refuse unknown fields before anything is started or changed; default: True."""
    dry_run: bool
    """Say what would be done, and do nothing."""
    timeout: float | None
    """For how many seconds servers are asked again while they are away; default: 10."""


class SweepOptions(TypedDict, total=False):
    """Which trials a parameter sweep has, and how it runs them."""

    set: Required[Mapping[str, Iterable[Any]]]
    """The values of each parameter: there is a trial for each combination."""
    env: Mapping[str, str | float | bool] | None
    """Environment variables of every container of every role, the same in all trials."""
    at_most: int | None
    """How many trials run at once, up to 1000; default: 50."""
    name: str | None
    """Name of the sweep; its trials are NAME-0, NAME-1, …; default: that of the manifest."""
    namespace: str | None
    """Namespace of a manifest that has none."""
    rerun: bool
    """Also run trials that an earlier sweep of this name has completed."""
    stop_on_failure: bool
    """When a trial has failed, start no more, and stop those that run. The sweep has then Failed."""
    why: str | None
    """Why the trials are run; recorded."""
    strict: bool
    """Refuse unknown fields before anything is started; default: True."""
    timeout: float | None
    """For how many seconds servers are asked again while they are away; default: 10."""


OverlapPolicy: TypeAlias = Literal["skip", "queue-one", "queue-all", "stop-running", "allow"]
"""What happens when a job is due while an earlier one of the schedule still runs."""


class ScheduleOptions(TypedDict, total=False):
    """When jobs are due, and what else a schedule does: at least one of `cron` and `every`. A number is of seconds."""

    name: str | None
    """Name of the schedule; default: that of the manifest."""
    namespace: str | None
    """Namespace of a job whose manifest has none."""
    cron: str | Iterable[str] | None
    """Cron expressions of five, six or seven fields, or `@hourly`, `@daily`, `@weekly`, `@monthly`, `@yearly`."""
    every: timedelta | float | None
    """Interval, counted from the epoch."""
    offset: timedelta | float | None
    """Shifts the interval: `every` 6 hours with an `offset` of 1 hour is 01:00, 07:00, … UTC."""
    time_zone: str | None
    """IANA name of the zone of `cron`, e.g. `Europe/Berlin`; default: UTC."""
    jitter: timedelta | float | None
    """Each start is delayed by a random time up to this."""
    overlap: OverlapPolicy | None
    """Default: `skip`."""
    catch_up: timedelta | float | None
    """How late a start may be that Temporal missed while it was away; default: one hour."""
    start_at: datetime | None
    """Nothing is due before this time."""
    end_at: datetime | None
    """Nothing is due after this time."""
    pause_on_failure: bool
    """Pause the schedule when one of its jobs has failed."""
    paused: bool
    """Create the schedule paused."""
    note: str | None
    """A note that is shown with the schedule."""
    labels: Mapping[str, str] | None
    """Added to the manifest's metadata.labels."""
    strict: bool
    """Refuse unknown fields before anything is created; default: True."""
    timeout: float | None
    """For how many seconds servers are asked again while they are away; default: 10."""


class RerunOptions(CleanUpOptions, total=False):
    """What is different in a rerun, and how it is submitted."""

    set: Mapping[str, Any] | Sequence[tuple[str, Any]] | None
    """Changes by path, e.g. `{"spec.runPolicy.backoffLimit": 3}`. None removes; pairs allow one path twice. As in a
    sweep, a plain name is an environment variable of the containers that use it."""
    env: Mapping[str, str | float | bool] | None
    """Environment variables of every container of every role."""
    revision: int
    """Sizes and policy of this revision; default: 1, as submitted."""
    new_name: str | None
    """Name of the new job; default: that of its parent, which must have ended."""
    strict: bool
    """Refuse unknown fields, also those of the recorded manifest; default: True."""
    run_id: str | None
    """A run of the parent's workflow id; default: the last one."""
    why: str | None
    """Why; recorded."""
    key: str | None
    """Identifies this rerun: a program that is restarted gets the same job again."""
    timeout: float | None
    """For how many seconds servers are asked again while they are away; default: 10."""


class ClientSettings(TypedDict, total=False):
    """Defaults of a client. What is not given comes from the environment."""

    namespace: str | None
    """Namespace of jobs whose manifest or name has none: SIGNALBOX_NAMESPACE, else `default`."""
    task_queue: str | None
    """Task queue of the workers: SIGNALBOX_TASK_QUEUE, else `signalbox`."""
    submitted_by: str | None
    """Recorded with each submission, and with interventions that name nobody; default: `user@host`."""
    kubeconfig: str | None
    """For logs: SIGNALBOX_KUBECONFIG, else as kubectl."""
    kube_context: str | None
    """For logs: SIGNALBOX_KUBE_CONTEXT, else the current context."""


class Intervention(TypedDict, total=False):
    """Who asks, and why; recorded."""

    by: str | None
    """Default: the client's `submitted_by`."""
    why: str | None


class LedgerChoice(TypedDict, total=False):
    """Which entries of a job's ledger. What is not given matches every entry."""

    attempt: int | None
    """Only this attempt."""
    since: datetime | None
    """Only entries of then or later."""
    start: int | None
    """Only entries from this sequence number on."""


class LogOptions(TypedDict, total=False):
    """Which log to read."""

    role: str | None
    """Only pods of this role."""
    index: int | None
    """Only pods with this replica index."""
    rank: int | None
    """Only the pod with this rank, as its kind numbers pods."""
    pod: str | None
    """Only this pod."""
    all_pods: bool
    """All pods of the job. Default: the main pod, i.e. rank 0 or the launcher."""
    container: str | None
    """Default: the main container."""
    follow: bool
    """Wait for pods to start, continue through restarts, and end with the job."""
    previous: bool
    """Read the run before the container's last restart."""
    tail_lines: int | None
    """Only this many lines from the end."""
    since_seconds: int | None
    timestamps: bool
    """Start each line with its time, as recorded by the cluster."""
