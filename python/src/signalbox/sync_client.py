"""The same client for programs without asyncio: every call blocks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ._loop_thread import LoopThread
from .client import Client
from .sync_job import SyncJob

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import TracebackType

    from temporalio.converter import DataConverter
    from temporalio.service import TLSConfig
    from typing_extensions import Self, Unpack

    from ._archived_job import ArchivedJob
    from ._manifest import Manifest
    from ._options import ClientSettings, FilterOptions, RerunOptions, SubmitOptions
    from ._rerun import RerunPlan
    from .outcome import Outcome
    from .summary import JobSummary


class SyncClient:
    """`Client` with calls that block.

    ```python
    with SyncClient.connect() as client:
        outcome = client.submit_and_wait(manifest, key="nightly-42")
    ```

    Ctrl-C ends a call; a job that was started continues.
    """

    def __init__(self, client: Client, loop: LoopThread) -> None:
        """Wrap a client that runs on the loop. `SyncClient.connect` makes both."""
        self._client = client
        self._loop = loop

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
    ) -> Self:
        """Connect to Temporal, with the settings of `Client.connect`."""

        async def connect() -> Client:
            return await Client.connect(
                address,
                temporal_namespace=temporal_namespace,
                api_key=api_key,
                tls=tls,
                data_converter=data_converter,
                **settings,
            )

        loop = LoopThread()
        try:
            return cls(loop.run(connect()), loop)
        except BaseException:
            loop.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End what still runs."""
        self._loop.close()

    def submit(self, manifest: Manifest, **options: Unpack[SubmitOptions]) -> SyncJob:
        """See `Client.submit`."""
        return SyncJob(self._loop.run(self._client.submit(manifest, **options)), self._loop)

    def rerun(
        self,
        name: str | None = None,
        *,
        namespace: str | None = None,
        workflow_id: str | None = None,
        archived: ArchivedJob | None = None,
        **options: Unpack[RerunOptions],
    ) -> SyncJob:
        """See `Client.rerun`."""
        asked = self._client.rerun(name, namespace=namespace, workflow_id=workflow_id, archived=archived, **options)
        return SyncJob(self._loop.run(asked), self._loop)

    def plan_rerun(
        self,
        name: str | None = None,
        *,
        namespace: str | None = None,
        workflow_id: str | None = None,
        archived: ArchivedJob | None = None,
        **options: Unpack[RerunOptions],
    ) -> RerunPlan:
        """See `Client.plan_rerun`."""
        return self._loop.run(
            self._client.plan_rerun(name, namespace=namespace, workflow_id=workflow_id, archived=archived, **options)
        )

    def submit_and_wait(self, manifest: Manifest, **options: Unpack[SubmitOptions]) -> Outcome:
        """See `Client.submit_and_wait`."""
        return self._loop.run(self._client.submit_and_wait(manifest, **options))

    def job(self, name: str | None = None, *, namespace: str | None = None, workflow_id: str | None = None) -> SyncJob:
        """See `Client.job`."""
        return SyncJob(self._client.job(name, namespace=namespace, workflow_id=workflow_id), self._loop)

    def find(
        self,
        name: str | None = None,
        *,
        namespace: str | None = None,
        workflow_id: str | None = None,
        run: str | None = None,
    ) -> SyncJob:
        """See `Client.find`."""
        found = self._client.find(name, namespace=namespace, workflow_id=workflow_id, run=run)
        return SyncJob(self._loop.run(found), self._loop)

    def list(self, *, limit: int | None = None, **chosen: Unpack[FilterOptions]) -> Iterator[JobSummary]:
        """See `Client.list`."""
        return self._loop.iterate(self._client.list(limit=limit, **chosen))

    def count(self, **chosen: Unpack[FilterOptions]) -> dict[str, int]:
        """See `Client.count`."""
        return self._loop.run(self._client.count(**chosen))
