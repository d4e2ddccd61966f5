"""Reads the outcome of a closed run: the workflow's own result; if it recorded none, the engine builds it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from temporalio.client import Client as TemporalClient
from temporalio.exceptions import ApplicationError

from . import _names as names
from ._follow import ClosedRun, Run, closed_run_of
from ._rpc import Engine
from .errors import Fault
from .outcome import Outcome, outcome_from


async def outcome_of(engine: Engine, run: Run) -> Outcome:
    """Return the outcome of a run, which has ended or will. Only one that was not recorded needs a worker."""
    closed = run if isinstance(run, ClosedRun) else await closed_run_of(engine.temporal, run)
    recorded = await recorded_outcome(engine.temporal, closed)
    if recorded is not None:
        return recorded
    job = {"workflowId": closed.workflow_id, "runId": closed.run_id}
    return answered_outcome(await engine.ask("outcome", closed.workflow_id, {"job": job}))


async def recorded_outcome(temporal: TemporalClient, run: ClosedRun) -> Outcome | None:
    """Return the outcome that the job's workflow recorded; None e.g. of one that was terminated."""
    if run.close.HasField("workflow_execution_completed_event_attributes"):
        payloads = run.close.workflow_execution_completed_event_attributes.result.payloads
        values = await temporal.data_converter.decode(payloads) if payloads else []
        return outcome_from(values[0]) if values else None
    if run.close.HasField("workflow_execution_failed_event_attributes"):
        failure = run.close.workflow_execution_failed_event_attributes.failure
        return outcome_in(await temporal.data_converter.decode_failure(failure))
    return None


def answered_outcome(value: object) -> Outcome:
    """Return the outcome that the engine built."""
    outcome = outcome_from(value)
    if outcome is None:
        raise TypeError(f"expected an outcome, got {value!r}")
    return outcome


def outcome_in(cause: BaseException | None) -> Outcome | None:
    """Return the outcome that the failure of a job's workflow contains."""
    if not isinstance(cause, ApplicationError):
        return None
    first, second = (*cause.details, None, None)[:2]
    if cause.type == names.JOB_FAILED:
        return outcome_from(first)
    if cause.type == names.INVALID_MANIFEST and isinstance(second, dict):
        message = "; ".join(map(str, faults_of(cause.details))) or cause.message
        reason = {"reason": names.INVALID_MANIFEST, "message": message}
        return outcome_from({**cast("dict[str, Any]", second), "cause": reason})
    return None


def faults_of(details: Sequence[Any]) -> list[Fault]:
    """Return the faults that a failure of type InvalidManifest has as its first detail."""
    return faults_in(details[0] if details else None)


def faults_in(value: object) -> list[Fault]:
    """Return the faults of a list in JSON."""
    faults = cast("list[dict[str, str]]", value) if isinstance(value, list) else []
    return [Fault(fault["path"], fault["expected"], fault["got"]) for fault in faults]
