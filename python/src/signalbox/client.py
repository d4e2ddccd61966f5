"""The API for programs: submits jobs, finds them, lists them."""

from __future__ import annotations

import getpass
import os
import socket
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from . import _names as names
from ._connecting import Connecting
from ._generated_name import with_generated_name
from ._list import JobFilter, count_jobs, list_jobs
from ._manifest import checked_manifest
from ._manifest_hash import manifest_hash_of
from ._runs import NamedJobs, find_run
from ._settings import connection_settings, variable
from ._start import Submission
from ._submit import Ending, Submitted, submit_in_turn
from ._temporal import connect_temporal, find_workflow, retry_while_away, to_client_error
from .errors import Fault, InvalidManifestError, JobNotFoundError
from .job import Job, JobContext

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable
    from types import TracebackType

    from temporalio.client import Client as TemporalClient
    from temporalio.converter import DataConverter
    from temporalio.service import TLSConfig
    from typing_extensions import Self, Unpack

    from ._archived_job import ArchivedJob
    from ._manifest import Manifest, ManifestFields
    from ._options import ClientSettings, FilterOptions, RerunOptions, SubmitOptions
    from ._rerun import ParentJob, RerunPlan, RerunSource
    from .outcome import Outcome
    from .summary import JobSummary

T = TypeVar("T")

_MOST_LISTED = 20
"""No user would choose from more jobs of one name."""


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
        self._temporal = temporal
        self._namespace = settings.get("namespace") or variable("SIGNALBOX_NAMESPACE") or "default"
        queue = settings.get("task_queue") or variable("SIGNALBOX_TASK_QUEUE")
        self._task_queue = queue or names.DEFAULT_TASK_QUEUE
        self._submitted_by = settings.get("submitted_by") or current_user()
        self._address = temporal.service_client.config.target_host
        self._context = JobContext(
            temporal,
            self._address,
            settings.get("kubeconfig") or variable("SIGNALBOX_KUBECONFIG"),
            settings.get("kube_context") or variable("SIGNALBOX_KUBE_CONTEXT"),
            settings.get("evidence"),
            self._submitted_by,
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

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Release what the client holds. Temporal's client closes its connection when it is collected."""

    async def submit(self, manifest: Manifest, **options: Unpack[SubmitOptions]) -> Job:
        """Start a job, or find it already started. Returns its handle; `job.submission` says which.

        Submitting the same manifest twice creates one job. With a `key`, the run that has this key is returned
        whatever its state. While an ended job of the name is cleaned up, it waits (`clean_up_timeout`). Raises
        `InvalidManifestError` with all faults, `NameTakenError` if a live job has the name, `KeyReusedError` if the
        key belongs to another manifest.
        """
        key = options.get("key")
        if key is not None and options.get("rerun"):
            expected = "no rerun with a key, as a key that was used finds its run again"
            raise InvalidManifestError([Fault("rerun", expected, "True")], of="submit")
        checked = checked_manifest(
            manifest,
            namespace=options.get("namespace") or self._namespace,
            named=partial(with_generated_name, key=key),
            labels=options.get("labels"),
            strict=options.get("strict", False),
        )
        return await self._submit(checked, options)

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

        By default the new job has its parent's name and workflow id, and the parent must have ended. Raises
        `InvalidManifestError` with all faults of the changes, and `NameTakenError` if a job of the name is live.
        """
        plan, job_namespace = await self._plan(name, namespace, workflow_id, archived, options)
        checked = checked_manifest(plan.manifest, namespace=job_namespace)
        parents_id = None if options.get("new_name") else plan.parent.workflow_id
        submitted: SubmitOptions = {"workflow_id": parents_id, "rerun": True}
        submitted["key"], submitted["why"] = options.get("key"), options.get("why")
        submitted["timeout"] = options.get("timeout")
        submitted["clean_up_timeout"], submitted["clean_up_end"] = (
            options.get("clean_up_timeout"),
            options.get("clean_up_end"),
        )
        submitted["on_clean_up"] = options.get("on_clean_up")
        return await self._submit(checked, submitted, plan.parent)

    async def plan_rerun(
        self,
        name: str | None = None,
        *,
        namespace: str | None = None,
        workflow_id: str | None = None,
        archived: ArchivedJob | None = None,
        **options: Unpack[RerunOptions],
    ) -> RerunPlan:
        """Return what `rerun` would submit."""
        return (await self._plan(name, namespace, workflow_id, archived, options))[0]

    async def submit_and_wait(self, manifest: Manifest, **options: Unpack[SubmitOptions]) -> Outcome:
        """Submit a manifest and wait for the outcome. With a `key`, a program that restarts gets the same job."""
        return await (await self.submit(manifest, **options)).wait()

    def job(self, name: str | None = None, *, namespace: str | None = None, workflow_id: str | None = None) -> Job:
        """Return a handle for a job by name and namespace, or by workflow id. Sends no request."""
        return Job(self._context, self._workflow_id(name, namespace, workflow_id))

    async def find(
        self,
        name: str | None = None,
        *,
        namespace: str | None = None,
        workflow_id: str | None = None,
        run: str | None = None,
    ) -> Job:
        """Return a handle like `job`, but ask Temporal, so that it also finds a job with a custom workflow id.

        `run` chooses one of several jobs that had the name: `-1` is the job before the newest, `-2` the one before
        that, anything else the beginning of a run id. Jobs that Temporal no longer has are in the archive
        (`open_archive`). Raises `JobNotFoundError`, with the workflow ids if several jobs have the name, and
        `AmbiguousRunError`.
        """
        usual = self._workflow_id(name, namespace, workflow_id)
        if run is not None:
            named = NamedJobs(usual, name, namespace or self._namespace)
            found = await self._ask(usual, lambda: find_run(self._temporal, named, run))
            return Job(self._context, found.workflow_id, found.run_id, first_run_id=found.first_run_id)

        async def ask() -> str:
            if await find_workflow(self._temporal, usual):
                return usual
            chosen = JobFilter(name=name, namespace=namespace or self._namespace)
            return usual if name is None else await self._only_id(usual, chosen)

        return Job(self._context, await self._ask(usual, ask))

    async def list(self, *, limit: int | None = None, **chosen: Unpack[FilterOptions]) -> AsyncIterator[JobSummary]:
        """Yield recorded jobs: live ones first, newest first in each group."""
        try:
            async for job in list_jobs(self._temporal, JobFilter(**chosen), limit):
                yield job
        except Exception as error:
            raise to_client_error(error, "", self._address) from error

    async def count(self, **chosen: Unpack[FilterOptions]) -> dict[str, int]:
        """Return the number of jobs by phase."""
        return await self._ask("", lambda: count_jobs(self._temporal, JobFilter(**chosen)))

    async def _submit(self, checked: ManifestFields, options: SubmitOptions, parent: ParentJob | None = None) -> Job:
        metadata = checked["metadata"]
        workflow_id = options.get("workflow_id") or names.workflow_id_of(metadata["name"], metadata["namespace"])
        submission = Submission(
            manifest=checked,
            workflow_id=workflow_id,
            hash=manifest_hash_of(checked),
            task_queue=self._task_queue,
            submitted_by=self._submitted_by,
            key=options.get("key"),
            why=options.get("why"),
            rerun=options.get("rerun", False),
            parent=parent,
        )

        async def ask(submit: Callable[[], Awaitable[Submitted | Ending]]) -> Submitted | Ending:
            return await self._ask(workflow_id, submit, timeout=options.get("timeout"))

        found = await submit_in_turn(self._temporal, submission, options, ask)
        return Job(self._context, found.workflow_id, found.run_id, found.result)

    async def _plan(
        self,
        name: str | None,
        namespace: str | None,
        workflow_id: str | None,
        archived: ArchivedJob | None,
        options: RerunOptions,
    ) -> tuple[RerunPlan, str]:
        """Return the plan, and the namespace of the parent."""
        from ._read_source import archived_source, read_source  # noqa: PLC0415
        from ._rerun import plan_rerun  # noqa: PLC0415

        if archived is not None:
            if name is not None or workflow_id is not None:
                raise TypeError("expected a name, a workflow_id or an archived job, got two of them")
            source = await archived_source(archived, self._temporal.data_converter)
            return plan_rerun(source, options), source.namespace
        parent = await self.find(name, namespace=namespace, workflow_id=workflow_id)

        async def read() -> RerunSource:
            return await read_source(self._temporal, parent.workflow_id, options.get("run_id"))

        source = await self._ask(parent.workflow_id, read, timeout=options.get("timeout"))
        return plan_rerun(source, options), source.namespace

    def _workflow_id(self, name: str | None, namespace: str | None, workflow_id: str | None) -> str:
        if (name is None) == (workflow_id is None):
            raise TypeError("expected either the name of a job or a workflow_id")
        return workflow_id or names.workflow_id_of(name or "", namespace or self._namespace)

    async def _only_id(self, usual: str, chosen: JobFilter) -> str:
        """Return the id of the one live job, or of the one ended job if none is live."""
        found = [job async for job in list_jobs(self._temporal, chosen, _MOST_LISTED)]
        live = [job for job in found if not job.has_ended]
        ids = list(dict.fromkeys(job.workflow_id for job in live or found))
        if len(ids) == 1:
            return ids[0]
        raise JobNotFoundError(usual, ids)

    async def _ask(
        self,
        workflow_id: str,
        question: Callable[[], Awaitable[T]],
        timeout: float | None = None,
    ) -> T:
        try:
            return await retry_while_away(question, timeout)
        except Exception as error:
            converted = to_client_error(error, workflow_id, self._address)
            if converted is error:
                raise
            raise converted from error


def current_user() -> str:
    """Return the user of this process for the record: `user@host`. In a container the user may have no name."""
    try:
        user = getpass.getuser()
    except (KeyError, OSError):
        user = str(os.getuid()) if hasattr(os, "getuid") else "unknown"
    return f"{user}@{socket.gethostname()}"
