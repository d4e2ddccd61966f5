"""Reads the logs of a job's pods from the cluster. Needs the extra `kubernetes`."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

from ._cluster import connect_cluster
from ._did_you_mean import did_you_mean, nearest
from ._log_pods import Anchor, container_of, has_log, has_rank, is_owned_by, selection_of, started_container
from ._log_stream import ContainerRun, lines_in, read_run
from ._no_log import no_pods, not_started
from .errors import ServerAwayError

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Mapping

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
class LogChoice:
    """Which pods and lines to read."""

    role: str | None = None
    index: int | None = None
    rank: int | None = None
    pod: str | None = None
    all_pods: bool = False
    container: str | None = None
    follow: bool = False
    previous: bool = False
    tail_lines: int | None = None
    since_seconds: int | None = None
    timestamps: bool = False


def log_choice(options: Mapping[str, Any]) -> LogChoice:
    """Return the choice. Raise TypeError for an option that `logs` does not have."""
    known = [field.name for field in fields(LogChoice)]
    for option in options:
        if option not in known:
            meant = did_you_mean(nearest(option, known))
            hint = f" ({meant})" if meant else ""
            raise TypeError(f"logs() has no option {option}{hint}; its options are {', '.join(known)}")
    return LogChoice(**options)


@dataclass(frozen=True)
class LoggedJob:
    """The job whose log is read."""

    summary: JobSummary
    first_run_id: str
    end: Callable[[], Awaitable[object]]


async def read_logs(
    kubeconfig: str | None, context: str | None, job: LoggedJob, choice: LogChoice
) -> AsyncIterator[LogLine]:
    """Yield lines of the chosen pods: pod by pod, or as they arrive when following."""
    api = await asyncio.to_thread(connect_cluster, kubeconfig, context)
    follows = choice.follow and not job.summary.has_ended
    lines = _followed(api, job, choice) if follows else _present(api, job, choice)
    try:
        async for line in lines:
            yield line
    except OSError as error:
        raise ServerAwayError("Kubernetes", _server_of(api), str(error)) from error


def _server_of(api: Any) -> str:
    return str(api.api_client.configuration.host)


async def _present(api: Any, job: LoggedJob, choice: LogChoice) -> AsyncIterator[LogLine]:
    anchor = await asyncio.to_thread(_anchor_of, api, job)
    pods = await asyncio.to_thread(_pods_of, api, job, choice, anchor)
    started = [pod for pod in pods if has_log(pod, choice.container, anchor)]
    if pods and not started:
        raise not_started(job.summary, pods)
    found = 0
    for pod in started:
        lines = await asyncio.to_thread(_log_of, api, pod, container_of(pod, choice.container, anchor), choice)
        if lines is None:
            continue
        found += 1
        for line in lines:
            yield LogLine(pod.metadata.name, line)
    if found == 0:
        raise no_pods(job.summary)


async def _followed(api: Any, job: LoggedJob, choice: LogChoice) -> AsyncIterator[LogLine]:
    lines: asyncio.Queue[LogLine | BaseException | None] = asyncio.Queue(maxsize=1_000)
    following = asyncio.ensure_future(_follow(api, job, choice, lines))
    try:
        while (line := await lines.get()) is not None:
            if isinstance(line, BaseException):
                raise line
            yield line
    finally:
        following.cancel()
        await asyncio.gather(following, return_exceptions=True)


async def _follow(
    api: Any,
    job: LoggedJob,
    choice: LogChoice,
    lines: asyncio.Queue[LogLine | BaseException | None],
) -> None:
    end = asyncio.ensure_future(job.end())
    readers: dict[str, asyncio.Task[None]] = {}
    try:
        while not end.done():
            await _start_readers(api, job, choice, lines, readers)
            await asyncio.wait({end}, timeout=_LOOK_SECONDS)
        await _start_readers(api, job, choice, lines, readers)
        if readers:
            await asyncio.wait(readers.values(), timeout=_LAST_LINES_SECONDS)
        end.result()
        await lines.put(None)
    except Exception as error:  # noqa: BLE001
        await lines.put(error)
    finally:
        for task in (end, *readers.values()):
            task.cancel()


async def _start_readers(
    api: Any,
    job: LoggedJob,
    choice: LogChoice,
    lines: asyncio.Queue[LogLine | BaseException | None],
    readers: dict[str, asyncio.Task[None]],
) -> None:
    """Start a reader for each run of a container that has none yet."""
    anchor = await asyncio.to_thread(_anchor_of, api, job)
    if anchor is None or anchor.first_run_id != job.first_run_id:
        return
    for pod in await asyncio.to_thread(_pods_of, api, job, choice, anchor):
        container = started_container(pod, choice.container, anchor)
        if container is None or not is_owned_by(pod, anchor.uid):
            continue
        key = f"{pod.metadata.uid}/{container.restart_count}"
        if key not in readers:
            run = ContainerRun(pod.metadata.namespace, pod.metadata.name, container.name)
            readers[key] = asyncio.ensure_future(_copy(api, run, choice, lines))


async def _copy(
    api: Any,
    run: ContainerRun,
    choice: LogChoice,
    lines: asyncio.Queue[LogLine | BaseException | None],
) -> None:
    try:
        async for time, text in read_run(api, run, choice.tail_lines, choice.since_seconds):
            await lines.put(LogLine(run.pod, f"{time} {text}" if choice.timestamps else text))
    except Exception as error:  # noqa: BLE001
        await lines.put(error)


def _anchor_of(api: Any, job: LoggedJob) -> Anchor | None:
    """Return the present facts; None if the anchor does not exist or may not be read."""
    summary = job.summary
    try:
        found = api.read_namespaced_config_map(f"{summary.name}.signalbox", summary.namespace)
    except Exception as error:
        if getattr(error, "status", None) in {_NOT_FOUND, _FORBIDDEN}:
            return None
        raise
    return Anchor.of(found)


def _pods_of(api: Any, job: LoggedJob, choice: LogChoice, anchor: Anchor | None) -> list[Any]:
    labels, fields = selection_of(
        job.summary.name,
        anchor,
        role=choice.role,
        index=choice.index,
        rank=choice.rank,
        pod=choice.pod,
        all_pods=choice.all_pods,
    )
    found = api.list_namespaced_pod(job.summary.namespace, label_selector=labels, field_selector=fields)
    meant = [pod for pod in found.items if has_rank(pod, choice.rank)]
    return sorted(meant, key=lambda pod: str(pod.metadata.name))


def _log_of(api: Any, pod: Any, container: str | None, choice: LogChoice) -> list[str] | None:
    """Return the lines; None if the pod was deleted after it was listed, e.g. at the end of a job."""
    asked = {
        "container": container,
        "previous": choice.previous or None,
        "tail_lines": choice.tail_lines,
        "since_seconds": choice.since_seconds,
        "timestamps": choice.timestamps or None,
    }
    given = {key: value for key, value in asked.items() if value is not None}
    try:
        answer = api.read_namespaced_pod_log(pod.metadata.name, pod.metadata.namespace, _preload_content=False, **given)
    except Exception as error:
        if getattr(error, "status", None) == _NOT_FOUND:
            return None
        raise
    return lines_in(bytes(answer.data))
