"""How a job is, and how it ended: `Completed`, `Failed` or `Stopped`, which class and `phase` tell apart."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, cast

from pydantic import Field

from .models.reasons import REASONS
from .models.records import JobStatus


class KnownStatus(JobStatus):
    """A job's status, and where it was read."""

    recorded_in: Literal["anchor", "temporal"] | None = Field(default=None, alias="recordedIn")
    """Set if no worker answers: the status is from the job's anchor in the cluster, which has all of it, or from
    Temporal, which has phase, reason and attempt. The job's pods continue meanwhile."""


@dataclass(frozen=True)
class FirstFailure:
    """A failed pod."""

    pod: str
    node: str | None = None
    container: str | None = None
    exit_code: int | None = None
    signal: int | None = None
    reason: str | None = None
    """Kubernetes' reason, e.g. OOMKilled."""
    message: str | None = None
    evidence: str | None = None
    """URL of the evidence, which `job.evidence()` reads."""
    error_line: str | None = None
    """The line of its log that says best why, without what looks like a secret."""
    signature: str | None = None
    """What kind of failure that line tells of, e.g. GpuOutOfMemory."""


def remedy_of(status: KnownStatus) -> str | None:
    """Return what helps with the cause of a status, as the engine says it, or else by its reason."""
    cause = status.cause
    if cause is None:
        return None
    known = REASONS.get(cause.reason)
    return cause.remedy or (known.remedy.format(job=f"{status.name} -n {status.namespace}") if known else None)


class Completed(KnownStatus):
    """Every replica that decides the outcome has succeeded."""

    phase: Literal["Completed"]  # pyright: ignore[reportIncompatibleVariableOverride]


class Failed(KnownStatus):
    """The job failed, and its rules allow no further restart."""

    phase: Literal["Failed"]  # pyright: ignore[reportIncompatibleVariableOverride]

    @property
    def reason(self) -> str:
        """The reason code; docs/states.md."""
        return self.cause.reason if self.cause else "EngineFault"

    @property
    def failure_class(self) -> str:
        """The kind of reason, e.g. program or infrastructure."""
        return REASONS[self.reason].reason_class if self.reason in REASONS else "engine"

    @property
    def message(self) -> str:
        """What happened, with the pod, the exit code, the node and the rule that decided."""
        return self.cause.message if self.cause else "no cause was recorded"

    @property
    def remedy(self) -> str:
        """What the user can do about it."""
        return remedy_of(self) or REASONS["EngineFault"].remedy

    @property
    def failures(self) -> tuple[FirstFailure, ...]:
        """Failed pods of the last attempt, the first failure first; empty if no pod failed."""
        evidence = [one for one in self.evidence or () if one.attempt == self.attempt]
        failures = [
            FirstFailure(
                *(one.pod, one.node, one.container, one.exit_code, one.signal, one.reason, one.message, one.ref),
                *(one.error_line, one.signature),
            )
            for one in reversed(evidence)
        ]
        cause = self.cause
        # The cause names a pod even if its evidence could not be taken.
        if cause and cause.pod and cause.pod not in {failure.pod for failure in failures}:
            named = FirstFailure(cause.pod, cause.node, cause.container, cause.exit_code, cause.signal)
            failures.insert(0, named)
        return tuple(failures)


class Stopped(KnownStatus):
    """A request ended the job, or its workflow was cancelled or terminated."""

    phase: Literal["Stopped"]  # pyright: ignore[reportIncompatibleVariableOverride]

    @property
    def reason(self) -> str:
        """The reason code, e.g. StopRequested."""
        return self.cause.reason if self.cause else "StopRequested"

    @property
    def message(self) -> str:
        """What happened, in a sentence."""
        return self.cause.message if self.cause else REASONS["StopRequested"].sentence

    @property
    def by(self) -> str | None:
        """Who stopped it, as far as that is recorded; not verified."""
        return self.cause.by if self.cause else None

    @property
    def why(self) -> str | None:
        """Why they stopped it."""
        return self.cause.why if self.cause else None


Outcome: TypeAlias = "Completed | Failed | Stopped"

_CLASSES: dict[str, type[Completed | Failed | Stopped]] = {
    "Completed": Completed,
    "Failed": Failed,
    "Stopped": Stopped,
}


def outcome_from(value: Any) -> Outcome | None:
    """Return the outcome that a workflow recorded; None for anything else."""
    if not isinstance(value, dict):
        return None
    fields = cast("dict[str, Any]", value)
    outcome = _CLASSES.get(str(fields.get("phase")))
    if outcome is None or not isinstance(fields.get("timeline"), list):
        return None
    return outcome.model_validate(fields)
