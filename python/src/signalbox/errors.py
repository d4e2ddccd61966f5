"""Errors of the library: one class per cause, each with a stable code, a message and a remedy."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime


class SignalboxError(Exception):
    """Base class of the library's errors."""

    code: ClassVar[str] = "Signalbox"
    """Stable name of the cause, the same in every language."""

    def __init__(self, message: str, *, remedy: str | None = None) -> None:
        super().__init__(message if remedy is None else f"{message}\n{remedy}")
        self.message = message
        """What happened."""
        self.remedy = remedy
        """What to do next."""


@dataclass(frozen=True)
class Fault:
    """One fault of a manifest."""

    path: str
    """E.g. `spec.pytorchReplicaSpecs.Worker.replicas`."""
    expected: str
    got: str

    def __str__(self) -> str:
        return f"{self.path}: expected {self.expected}, got {self.got}"


class InvalidManifestError(SignalboxError):
    """The manifest has faults, or would have them after the requested change. Nothing was done."""

    code = "InvalidManifest"

    def __init__(
        self, faults: Sequence[Fault], *, of: Literal["submission", "submit", "change", "rerun"] = "submission"
    ) -> None:
        what, remedy = _FAULTY[of]
        count = "an error" if len(faults) == 1 else f"{len(faults)} errors"
        listed = "\n".join(f"  {fault}" for fault in faults)
        super().__init__(f"{what} {count}:\n{listed}", remedy=remedy)
        self.faults = tuple(faults)


_FAULTY = {
    "submission": ("The manifest has", "Nothing was started. Correct the manifest and submit it again."),
    "submit": ("The options have", "Nothing was started. Correct the options and submit again."),
    "change": (
        "With this change the manifest would have",
        "Nothing was changed; the job continues as before.",
    ),
    "rerun": ("The manifest of the rerun would have", "Nothing was started."),
}


class NameTakenError(SignalboxError):
    """Another manifest, or another key, is live under the same workflow id, or an ended job has not released it."""

    code = "NameTaken"

    def __init__(
        self,
        workflow_id: str,
        phase: str,
        since: datetime,
        *,
        what: str = "Another manifest",
        message: str | None = None,
        remedy: str = "Stop that job, or choose another metadata.name.",
    ) -> None:
        live = f"{what} has been running as {workflow_id} since {since.isoformat()}; its phase is {phase}."
        super().__init__(live if message is None else message, remedy=remedy)
        self.workflow_id = workflow_id
        self.phase = phase
        self.since = since


class KeyReusedError(SignalboxError):
    """A run of this workflow id has the submission's key, but another manifest."""

    code = "KeyReused"

    def __init__(self, workflow_id: str, run_id: str, key: str) -> None:
        super().__init__(
            f'The key "{key}" was used for another manifest: run {run_id} of {workflow_id}.',
            remedy="Nothing was started. Submit the manifest of that run to get it, or choose another key.",
        )
        self.workflow_id = workflow_id
        self.run_id = run_id
        self.key = key


@dataclass(frozen=True)
class KnownJob:
    """A job of a name that several jobs had."""

    workflow_id: str
    run_ids: Sequence[str]
    phase: str
    start_time: datetime


_MOST_NAMED = 5


def _listed(jobs: Sequence[KnownJob]) -> str:
    texts = [f"run {job.run_ids[0]} ({job.phase}, submitted {job.start_time.isoformat()})" for job in jobs]
    more = [f"and {len(jobs) - _MOST_NAMED} older"] if len(jobs) > _MOST_NAMED else []
    return ", ".join([*texts[:_MOST_NAMED], *more])


class JobNotFoundError(SignalboxError):
    """Temporal or the archive knows no such job, or no longer does."""

    code = "JobNotFound"

    def __init__(
        self,
        workflow_id: str,
        others: Sequence[str] = (),
        *,
        archive: str | None = None,
        run: str | None = None,
        known: Sequence[KnownJob] = (),
    ) -> None:
        where = "" if archive is None else f" in the archive {archive}"
        if others:
            remedy = f"{len(others)} jobs with that name have other workflow ids; choose one: {', '.join(others)}."
        elif archive is None:
            remedy = "See `client.list()`; Temporal forgets ended jobs after the retention time of its namespace."
        else:
            remedy = "See `archive.list()`; `signalbox archive status` tells what is not archived yet."
        if known:
            remedy = f"Of that name there is {_listed(known)}. {remedy}"
        job = workflow_id if run is None else f"{workflow_id}@{run}"
        super().__init__(f"There is no job {job}{where}.", remedy=remedy)
        self.workflow_id = workflow_id
        self.others = tuple(others)
        self.known = tuple(known)


class AmbiguousRunError(SignalboxError):
    """Several jobs of the name have a run that begins so."""

    code = "AmbiguousRun"

    def __init__(self, workflow_id: str, run: str, known: Sequence[KnownJob]) -> None:
        super().__init__(
            f"{workflow_id}@{run} may be one of {len(known)} jobs.",
            remedy=f"Write more of the run id: {_listed(known)}.",
        )
        self.workflow_id = workflow_id
        self.known = tuple(known)


class JobEndedError(SignalboxError):
    """The request needs a job that has not ended."""

    code = "JobEnded"

    def __init__(self, workflow_id: str, phase: str, ended_at: datetime) -> None:
        super().__init__(
            f"{workflow_id} has ended: it has been {phase} since {ended_at.isoformat()}.",
            remedy="Nothing was changed. Submit the manifest with rerun=True to run it again.",
        )
        self.workflow_id = workflow_id
        self.phase = phase
        self.ended_at = ended_at


class ServerAwayError(SignalboxError):
    """Temporal or Kubernetes does not answer."""

    code = "ServerAway"

    def __init__(self, server: str, address: str, why: str = "") -> None:
        reason = f": {why}" if why else "."
        remedy = (
            "Check the address (the argument `address`, or TEMPORAL_ADDRESS)."
            if server == "Temporal"
            else "Check the kubeconfig and its context."
        )
        super().__init__(f"{server} does not answer at {address}{reason}", remedy=remedy)


class WorkerAwayError(SignalboxError):
    """Temporal is available, but no worker answers for the job."""

    code = "WorkerAway"

    def __init__(self, workflow_id: str, consequence: str = "The job then continues.") -> None:
        super().__init__(
            f"No worker answers for {workflow_id}.",
            remedy=f"Start one: `signalbox up`. {consequence}",
        )
        self.workflow_id = workflow_id


class RefusedError(SignalboxError):
    """A server, or the job itself, rejected the request."""

    code = "Refused"


class WaitTimeoutError(SignalboxError, TimeoutError):
    """The job did not end within the given time. It continues."""

    code = "WaitTimeout"

    def __init__(self, workflow_id: str, seconds: float) -> None:
        super().__init__(
            f"{workflow_id} has not ended within {seconds:g} s.",
            remedy="The job continues; wait again, or stop it.",
        )
        self.workflow_id = workflow_id


class SettingsError(SignalboxError):
    """Some settings are invalid or missing."""

    code = "Settings"


class NoLogError(SignalboxError):
    """There is no log to read, or no pod matches the choice."""

    code = "NoLog"


class NoEvidenceError(SignalboxError):
    """None of the chosen pods has failed."""

    code = "NoEvidence"


class EvidenceAwayError(SignalboxError):
    """The evidence exists, but not in the place that this client reads."""

    code = "EvidenceAway"


class ArchiveAwayError(SignalboxError):
    """The archive does not exist, or may not be read."""

    code = "ArchiveAway"


class ArchiveDamagedError(SignalboxError):
    """A file of the archive is missing, was cut, or was changed after it was written. The message names it."""

    code = "ArchiveDamaged"

    def __init__(self, message: str) -> None:
        super().__init__(
            message,
            remedy="`signalbox audit verify` finds everything that was changed. Restore the file from a backup.",
        )


class ArchiveVersionError(SignalboxError):
    """A later version of signalbox wrote the archive, in a form that this one does not know."""

    code = "ArchiveVersion"

    def __init__(self, message: str) -> None:
        super().__init__(message, remedy="Read it with that version or a newer one.")


class FunctionError(SignalboxError):
    """A Python function, or its arguments, cannot be sent to the pods of a job."""

    code = "Function"
