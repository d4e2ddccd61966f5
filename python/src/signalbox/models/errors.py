"""Generated from client/errors/errors.ts and client/errors/schedule-errors.ts by `npm run docs`."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from signalbox._signalbox_error import Fault, KnownJob, SignalboxError


class InvalidManifestError(SignalboxError):
    """The manifest has faults, or would have them after the requested change. Nothing was done."""

    code = "InvalidManifest"
    faults: Sequence[Fault] = ()
    warnings: Sequence[str] = ()
    """Possible explanations of the faults, e.g. unknown fields."""


class NameTakenError(SignalboxError):
    """Another manifest, or another submission by key, is live under the same name, or an ended job has not released
    it yet.
    """

    code = "NameTaken"
    workflow_id: str
    phase: str
    since: datetime


class KeyReusedError(SignalboxError):
    """A run of this workflow id has the submission's key, but another manifest."""

    code = "KeyReused"
    workflow_id: str
    run_id: str
    key: str


class JobNotFoundError(SignalboxError):
    """Temporal has no such job or sweep, or no longer."""

    code = "JobNotFound"
    workflow_id: str
    known: Sequence[KnownJob] = ()
    """If one of several jobs of the name was asked for: those that are there, the newest first."""


class AmbiguousRunError(SignalboxError):
    """Several jobs of the name have a run that begins so."""

    code = "AmbiguousRun"
    workflow_id: str
    known: Sequence[KnownJob] = ()


class JobEndedError(SignalboxError):
    """The request needs a job that has not ended."""

    code = "JobEnded"
    workflow_id: str
    phase: str
    ended_at: datetime


class WaitTimeoutError(SignalboxError):
    """The job has not ended within the time given to `wait`."""

    code = "WaitTimeout"
    workflow_id: str


class ServerAwayError(SignalboxError):
    """Temporal or Kubernetes does not answer."""

    code = "ServerAway"


class WorkerAwayError(SignalboxError):
    """Temporal is available, but no worker answers for the job."""

    code = "WorkerAway"


class RefusedError(SignalboxError):
    """A server rejected the request."""

    code = "Refused"


class LanesError(SignalboxError):
    """The lanes are not known, do not exist or have faults, or there is no such lane. The message names what is
    wrong.
    """

    code = "Lanes"


class MissingRequirementError(SignalboxError):
    """The call needs a package that is not installed, or a newer Node."""

    code = "MissingRequirement"


class NoLogError(SignalboxError):
    """There is no log to read, or no pod matches the choice."""

    code = "NoLog"


class NoEvidenceError(SignalboxError):
    """None of the chosen pods has failed."""

    code = "NoEvidence"


class EvidenceAwayError(SignalboxError):
    """The evidence exists, but not in the place this client reads."""

    code = "EvidenceAway"
    ref: str | None = None


class ArchiveAwayError(SignalboxError):
    """The archive does not exist, does not answer, or may not be read."""

    code = "ArchiveAway"


class ArchiveDamagedError(SignalboxError):
    """A file of the archive is missing, was cut, or was changed after it was written. The message names it."""

    code = "ArchiveDamaged"


class ArchiveVersionError(SignalboxError):
    """A later version of signalbox wrote the archive, in a form that this one does not know."""

    code = "ArchiveVersion"


class ScheduleNotFoundError(SignalboxError):
    """Temporal has no such schedule."""

    code = "ScheduleNotFound"
    schedule_id: str


class ScheduleExistsError(SignalboxError):
    """A schedule of this name exists."""

    code = "ScheduleExists"
    schedule_id: str


class InvalidScheduleError(SignalboxError):
    """The request says no time that Temporal understands, or contradicts itself."""

    code = "InvalidSchedule"
