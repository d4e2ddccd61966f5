"""Why a job is as it is."""

from __future__ import annotations

from dataclasses import dataclass

from .models.reasons import REASONS
from .outcome import KnownStatus, remedy_of
from .summary import FINAL_PHASES

_UNCAUSED = {
    "Pending": "No worker has admitted the job yet.",
    "Running": "The job runs.",
    "Completed": "Every replica that decides the outcome has succeeded.",
}


@dataclass(frozen=True)
class Explanation:
    """What a job waits for, or why it ended."""

    phase: str
    sentence: str
    reason: str | None = None
    """None if there is nothing to explain: the job runs, or has completed."""
    details: str | None = None
    """E.g. the scheduler's own words."""
    since: str | None = None
    """Since when it is in this state, RFC 3339."""
    remedy: str | None = None
    pod: str | None = None
    node: str | None = None
    container: str | None = None
    rule: str | None = None
    recorded_in: str | None = None
    """See `KnownStatus`."""


def explanation_of(status: KnownStatus) -> Explanation:
    """Explain a status."""
    phase, cause = status.phase, status.cause
    ended_at = status.completion_time if phase in FINAL_PHASES else None
    since = ended_at or status.since or status.start_time
    if cause is None:
        sentence = _UNCAUSED.get(phase, f"The job is {phase}.")
        return Explanation(phase, sentence, since=since, recorded_in=status.recorded_in)
    known = REASONS.get(cause.reason)
    return Explanation(
        phase,
        known.sentence if known else cause.message,
        cause.reason,
        cause.message or None,
        since,
        remedy_of(status),
        *(cause.pod, cause.node, cause.container, cause.rule, status.recorded_in),
    )
