"""The API for programs: submits jobs, finds them, lists them."""

from __future__ import annotations

import getpass
import os
import socket
from collections.abc import AsyncIterable, AsyncIterator, Awaitable, Callable, Generator, Iterable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from functools import partial
from typing import Any, Generic, TypeVar, cast

from temporalio.client import Client as TemporalClient
from temporalio.converter import DataConverter
from temporalio.service import TLSConfig
from typing_extensions import Self, Unpack

from . import _names as names
from ._apply import apply_manifest
from ._check_fields import check_fields
from ._context import Context
from ._did_you_mean import nearest
from ._in_flight import in_flight
from ._known_options import refuse_unknown_options
from ._list import count_jobs, list_jobs
from ._manifest import Manifest, ManifestFields, checked_manifest, with_generated_name, with_own_name
from ._manifest_hash import manifest_hash_of
from ._options import (
    ApplyOptions,
    ClientSettings,
    RerunOptions,
    SubmitManyOptions,
    SubmitOptions,
    SweepOptions,
)
from ._plans import Applied, ParentJob, RerunPlan
from ._settings import connection_settings, variable
from ._start import Submission
from ._submit import submit_in_turn
from ._temporal import connect_temporal, find_workflow
from .archive import Archive, ArchivedJob
from .cost import PeriodOptions, PeriodReport, UseGroup, prices_document
from .errors import Fault, InvalidManifestError, JobNotFoundError
from .job import Job
from .lanes import Lanes
from .models.filters import FilterOptions
from .models.records import WhyAnswer
from .outcome import Outcome
from .schedules import Schedules
from .submission import SubmissionAttempt
from .summary import JobSummary
from .sweep import Sweep, listed, start_sweep

T = TypeVar("T")

_MOST_LISTED = 20
"""No user would choose from more jobs of one name."""
_MOST_COMPARED = 500
"""One page of what is newest."""


class Client:
    """Submits jobs, finds them, lists them.

    ```python
    async with Client.connect() as client:
        job = await client.submit(manifest, key="nightly-42")
        outcome = await job.wait()
    ```
    """

    def __init__(self, temporal: TemporalClient, **settings: Unpack[ClientSettings]) -> None:
        """Use a connected Temporal client. `Client.connect` makes one."""
        refuse_unknown_options("Client", settings, ClientSettings)
        self._temporal = temporal
        self._context = Context(
            temporal,
            settings.get("task_queue") or variable("SIGNALBOX_TASK_QUEUE") or names.DEFAULT_TASK_QUEUE,
            settings.get("namespace") or variable("SIGNALBOX_NAMESPACE") or "default",
            settings.get("submitted_by") or current_user(),
            settings.get("kubeconfig") or variable("SIGNALBOX_KUBECONFIG"),
            settings.get("kube_context") or variable("SIGNALBOX_KUBE_CONTEXT"),
        )

    @classmethod
    def connect(
        cls,
        address: str | None = None,
        *,
        temporal_namespace: str | None = None,
        api_key: str | None = None,
        tls: TLSConfig | bool | None = None,
        data_converter: DataConverter | None = None,
        **settings: Unpack[ClientSettings],
    ) -> Connecting[Self]:
        """Connect to Temporal: `await Client.connect()`, or `async with Client.connect() as client`.

        What is not given comes from the environment variables of the command line, e.g. TEMPORAL_ADDRESS,
        TEMPORAL_NAMESPACE, TEMPORAL_API_KEY and TEMPORAL_TLS_*. The other settings are those of `Client`. Raises
        `ServerAwayError` if Temporal does not answer within ten seconds.
        """

        async def connect() -> Self:
            found = connection_settings(address, temporal_namespace, api_key, tls)
            return cls(await connect_temporal(found, data_converter), **settings)

        return Connecting(connect)

    async def close(self) -> None:
        """Release what the client holds. Temporal's client closes its connection when it is collected."""

    async def submit(self, manifest: Manifest, **options: Unpack[SubmitOptions]) -> Job:
        """Start a job, or find it already started. Returns its handle; `job.submission` says which.

        Submitting the same manifest twice creates one job. With a `key`, the run that has this key is returned
        whatever its state. While an ended job of the name is cleaned up, it waits (`clean_up_timeout`). Raises
        `InvalidManifestError` with all faults, `NameTakenError` if a live job has the name, `KeyReusedError` if the
        key belongs to another manifest.
        """
        refuse_unknown_options("submit", options, SubmitOptions)
        return await self._submit_given(manifest, options, partial(with_generated_name, key=options.get("key")))

    async def submit_many(
        self, manifests: Iterable[Manifest] | AsyncIterable[Manifest], **options: Unpack[SubmitManyOptions]
    ) -> AsyncIterator[SubmissionAttempt]:
        """Submit many jobs, several at once, and yield what became of each as it is known: its job, or its error.

        Takes the next manifest only when a submission has ended. Called again with the same manifests, it continues
        where it stopped: what was started is found again, with a `key` also what has failed since; then each manifest
        needs a name of its own. Leaving the loop starts no more. Raises `ServerAwayError` if Temporal does not answer.

        ```python
        async for attempt in client.submit_many(manifests, key="trials-7"):
            print(attempt.index, attempt.error or attempt.job.submission)
        ```
        """
        refuse_unknown_options("submit_many", options, SubmitManyOptions)
        named = partial(with_generated_name, key=None) if options.get("key") is None else with_own_name

        async def submit(manifest: Manifest) -> Job:
            return await self._submit_given(manifest, _submit_options(options), named)

        async for attempt in in_flight(manifests, submit):
            yield SubmissionAttempt(attempt)

    async def apply(self, manifest: Manifest, **options: Unpack[ApplyOptions]) -> Job:
        """Make the job of a name what its manifest says: start it, change the live one, or leave it as it is.

        `job.applied` says what was done, with the changes; with `dry_run`, what would be done. A live job can change
        its sizes, policy, limits and suspension, and a suspended one its templates; an ended job with this manifest is
        not run again. Needs a worker. Raises `InvalidManifestError` for what a live job keeps, by path; then nothing
        was changed.
        """
        refuse_unknown_options("apply", options, ApplyOptions)
        checked = checked_manifest(manifest, namespace=options.get("namespace") or self._context.namespace)
        submission = _submit_options(options, rerun=True)

        async def start(applied: Applied) -> Job:
            return await self._submit(checked, submission, applied=applied)

        return await apply_manifest(self._context, checked, options, start)

    async def sweep(self, manifest: Manifest, **options: Unpack[SweepOptions]) -> Sweep:
        """Run a job for each combination of values, at most `at_most` at once; a worker starts them.

        A plain name in `set` is an environment variable of the containers that use it, e.g. as `$(lr)` in args; a name
        with a dot is the path of a field. The same sweep again finds the one that runs or, after its end, runs the
        trials that have not completed. Needs a worker. Raises `InvalidManifestError` with the faults of all trials, and
        `NameTakenError` if another sweep of the name runs.

        ```python
        sweep = await client.sweep(manifest, set={"lr": [0.1, 0.01], "seed": range(3)}, at_most=4)
        summary = await sweep.wait()
        ```
        """
        refuse_unknown_options("sweep", options, SweepOptions)
        return await start_sweep(self._context, manifest, options)

    def sweep_named(self, name: str, *, namespace: str | None = None) -> Sweep:
        """Return a handle for the newest sweep of a name. Sends no request."""
        return Sweep(self._context, name, namespace or self._context.namespace)

    async def rerun(
        self,
        name: str | None = None,
        *,
        namespace: str | None = None,
        workflow_id: str | None = None,
        archived: ArchivedJob | None = None,
        **options: Unpack[RerunOptions],
    ) -> Job:
        """Start a new job from the recorded manifest of another one: by name, by workflow id, or an archived one.

        By default the new job has its parent's name and workflow id, and the parent must have ended. Needs a worker.
        Raises `InvalidManifestError` with all faults of the changes, and `NameTakenError` if a job of the name is live.
        """
        plan = await self.plan_rerun(name, namespace=namespace, workflow_id=workflow_id, archived=archived, **options)
        checked = checked_manifest(plan.manifest, namespace=plan.namespace)
        parents_id = None if options.get("new_name") else plan.parent.workflow_id
        submission = _submit_options(options, rerun=True, workflow_id=parents_id)
        return await self._submit(checked, submission, parent=plan.parent)

    async def plan_rerun(
        self,
        name: str | None = None,
        *,
        namespace: str | None = None,
        workflow_id: str | None = None,
        archived: ArchivedJob | None = None,
        **options: Unpack[RerunOptions],
    ) -> RerunPlan:
        """Return what `rerun` would submit. Needs a worker."""
        refuse_unknown_options("rerun", options, RerunOptions)
        if archived is None:
            parent = (await self.find(name, namespace=namespace, workflow_id=workflow_id)).workflow_id
            asked: dict[str, Any] = {"job": {"workflowId": parent}, "run_id": options.get("run_id")}
        else:
            if name is not None or workflow_id is not None:
                raise TypeError("expected a name, a workflow_id or an archived job, got two of them")
            parent = archived.workflow_id
            asked = {"archived": {"workflowId": parent, "firstRunId": archived.first_run_id}}
        changes = options.get("set") or {}
        asked["set"] = list(changes.items() if isinstance(changes, Mapping) else changes)
        asked["name"] = options.get("new_name")
        asked |= {key: options.get(key) for key in ("env", "revision", "strict")}
        timeout = options.get("timeout")
        return RerunPlan.model_validate(await self._context.ask_engine("planRerun", parent, asked, timeout=timeout))

    async def submit_and_wait(self, manifest: Manifest, **options: Unpack[SubmitOptions]) -> Outcome:
        """Submit a manifest and wait for the outcome. With a `key`, a program that restarts gets the same job."""
        return await (await self.submit(manifest, **options)).wait()

    def job(self, name: str | None = None, *, namespace: str | None = None, workflow_id: str | None = None) -> Job:
        """Return a handle for a job by name and namespace, or by workflow id. Sends no request."""
        return Job(self._context, self._context.workflow_id(name, namespace, workflow_id))

    async def find(
        self,
        name: str | None = None,
        *,
        namespace: str | None = None,
        workflow_id: str | None = None,
        run: str | None = None,
    ) -> Job:
        """Return a handle like `job`, but ask Temporal, so that it also finds a job with a custom workflow id.

        `run` chooses one of several jobs that had the name, and needs a worker: `-1` is the job before the newest, `-2`
        the one before that, anything else the beginning of a run id. Jobs that Temporal no longer has are in the
        archive. Raises `JobNotFoundError`, with the workflow ids if several jobs have the name; `AmbiguousRunError`.
        """
        context, usual = self._context, self._context.workflow_id(name, namespace, workflow_id)
        if run is not None:
            asked = {**context.selector(name, namespace, workflow_id), "run": run}
            found = await context.ask_engine("find", usual, asked)
            return Job(context, found["workflowId"], found["runId"], first_run_id=found["firstRunId"])

        async def ask() -> str:
            if name is None or await find_workflow(self._temporal, usual):
                return usual
            return await self._only_id(usual, {"name": name, "namespace": namespace or context.namespace})

        return Job(context, await context.ask(usual, ask))

    async def list(self, *, limit: int | None = None, **chosen: Unpack[FilterOptions]) -> AsyncIterator[JobSummary]:
        """Yield recorded jobs: live ones first, newest first in each group."""
        refuse_unknown_options("list", chosen, FilterOptions)
        with self._context.errors(""):
            async for job in list_jobs(self._temporal, chosen, limit):
                yield job

    async def count(self, **chosen: Unpack[FilterOptions]) -> dict[str, int]:
        """Return the number of jobs by phase."""
        refuse_unknown_options("count", chosen, FilterOptions)
        return await self._context.ask("", lambda: count_jobs(self._temporal, chosen))

    async def why_waiting(
        self, manifest: Manifest, *, namespace: str | None = None, strict: bool | None = None
    ) -> WhyAnswer:
        """Return whether a job would wait if it was submitted now, and why, as `Job.why_waiting` does of a live one.

        Creates nothing. Needs a worker, which reads the cluster with its own rights. Raises `InvalidManifestError` with
        all faults.
        """
        found = namespace or self._context.namespace
        checked = checked_manifest(manifest, namespace=found, named=partial(with_generated_name, key=None))
        about = names.workflow_id_of(checked["metadata"]["name"], checked["metadata"]["namespace"])
        asked = {"manifest": checked, "namespace": found, "strict": strict}
        return WhyAnswer.model_validate(await self._context.ask_engine("whyManifest", about, asked))

    async def cost(self, by: Sequence[str], **period: Unpack[PeriodOptions]) -> Sequence[UseGroup]:
        """Return what the devices of all jobs were used for, and what that cost, added up: archived and live jobs.

        `by` has `namespace`, `user`, `kind`, `job`, `day`, `use`, `cause`, `resource`, `product`, or labels of jobs.
        The figures are those of each job, and of `signalbox cost --by` (docs/cost.md). Needs a worker. Raises
        `RefusedError` for a key that is no label of any job, and for invalid prices.
        """
        asked = {"by": listed(by), **_period("cost", period)}
        return await self._context.records(UseGroup, "costBy", "cost", asked)

    async def report(self, **period: Unpack[PeriodOptions]) -> PeriodReport:
        """Return what became of the jobs of a namespace, or of all, within some days, and of what they held."""
        asked = _period("report", period)
        return PeriodReport.model_validate(await self._context.ask_engine("report", "report", asked))

    @property
    def lanes(self) -> Lanes:
        """The lanes that jobs wait in."""
        return Lanes(self._context)

    @property
    def schedules(self) -> Schedules:
        """Jobs that start by the clock."""
        return Schedules(self._context)

    @property
    def archive(self) -> Archive:
        """The record of ended jobs, which outlives Temporal's."""
        return Archive(self._context)

    async def _submit_given(
        self, manifest: Manifest, options: SubmitOptions, named: Callable[[Mapping[str, Any]], dict[str, Any]]
    ) -> Job:
        if options.get("key") is not None and options.get("rerun"):
            expected = "no rerun with a key, as a key that was used finds its run again"
            raise InvalidManifestError([Fault("rerun", expected, "True")], of="submit")
        checked = checked_manifest(
            manifest,
            namespace=options.get("namespace") or self._context.namespace,
            named=named,
            labels=options.get("labels"),
        )
        check_fields(checked, strict=options.get("strict", True))
        return await self._submit(checked, options)

    async def _submit(
        self,
        checked: ManifestFields,
        options: SubmitOptions,
        *,
        parent: ParentJob | None = None,
        applied: Applied | None = None,
    ) -> Job:
        metadata = checked["metadata"]
        workflow_id = options.get("workflow_id") or names.workflow_id_of(metadata["name"], metadata["namespace"])
        submission = Submission(
            manifest=checked,
            workflow_id=workflow_id,
            hash=manifest_hash_of(checked),
            task_queue=self._context.task_queue,
            submitted_by=self._context.user,
            key=options.get("key"),
            why=options.get("why"),
            rerun=options.get("rerun", False),
            parent=parent,
        )
        found = await submit_in_turn(self._context, submission, options)
        return Job(self._context, found.workflow_id, found.run_id, submission=found.result, applied=applied)

    async def _only_id(self, usual: str, chosen: FilterOptions) -> str:
        """Return the id of the one live job, or of the one ended job if none is live."""
        found = [job async for job in list_jobs(self._temporal, chosen, _MOST_LISTED)]
        live = [job for job in found if not job.has_ended]
        ids = list(dict.fromkeys(job.workflow_id for job in live or found))
        if len(ids) == 1:
            return ids[0]
        near = None if ids else await self._near_name(chosen)
        raise JobNotFoundError(usual, ids, near)

    async def _near_name(self, chosen: FilterOptions) -> str | None:
        in_namespace: FilterOptions = {"namespace": chosen.get("namespace")}
        names_there = [job.name async for job in list_jobs(self._temporal, in_namespace, _MOST_COMPARED)]
        return nearest(chosen.get("name") or "", names_there)


class Connecting(AbstractAsyncContextManager[T], Generic[T]):
    """`await` and `async with` give the client. Temporal's client closes its connection when it is collected."""

    def __init__(self, connect: Callable[[], Awaitable[T]]) -> None:
        self._connect = connect

    def __await__(self) -> Generator[object, None, T]:
        return self._connect().__await__()

    async def __aenter__(self) -> T:
        return await self._connect()

    async def __aexit__(self, *_: object) -> None:
        return None


def _submit_options(options: Mapping[str, Any], **others: Any) -> SubmitOptions:
    """Return what of a call's options is about its submission."""
    shared = {name: option for name, option in options.items() if name in SubmitOptions.__optional_keys__}
    return cast("SubmitOptions", {**shared, **others})


def _period(method: str, period: PeriodOptions) -> dict[str, Any]:
    refuse_unknown_options(method, period, PeriodOptions)
    return {**period, "prices": prices_document(period.get("prices"))}


def current_user() -> str:
    """Return the user of this process for the record: `user@host`. In a container the user may have no name."""
    try:
        user = getpass.getuser()
    except (KeyError, OSError):
        user = str(os.getuid()) if hasattr(os, "getuid") else "unknown"
    return f"{user}@{socket.gethostname()}"
