"""Explains why a job's pods have no log of its program."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .errors import NoLogError

if TYPE_CHECKING:
    from .summary import JobSummary


def not_started(job: JobSummary, pods: list[Any]) -> NoLogError:
    """Return the error for pods of which no program has begun. Failed pods come first: they say most."""
    pod = next(filter(_has_failed, pods), pods[0])
    failed = next(filter(_failure_of, pod.status.init_container_statuses or ()), None)
    said = "failed before its program began" if _has_failed(pod) else "has not started yet"
    why = _reason_of(pod) if failed is None else f"init container {failed.name} failed with code {_failure_of(failed)}"
    more = f", and {len(pods) - 1} more have no log either" if len(pods) > 1 else ""
    return NoLogError(
        f"{pod.metadata.name} {said}{f': {why}' if why else ''}{more}; {job.name} is {job.phase}.",
        remedy=_remedy(job, has_failed=_has_failed(pod), container=failed and failed.name),
    )


def no_pods(job: JobSummary) -> NoLogError:
    """Return the error for a job of which no pod was chosen, or none is left."""
    if not job.has_ended:
        return NoLogError(
            f"No pod of {job.name} matches; it is {job.phase}.",
            remedy="follow=True waits for pods; choose with pod, role, index or all_pods.",
        )
    return NoLogError(
        f"{job.name} has ended ({job.phase}) and clean-up has removed its pods.",
        remedy="`job.evidence()` has the last lines of failed ones; `signalbox logs` says what would keep pods.",
    )


def _remedy(job: JobSummary, *, has_failed: bool, container: str | None) -> str:
    own = f'`job.logs(container="{container}")` reads that container. ' if container else ""
    if has_failed:
        return f"{own}`job.evidence()` says more."
    waits = "" if job.has_ended else "follow=True waits for it; "
    return f"{own}{waits}`job.status()` says what it waits for."


def _has_failed(pod: Any) -> bool:
    return bool(pod.status.phase == "Failed")


def _failure_of(status: Any) -> int:
    """Return the exit code of the last run, unless another one is under way; 0 if there is none."""
    state, last = status.state, status.last_state
    ended = state and (state.terminated or (state.waiting and last and last.terminated))
    return int(ended.exit_code) if ended else 0


def _reason_of(pod: Any) -> str:
    return ": ".join(filter(None, (pod.status.reason, pod.status.message))).removesuffix(".")
