"""Asks a job's workflow for its status, and other things, through a worker."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

from temporalio.client import WorkflowQueryFailedError
from temporalio.service import RPCError, RPCStatusCode

from . import _names as names
from .errors import WorkerAwayError
from .known_status import KnownStatus

if TYPE_CHECKING:
    from temporalio.client import Client as TemporalClient

    from ._follow import Run

# Temporal returns these if no worker has polled for a while, took the query in time, or knows the query.
_UNANSWERED = frozenset({RPCStatusCode.FAILED_PRECONDITION, RPCStatusCode.DEADLINE_EXCEEDED, RPCStatusCode.CANCELLED})


async def ask_status(temporal: TemporalClient, run: Run, seconds: float) -> KnownStatus:
    """Return the status; a worker has `seconds` to answer. Raise `WorkerAwayError` if none does."""
    return KnownStatus.model_validate(await query(temporal, run, names.STATUS_QUERY, seconds))


async def query(
    temporal: TemporalClient, run: Run, name: str, seconds: float, argument: dict[str, Any] | None = None
) -> Any:
    """Ask a run a question that only a worker can answer. Raise `WorkerAwayError` if none does."""
    handle: Any = temporal.get_workflow_handle(run.workflow_id, run_id=run.run_id)
    given = () if argument is None else (argument,)
    try:
        return await handle.query(name, *given, rpc_timeout=timedelta(seconds=seconds))
    except WorkflowQueryFailedError as error:
        raise WorkerAwayError(run.workflow_id) from error
    except RPCError as error:
        if error.status in _UNANSWERED:
            raise WorkerAwayError(run.workflow_id) from error
        raise
