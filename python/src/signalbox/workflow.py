"""Training jobs as steps of your own Temporal workflows.

Inside the workflow sandbox this module may be imported as it is: what it needs is loaded once, outside.
"""

from __future__ import annotations

import asyncio
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, Literal

from temporalio import workflow
from temporalio.common import WorkflowIDReusePolicy
from temporalio.exceptions import ApplicationError, ChildWorkflowError, WorkflowAlreadyStartedError
from temporalio.workflow import ChildWorkflowCancellationType, ParentClosePolicy

with workflow.unsafe.imports_passed_through():
    from ._names import TRAINING_JOB
    from ._outcome import ending_in, outcome_in
    from ._step import STOPPED_BY_CALLER, TrainingStep, bare_outcome, training_step
    from .outcome import Completed, Failed, Outcome, Stopped, outcome_from
    from .summary import FINAL_PHASES

if TYPE_CHECKING:
    from ._manifest import Manifest

__all__ = ["Completed", "Failed", "Outcome", "Stopped", "run_training_job"]

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
    step = training_step(
        manifest,
        caller=info.workflow_id,
        first_run_id=info.first_execution_run_id,
        namespace=namespace,
        task_queue=task_queue,
        workflow_id=workflow_id,
        key=key,
        checkpoint=checkpoint,
        why=why,
    )
    close = ParentClosePolicy.ABANDON if on_parent_close == "continue" else ParentClosePolicy.REQUEST_CANCEL
    pause = _FIRST_PAUSE
    until = workflow.now() + _CLEAN_UP
    while True:
        earlier = _NONE if step.key is None else await _job_of_name(step)
        if earlier["state"] == "ended":
            return _checked(outcome_from(earlier["outcome"]))
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


async def _job_of_name(step: TrainingStep) -> dict[str, Any]:
    found: dict[str, Any] = await workflow.execute_activity(
        "findEarlierJob",
        {"workflowId": step.workflow_id, **({} if step.key is None else {"key": step.key})},
        task_queue=step.task_queue,
        start_to_close_timeout=_CALL_TIMEOUT,
        summary=f"Look for an earlier run of {step.workflow_id}",
    )
    return found


def _refuse_unless_it_ends(step: TrainingStep, job: dict[str, Any], until: datetime) -> None:
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


async def _run(step: TrainingStep, close: ParentClosePolicy) -> Outcome | None:
    """Return the outcome of a new child; None if a workflow with the id is running."""
    starting = asyncio.ensure_future(_started(step, close))
    try:
        child = await asyncio.shield(starting)
    except asyncio.CancelledError:
        # Without the shield Temporal would cancel the child. The job is asked to stop instead, and told by whom.
        child = await starting
        if child is not None:
            await asyncio.shield(asyncio.ensure_future(_stop(child, step)))
            await asyncio.shield(asyncio.ensure_future(_outcome_of(child, step)))
        raise
    return None if child is None else await _end_of(child, step)


async def _started(step: TrainingStep, close: ParentClosePolicy) -> workflow.ChildWorkflowHandle[Any, Any] | None:
    """Return None if a workflow with the id is running."""
    # Temporal's defaults would terminate the job with its parent, and leave its pods behind.
    try:
        return await workflow.start_child_workflow(
            TRAINING_JOB,
            step.manifest,
            id=step.workflow_id,
            task_queue=step.task_queue,
            parent_close_policy=close,
            cancellation_type=ChildWorkflowCancellationType.WAIT_CANCELLATION_COMPLETED,
            id_reuse_policy=WorkflowIDReusePolicy.ALLOW_DUPLICATE,
            memo=step.memo,
            static_summary=step.summary,
        )
    except WorkflowAlreadyStartedError:
        return None


async def _end_of(child: workflow.ChildWorkflowHandle[Any, Any], step: TrainingStep) -> Outcome:
    """Wait for the outcome. If the caller is cancelled, stop the job, wait for its end, and stay cancelled."""
    # Temporal would cancel the child with its parent. The job is asked to stop instead, and told by whom.
    end = asyncio.ensure_future(_outcome_of(child, step))
    try:
        return await asyncio.shield(end)
    except asyncio.CancelledError:
        await asyncio.shield(asyncio.ensure_future(_stop(child, step)))
        await asyncio.shield(end)
        raise


async def _stop(child: workflow.ChildWorkflowHandle[Any, Any], step: TrainingStep) -> None:
    request = {"by": step.caller, "why": STOPPED_BY_CALLER, "checkpoint": step.checkpoint}
    await workflow.execute_activity(
        "stopCalledJob",
        {"workflowId": step.workflow_id, "firstRunId": child.first_execution_run_id, "request": request},
        task_queue=step.task_queue,
        start_to_close_timeout=_CALL_TIMEOUT,
        summary=f"Stop {step.workflow_id}",
    )


async def _outcome_of(child: workflow.ChildWorkflowHandle[Any, Any], step: TrainingStep) -> Outcome:
    at = workflow.now().isoformat()
    try:
        recorded = outcome_from(await child)
        return recorded or bare_outcome(step, None, at)
    except ChildWorkflowError as error:
        cause = error.cause or error
        return outcome_in(cause) or bare_outcome(step, ending_in(cause), at)


def _checked(outcome: Outcome | None) -> Outcome:
    if outcome is None:
        raise ApplicationError("expected an outcome of an earlier job, got none", type="EngineFault")
    return outcome


def _name_taken(step: TrainingStep, why: str) -> ApplicationError:
    advice = "Stop it, or choose another metadata.name."
    return ApplicationError(f"Another job is live as {step.workflow_id}: {why}. {advice}", type="NameTaken")
