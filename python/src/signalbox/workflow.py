"""Training jobs as steps of your own Temporal workflows.

Inside the workflow sandbox this module may be imported as it is: what it needs is loaded once, outside.
"""

from __future__ import annotations

import asyncio
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from typing import Any, Literal, TypeAlias

from temporalio import workflow
from temporalio.common import WorkflowIDReusePolicy
from temporalio.exceptions import ApplicationError, ChildWorkflowError, WorkflowAlreadyStartedError
from temporalio.workflow import ChildWorkflowCancellationType, ParentClosePolicy

with workflow.unsafe.imports_passed_through():
    from . import _names as names
    from ._manifest import Manifest, checked_manifest
    from ._outcome import answered_outcome, outcome_in
    from ._start import Submission
    from ._start_texts import title_of
    from .errors import InvalidManifestError
    from .outcome import Completed, Failed, Outcome, Stopped, outcome_from
    from .summary import FINAL_PHASES

__all__ = ["Completed", "Failed", "Outcome", "Stopped", "run_training_job"]

_Child: TypeAlias = "workflow.ChildWorkflowHandle[Any, Any]"

_FIRST_PAUSE = timedelta(seconds=1)
_LONGEST_PAUSE = timedelta(seconds=30)
_CALL_TIMEOUT = timedelta(minutes=1)
_CLEAN_UP = timedelta(minutes=10)
"""As long as a client waits for the clean-up of an ended job of the name."""
_NONE: dict[str, Any] = {"state": "none"}
"""Only a key tells the job of an earlier run of this workflow."""


async def run_training_job(
    manifest: Manifest,
    *,
    namespace: str = "default",
    task_queue: str = "signalbox",
    workflow_id: str | None = None,
    key: str | None = None,
    checkpoint: bool = False,
    on_parent_close: Literal["stop", "continue"] = "stop",
    why: str | None = None,
) -> Outcome:
    """Run a training job as a child workflow on signalbox's workers, and return its outcome.

    The outcome is Completed, Failed or Stopped. A cancelled workflow stops the job, with a checkpoint first if asked,
    and waits for its end. With a `key`, a retry of your workflow does not train twice: it waits for the job of an
    earlier run, or returns that job's outcome. While an ended job of the name is cleaned up, it waits, for ten minutes
    at most.

    Raises an ApplicationError of type `InvalidManifest` for a manifest without kind or name, and one of type
    `NameTaken` if another job is live under the name.
    """
    info = workflow.info()
    checked = _checked_manifest(manifest, namespace)
    metadata = checked["metadata"]
    step = _Step(
        manifest=checked,
        workflow_id=workflow_id or names.workflow_id_of(metadata["name"], metadata["namespace"]),
        task_queue=task_queue,
        submitted_by=f"workflow {info.workflow_id}",
        # Other workflows may choose the same word. Retries, and runs that continue as new, share the first run.
        key=None if key is None else f"{info.workflow_id}/{info.first_execution_run_id}/{key}",
        why=why,
        checkpoint=checkpoint,
    )
    close = ParentClosePolicy.ABANDON if on_parent_close == "continue" else ParentClosePolicy.REQUEST_CANCEL
    pause = _FIRST_PAUSE
    until = workflow.now() + _CLEAN_UP
    while True:
        earlier = _NONE if step.key is None else await _job_of_name(step)
        if earlier["state"] == "ended":
            return answered_outcome(earlier["outcome"])
        if earlier["state"] == "live":
            _refuse_unless_it_ends(step, earlier, until)
        if earlier["state"] == "none":
            outcome = await _run(step, close)
            if outcome is not None:
                return outcome
            if step.key is None:
                _refuse_unless_it_ends(step, await _job_of_name(step), until)
        await workflow.sleep(pause)
        pause = min(2 * pause, _LONGEST_PAUSE)


@dataclass(frozen=True, kw_only=True)
class _Step(Submission):
    checkpoint: bool
    """Whether to request one before a stop."""


def _checked_manifest(manifest: Manifest, namespace: str) -> dict[str, Any]:
    try:
        return checked_manifest(manifest, namespace=namespace)
    except InvalidManifestError as error:
        faults = [asdict(fault) for fault in error.faults]
        raise ApplicationError(error.message, faults, type=names.INVALID_MANIFEST, non_retryable=True) from error


async def _job_of_name(step: _Step) -> dict[str, Any]:
    found: dict[str, Any] = await workflow.execute_activity(
        "findEarlierJob",
        {"workflowId": step.workflow_id, **({} if step.key is None else {"key": step.key})},
        task_queue=step.task_queue,
        start_to_close_timeout=_CALL_TIMEOUT,
        summary=f"Look for an earlier run of {step.workflow_id}",
    )
    return found


def _refuse_unless_it_ends(step: _Step, job: dict[str, Any], until: datetime) -> None:
    """Another job keeps the name while it is live, and after its end until it has been cleaned up."""
    if job["state"] != "live" or job["isSame"]:
        return
    phase = job["phase"]
    if phase not in FINAL_PHASES:
        unknown = "; without a key, it cannot be told whether it is this one" if step.key is None else ""
        raise _name_taken(step, f"its phase is {phase}{unknown}")
    if workflow.now() < until:
        return
    what = f"{step.workflow_id} has ended, {phase}, but it was not cleaned up in time, or its failed pods are held."
    advice = f"See what it waits for (`signalbox get --workflow-id {step.workflow_id}`), or choose another name."
    raise ApplicationError(f"{what} {advice}", type="NameTaken")


async def _run(step: _Step, close: ParentClosePolicy) -> Outcome | None:
    """Return the outcome of a new child; None if a workflow with the id is running.

    If the caller is cancelled, stop the job, wait for its end, and stay cancelled. Without the shields Temporal would
    cancel the child; the job is asked to stop instead, which says who asked.
    """
    starting = asyncio.ensure_future(_started(step, close))
    ending = asyncio.ensure_future(_outcome_of(starting, step))
    try:
        return await asyncio.shield(ending)
    except asyncio.CancelledError:
        child = await asyncio.shield(starting)
        if child is not None:
            await asyncio.shield(asyncio.ensure_future(_stop(child, step)))
        await asyncio.shield(ending)
        raise


async def _started(step: _Step, close: ParentClosePolicy) -> _Child | None:
    """Return None if a workflow with the id is running."""
    # Temporal's defaults would terminate the job with its parent, and leave its pods behind.
    try:
        return await workflow.start_child_workflow(
            names.TRAINING_JOB,
            step.manifest,
            id=step.workflow_id,
            task_queue=step.task_queue,
            parent_close_policy=close,
            cancellation_type=ChildWorkflowCancellationType.WAIT_CANCELLATION_COMPLETED,
            id_reuse_policy=WorkflowIDReusePolicy.ALLOW_DUPLICATE,
            memo=step.memo,
            static_summary=title_of(step.manifest),
        )
    except WorkflowAlreadyStartedError:
        return None


async def _stop(child: _Child, step: _Step) -> None:
    request = {"by": step.submitted_by, "why": "the calling workflow was cancelled", "checkpoint": step.checkpoint}
    await workflow.execute_activity(
        "stopCalledJob",
        {"workflowId": step.workflow_id, "firstRunId": child.first_execution_run_id, "request": request},
        task_queue=step.task_queue,
        start_to_close_timeout=_CALL_TIMEOUT,
        summary=f"Stop {step.workflow_id}",
    )


async def _outcome_of(starting: asyncio.Future[_Child | None], step: _Step) -> Outcome | None:
    child = await starting
    if child is None:
        return None
    try:
        recorded = outcome_from(await child)
    except ChildWorkflowError as error:
        recorded = outcome_in(error.cause)
    return recorded or await _built_outcome(child, step)


async def _built_outcome(child: _Child, step: _Step) -> Outcome:
    """Ask the engine for the outcome of a job that recorded none, e.g. because its workflow was terminated."""
    job = {"workflowId": step.workflow_id, "runId": child.first_execution_run_id}
    answer: dict[str, Any] = await workflow.execute_child_workflow(
        names.RPC,
        {"method": "outcome", "arguments": {"job": job}},
        id=f"{names.RPC}/outcome/{workflow.uuid4()}",
        task_queue=step.task_queue,
        static_summary=f"How {step.workflow_id} ended",
    )
    return answered_outcome(answer["result"])


def _name_taken(step: _Step, why: str) -> ApplicationError:
    advice = "Stop it, or choose another metadata.name."
    return ApplicationError(f"Another job is live as {step.workflow_id}: {why}. {advice}", type="NameTaken")
