"""A training job as a step of a workflow: what is started, and as what."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from temporalio.exceptions import ApplicationError

from . import _names as names
from ._manifest import checked_manifest
from ._outcome import WorkflowEnding
from ._start import static_summary
from .errors import InvalidManifestError
from .outcome import Outcome, outcome_from

if TYPE_CHECKING:
    from ._manifest import Manifest

STOPPED_BY_CALLER = "the calling workflow was cancelled"


@dataclass(frozen=True)
class TrainingStep:
    """A job to run, and how."""

    manifest: dict[str, Any]
    workflow_id: str
    task_queue: str
    caller: str
    """Who submits and stops the job."""
    key: str | None
    """It has the caller's run in it, as other workflows may choose the same word."""
    checkpoint: bool
    why: str | None

    @property
    def memo(self) -> dict[str, str]:
        """What is recorded about the submission."""
        given = {names.MEMO_SUBMITTED_BY: self.caller, names.MEMO_KEY: self.key, names.MEMO_WHY: self.why}
        return {name: value for name, value in given.items() if value is not None}

    @property
    def summary(self) -> str:
        """The line that Temporal's UI shows for the child."""
        return static_summary(self.manifest)


def training_step(
    manifest: Manifest,
    *,
    caller: str,
    first_run_id: str,
    namespace: str,
    task_queue: str,
    workflow_id: str | None,
    key: str | None,
    checkpoint: bool,
    why: str | None,
) -> TrainingStep:
    """Return the step. Raise an ApplicationError with the faults of a manifest that has no name to run under."""
    try:
        checked = checked_manifest(manifest, namespace=namespace)
    except InvalidManifestError as error:
        faults = [asdict(fault) for fault in error.faults]
        raise ApplicationError(error.message, faults, type=names.INVALID_MANIFEST, non_retryable=True) from error
    metadata = checked["metadata"]
    return TrainingStep(
        manifest=checked,
        workflow_id=workflow_id or names.workflow_id_of(metadata["name"], metadata["namespace"]),
        task_queue=task_queue,
        caller=f"workflow {caller}",
        # Retries, and runs that continue as new, share the first run.
        key=None if key is None else f"{caller}/{first_run_id}/{key}",
        checkpoint=checkpoint,
        why=why,
    )


def bare_outcome(step: TrainingStep, ending: WorkflowEnding | None, at: str) -> Outcome:
    """Return the outcome of a job that could not record it, e.g. because somebody terminated its workflow."""
    found = ending or WorkflowEnding("Completed", None, "")
    phase, reason, message = found.phase, found.reason, found.message
    metadata = step.manifest["metadata"]
    outcome = outcome_from(
        {
            "kind": step.manifest["kind"],
            "name": metadata["name"],
            "namespace": metadata["namespace"],
            "phase": phase,
            "state": phase,
            "attempt": 0,
            "restarts": 0,
            "completionTime": at,
            **({"cause": {"reason": reason, "message": message}} if reason else {}),
            "conditions": [],
            "replicaStatuses": {},
            "warnings": [],
            "timeline": [{"at": at, "phase": phase, "state": phase, "attempt": 0, "cause": message}],
        }
    )
    if outcome is None:
        raise TypeError(f"expected how a workflow ended, got {phase}")
    return outcome
