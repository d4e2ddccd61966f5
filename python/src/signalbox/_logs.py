"""Reads the logs of a job's pods from the cluster. Needs the extra `kubernetes`."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from ._cluster import connect_cluster
from ._log_pods import (
    Anchor,
    container_of,
    has_log,
    has_rank,
    is_owned_by,
    no_pods,
    not_started,
    selection_of,
    started_container,
)
from ._log_stream import ContainerRun, lines_of, read_run
from ._options import LogOptions
from .errors import ServerAwayError
from .summary import JobSummary

_LOOK_SECONDS = 1.0
"""How often a followed job is asked for new containers."""
_LAST_LINES_SECONDS = 5.0
"""How long containers may continue to write after the end of the job."""
_NOT_FOUND = 404
_FORBIDDEN = 403


@dataclass(frozen=True)
class LogLine:
    """One line of a pod's log."""

    pod: str
    text: str

    def __str__(self) -> str:
        return f"{self.pod} | {self.text}"


@dataclass(frozen=True)
class LoggedJob:
    """The job whose log is read."""

    summary: JobSummary
    first_run_id: str
    end: Callable[[], Awaitable[object]]


async def read_logs(
    kubeconfig: str | None, context: str | None, job: LoggedJob, options: LogOptions
) -> AsyncIterator[LogLine]:
    """Yield lines of the chosen pods: pod by pod, or as they arrive when following."""
    api = await asyncio.to_thread(connect_cluster, kubeconfig, context)
    log = _JobLog(api, job, options)
    follows = options.get("follow") and not job.summary.has_ended
    try:
        async for line in log.followed() if follows else log.present():
            yield line
    except OSError as error:
        raise ServerAwayError("Kubernetes", str(api.api_client.configuration.host), str(error)) from error


class _JobLog:
    def __init__(self, api: Any, job: LoggedJob, options: LogOptions) -> None:
        self._api = api
        self._job = job
        self._options = options
        self._container = options.get("container")
        self._lines: asyncio.Queue[LogLine | BaseException | None] = asyncio.Queue(maxsize=1_000)
        self._readers: dict[str, asyncio.Task[None]] = {}
        """By run of a container."""

    async def present(self) -> AsyncIterator[LogLine]:
        anchor, pods = await self._look()
        started = [pod for pod in pods if has_log(pod, self._container, anchor)]
        if pods and not started:
            raise not_started(self._job.summary, pods)
        found = False
        wanted = ("previous", "timestamps", "tail_lines", "since_seconds")
        given = {name: value for name in wanted if (value := self._options.get(name)) is not None}
        for pod in started:
            name = pod.metadata.name
            run = ContainerRun(pod.metadata.namespace, name, container_of(pod, self._container, anchor))
            try:
                async for line in lines_of(self._api, run, **given):
                    yield LogLine(name, line)
                found = True
            except Exception as error:
                # A pod may be deleted after it was listed, e.g. at the end of a job.
                if getattr(error, "status", None) != _NOT_FOUND:
                    raise
        if not found:
            raise no_pods(self._job.summary)

    async def followed(self) -> AsyncIterator[LogLine]:
        following = asyncio.ensure_future(self._follow())
        try:
            while (line := await self._lines.get()) is not None:
                if isinstance(line, BaseException):
                    raise line
                yield line
        finally:
            following.cancel()
            await asyncio.gather(following, return_exceptions=True)

    async def _follow(self) -> None:
        end = asyncio.ensure_future(self._job.end())
        try:
            while not end.done():
                await self._start_readers()
                await asyncio.wait({end}, timeout=_LOOK_SECONDS)
            await self._start_readers()
            if self._readers:
                await asyncio.wait(self._readers.values(), timeout=_LAST_LINES_SECONDS)
            end.result()
            await self._lines.put(None)
        except Exception as error:  # noqa: BLE001
            await self._lines.put(error)
        finally:
            for task in (end, *self._readers.values()):
                task.cancel()

    async def _start_readers(self) -> None:
        """Start a reader for each run of a container that has none yet."""
        anchor, pods = await self._look()
        if anchor is None or anchor.first_run_id != self._job.first_run_id:
            return
        for pod in pods:
            container = started_container(pod, self._container, anchor)
            if container is None or not is_owned_by(pod, anchor.uid):
                continue
            key = f"{pod.metadata.uid}/{container.restart_count}"
            if key not in self._readers:
                run = ContainerRun(pod.metadata.namespace, pod.metadata.name, container.name)
                self._readers[key] = asyncio.ensure_future(self._copy(run))

    async def _copy(self, run: ContainerRun) -> None:
        options = self._options
        try:
            async for time, text in read_run(self._api, run, options.get("tail_lines"), options.get("since_seconds")):
                await self._lines.put(LogLine(run.pod, f"{time} {text}" if options.get("timestamps") else text))
        except Exception as error:  # noqa: BLE001
            await self._lines.put(error)

    async def _look(self) -> tuple[Anchor | None, list[Any]]:
        anchor = await asyncio.to_thread(self._anchor)
        return anchor, await asyncio.to_thread(self._pods, anchor)

    def _anchor(self) -> Anchor | None:
        """Return the present facts; None if the anchor does not exist or may not be read."""
        summary = self._job.summary
        try:
            return Anchor.of(self._api.read_namespaced_config_map(f"{summary.name}.signalbox", summary.namespace))
        except Exception as error:
            if getattr(error, "status", None) in {_NOT_FOUND, _FORBIDDEN}:
                return None
            raise

    def _pods(self, anchor: Anchor | None) -> list[Any]:
        summary, rank = self._job.summary, self._options.get("rank")
        labels, fields = selection_of(summary.name, anchor, self._options)
        found = self._api.list_namespaced_pod(summary.namespace, label_selector=labels, field_selector=fields)
        meant = [pod for pod in found.items if has_rank(pod, rank)]
        return sorted(meant, key=lambda pod: str(pod.metadata.name))
