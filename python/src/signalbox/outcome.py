"""How a job ended: `Completed`, `Failed` or `Stopped`, told apart by class or by `phase`."""

from __future__ import annotations

import re
from typing import Any, Literal, TypeAlias, cast

from .models.records import EvidenceSummary, JobStatus

_REASON_CLASSES = {
    **dict.fromkeys(("InvalidManifest", "NameTaken", "ClusterRefused"), "request"),
    **dict.fromkeys(("PodEvicted", "NodeLost", "StartUpFailed"), "infrastructure"),
    "DeadlineExceeded": "limit",
    "EngineFault": "engine",
}


class Completed(JobStatus):
    """The job succeeded."""

    phase: Literal["Completed"]  # pyright: ignore[reportIncompatibleVariableOverride]


class Failed(JobStatus):
    """The job failed; `reason` and `message` say why, `failures` which pods."""

    phase: Literal["Failed"]  # pyright: ignore[reportIncompatibleVariableOverride]

    @property
    def reason(self) -> str:
        """The reason code; docs/reasons.md says what to do."""
        return self.cause.reason if self.cause else "EngineFault"

    @property
    def failure_class(self) -> str:
        """Who can do something about it: request, program, infrastructure, limit or engine."""
        return _REASON_CLASSES.get(self.reason, "program")

    @property
    def message(self) -> str:
        """What happened, with the pod, the exit code, the node and the rule that decided."""
        return self.cause.message if self.cause else "no cause was recorded"

    @property
    def failures(self) -> tuple[EvidenceSummary, ...]:
        """The pods that failed first, with exit code, node and the reference of their evidence."""
        return tuple(reversed(self.evidence or ()))


class Stopped(JobStatus):
    """Somebody stopped the job."""

    phase: Literal["Stopped"]  # pyright: ignore[reportIncompatibleVariableOverride]

    @property
    def reason(self) -> str:
        """The reason code, e.g. StopRequested."""
        return self.cause.reason if self.cause else "StopRequested"

    @property
    def message(self) -> str:
        """What happened, in a sentence."""
        return self.cause.message if self.cause else "stopped"

    @property
    def by(self) -> str | None:
        """Who stopped it, if that was said."""
        return self._said("by")

    @property
    def why(self) -> str | None:
        """Why it was stopped, if that was said."""
        return self._said("why")

    def _said(self, what: str) -> str | None:
        said = re.fullmatch(r"stopped(?: by (?P<by>[^:]+))?(?:: (?P<why>.+))?", self.message, re.DOTALL)
        return said[what] if said else None


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
