"""Temporal as the client uses it: connections, errors in the library's terms, retries while servers are away."""

from __future__ import annotations

import asyncio
import atexit
import time
from collections.abc import Awaitable, Callable, Iterator
from typing import TypeVar

from temporalio.client import Client as TemporalClient
from temporalio.client import WorkflowExecutionDescription, WorkflowExecutionStatus
from temporalio.converter import DataConverter
from temporalio.service import RPCError, RPCStatusCode

from ._settings import ConnectionSettings
from .errors import JobNotFoundError, RefusedError, ServerAwayError, SignalboxError

T = TypeVar("T")

DEFAULT_TIMEOUT = 10.0
"""For how many seconds a call is repeated while servers are away."""

_TRANSIENT = frozenset(
    {
        RPCStatusCode.CANCELLED,
        RPCStatusCode.UNKNOWN,
        RPCStatusCode.DEADLINE_EXCEEDED,
        RPCStatusCode.RESOURCE_EXHAUSTED,
        RPCStatusCode.ABORTED,
        RPCStatusCode.INTERNAL,
        RPCStatusCode.UNAVAILABLE,
        RPCStatusCode.DATA_LOSS,
    }
)
# A paused workflow can resume, and one that continued as new has not ended.
_CLOSED = frozenset(
    {
        WorkflowExecutionStatus.COMPLETED,
        WorkflowExecutionStatus.FAILED,
        WorkflowExecutionStatus.CANCELED,
        WorkflowExecutionStatus.TERMINATED,
        WorkflowExecutionStatus.TIMED_OUT,
    }
)


def _let_threads_end() -> None:
    """Let threads of Temporal's client have the interpreter that wait for it.

    One that is still delivering an answer when the interpreter ends makes the process crash
    (github.com/temporalio/sdk-python/issues/300).
    """
    time.sleep(_EXIT_PAUSE)


_EXIT_PAUSE = 0.05


async def connect_temporal(settings: ConnectionSettings, data_converter: DataConverter | None) -> TemporalClient:
    """Return a connected Temporal client. Raise `ServerAwayError` if the server does not answer."""
    atexit.unregister(_let_threads_end)
    atexit.register(_let_threads_end)
    connecting = TemporalClient.connect(
        settings.address,
        namespace=settings.namespace,
        api_key=settings.api_key,
        tls=settings.tls,
        data_converter=data_converter or DataConverter.default,
    )
    try:
        return await asyncio.wait_for(connecting, DEFAULT_TIMEOUT)
    except asyncio.TimeoutError as error:
        raise ServerAwayError("Temporal", settings.address) from error
    except (RuntimeError, RPCError) as error:
        raise ServerAwayError("Temporal", settings.address, str(error)) from error


def is_open(status: WorkflowExecutionStatus | None) -> bool:
    """Return whether a workflow in this status has not ended."""
    return status not in _CLOSED


async def find_workflow(
    temporal: TemporalClient, workflow_id: str, run_id: str | None = None
) -> WorkflowExecutionDescription | None:
    """Return a run, or the last one of the workflow id; None if Temporal knows none, or no longer does."""
    try:
        return await temporal.get_workflow_handle(workflow_id, run_id=run_id).describe()
    except RPCError as error:
        if is_about_no_workflow(error):
            return None
        raise


def first_run_of(run: WorkflowExecutionDescription) -> str:
    """Return the run that a job's workflow began with, which identifies the job."""
    return run.raw_description.workflow_execution_info.first_run_id or run.run_id


def to_client_error(error: RPCError, workflow_id: str, address: str, namespace: str) -> SignalboxError:
    """Convert an error of Temporal's client to one of this library."""
    if _is_about_namespace(error):
        create = f"temporal operator namespace create --namespace {namespace} --retention 30d"
        another = "set another: the argument `temporal_namespace`, or TEMPORAL_NAMESPACE"
        return RefusedError(f"Temporal has no namespace {namespace}.", remedy=f"`{create}` creates it; or {another}.")
    if is_about_no_workflow(error):
        return JobNotFoundError(workflow_id)
    if error.status in _TRANSIENT:
        return ServerAwayError("Temporal", address, error.message)
    return RefusedError(f"Temporal refused: {error.message}")


def is_about_no_workflow(error: BaseException) -> bool:
    return isinstance(error, RPCError) and error.status == RPCStatusCode.NOT_FOUND and not _is_about_namespace(error)


def is_transient(error: BaseException) -> bool:
    """Return whether to retry a call: a server that restarts may not know its namespaces yet."""
    return isinstance(error, RPCError) and (error.status in _TRANSIENT or _is_about_namespace(error))


def is_about_search_attributes(error: BaseException) -> bool:
    """Return whether the Temporal namespace does not know signalbox's search attributes."""
    return isinstance(error, RPCError) and "search attribute" in error.message.lower()


def _is_about_namespace(error: RPCError) -> bool:
    return error.status == RPCStatusCode.NOT_FOUND and error.message.lower().startswith("namespace ")


async def retry_while_away(call: Callable[[], Awaitable[T]], timeout: float | None) -> T:
    """Call, and call again while Temporal does not answer, until the timeout is over."""
    until = time.monotonic() + (DEFAULT_TIMEOUT if timeout is None else timeout)
    pauses = back_off(first=0.1, most=2.0)
    while True:
        try:
            return await call()
        except RPCError as error:
            pause = next(pauses)
            if not is_transient(error) or time.monotonic() + pause > until:
                raise
            await asyncio.sleep(pause)


def back_off(*, first: float, most: float) -> Iterator[float]:
    """Yield pauses in seconds: each is twice as long as the one before, up to a limit."""
    pause = first
    while True:
        yield pause
        pause = min(pause * 2, most)
