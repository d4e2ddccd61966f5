"""Errors of the library: one class per cause, each with a stable code, a message and a remedy.

The classes are those of the engine. Here are the sentences of what this package itself raises.
"""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal

from pydantic import TypeAdapter
from pydantic.alias_generators import to_snake

from . import _names as names
from ._did_you_mean import or_meant
from ._signalbox_error import Fault, KnownJob, SignalboxError
from .models import errors as models

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

__all__ = ["Fault", "KnownJob", "SignalboxError"]

AmbiguousRunError = models.AmbiguousRunError
ArchiveAwayError = models.ArchiveAwayError
ArchiveDamagedError = models.ArchiveDamagedError
ArchiveVersionError = models.ArchiveVersionError
EvidenceAwayError = models.EvidenceAwayError
LanesError = models.LanesError
MissingRequirementError = models.MissingRequirementError
NoEvidenceError = models.NoEvidenceError
NoLogError = models.NoLogError
RefusedError = models.RefusedError


class InvalidManifestError(models.InvalidManifestError):
    def __init__(
        self,
        faults: Sequence[Fault],
        *,
        of: Literal["submission", "submit", "options", "change", "rerun"] = "submission",
    ) -> None:
        what, remedy = _FAULTY[of]
        count = "an error" if len(faults) == 1 else f"{len(faults)} errors"
        listed = "\n".join(f"  {fault}" for fault in faults)
        if faults and all(fault.is_unknown for fault in faults):
            remedy += " With strict=False unknown fields are accepted."
        super().__init__(f"{what} {count}:\n{listed}", remedy=remedy, faults=tuple(faults))


_FAULTY = {
    "submission": ("The manifest has", "Nothing was started. Correct the manifest and submit it again."),
    "submit": ("The options have", "Nothing was started. Correct the options and submit again."),
    "options": ("The options have", "Correct the options and build the manifest again."),
    "change": ("With this change the manifest would have", "Nothing was changed; the job continues as before."),
    "rerun": ("The manifest of the rerun would have", "Nothing was started."),
}


class NameTakenError(models.NameTakenError):
    def __init__(
        self,
        workflow_id: str,
        phase: str,
        since: datetime,
        *,
        what: str = "Another manifest",
        differences: str = "",
        message: str | None = None,
        remedy: str = "Stop that job, or choose another metadata.name.",
    ) -> None:
        live = f"{what} has been running as {workflow_id} since {since.isoformat()}; its phase is {phase}.{differences}"
        super().__init__(
            live if message is None else message, remedy=remedy, workflow_id=workflow_id, phase=phase, since=since
        )


class KeyReusedError(models.KeyReusedError):
    def __init__(self, workflow_id: str, run_id: str, key: str, differences: str = "") -> None:
        super().__init__(
            f'The key "{key}" was used for another manifest: run {run_id} of {workflow_id}.{differences}',
            remedy="Nothing was started. Submit the manifest of that run to get it, or choose another key.",
            workflow_id=workflow_id,
            run_id=run_id,
            key=key,
        )


class JobNotFoundError(models.JobNotFoundError):
    others: Sequence[str] = ()
    """Ids of workflows whose job has the requested name."""

    def __init__(self, workflow_id: str, others: Sequence[str] = (), near: str | None = None) -> None:
        is_sweep = workflow_id.startswith(names.SWEEP_ID_PREFIX)
        kind, see = ("sweep", "") if is_sweep else ("job", "See `client.list()`; ")
        what = f"{kind} {workflow_id.removeprefix(names.SWEEP_ID_PREFIX)}"
        forgotten = f"{see}Temporal forgets ended {kind}s after the retention time of its namespace."
        named = f"{len(others)} jobs with that name have other workflow ids; choose one: {', '.join(others)}."
        super().__init__(
            f"There is no {what}{or_meant(near)}",
            remedy=named if others else forgotten,
            workflow_id=workflow_id,
            others=tuple(others),
        )


class JobEndedError(models.JobEndedError):
    def __init__(self, workflow_id: str, phase: str, ended_at: datetime) -> None:
        super().__init__(
            f"{workflow_id} has ended: it has been {phase} since {ended_at.isoformat()}.",
            remedy="Nothing was changed. Submit the manifest with rerun=True to run it again.",
            workflow_id=workflow_id,
            phase=phase,
            ended_at=ended_at,
        )


class ServerAwayError(models.ServerAwayError):
    def __init__(self, server: Literal["Temporal", "Kubernetes"], address: str, why: str = "") -> None:
        remedies = {
            "Temporal": "Check the address (the argument `address`, or TEMPORAL_ADDRESS).",
            "Kubernetes": "Check the kubeconfig and its context.",
        }
        reason = f": {why}" if why else "."
        super().__init__(f"{server} does not answer at {address}{reason}", remedy=remedies[server])


class WorkerAwayError(models.WorkerAwayError):
    workflow_id: str

    def __init__(self, workflow_id: str, consequence: str = "The job then continues.") -> None:
        remedy = f"Start one: `signalbox up`. {consequence}"
        super().__init__(f"No worker answers for {workflow_id}.", remedy=remedy, workflow_id=workflow_id)


class ScheduleNotFoundError(models.ScheduleNotFoundError):
    def __init__(self, schedule_id: str) -> None:
        super().__init__(
            f"There is no schedule {schedule_id}.", remedy="See `client.schedules.list()`.", schedule_id=schedule_id
        )


class ScheduleExistsError(models.ScheduleExistsError):
    def __init__(self, schedule_id: str) -> None:
        super().__init__(
            f"There is a schedule {schedule_id} already.",
            remedy="Nothing was changed. Delete it, or choose another name.",
            schedule_id=schedule_id,
        )


class InvalidScheduleError(models.InvalidScheduleError):
    def __init__(self, message: str) -> None:
        super().__init__(message, remedy="Nothing was changed.")


class WaitTimeoutError(models.WaitTimeoutError, TimeoutError):
    def __init__(self, workflow_id: str, seconds: float) -> None:
        message = f"{workflow_id} has not ended within {seconds:g} s."
        super().__init__(message, remedy="The job continues; wait again, or stop it.", workflow_id=workflow_id)


class SettingsError(SignalboxError):
    """Some settings are invalid or missing."""

    code = "Settings"


class FunctionError(SignalboxError):
    """A Python function, or its arguments, cannot be sent to the pods of a job."""

    code = "Function"


def error_of(code: str, message: str, details: Sequence[Any] = ()) -> SignalboxError:
    """Return the error that the engine answered with: details are its remedy and the fields of its class."""
    given: dict[str, Any] = dict(details[0]) if details else {}
    remedy = given.pop("remedy", None)
    fields = {to_snake(name): _FIELDS.get(name, _same)(value) for name, value in given.items()}
    error_class = _CLASSES.get(code, RefusedError)
    error = error_class.__new__(error_class)
    # The constructors of the classes write sentences; the engine has written these.
    SignalboxError.__init__(error, message, remedy=remedy, **fields)
    return error


_BASES = SignalboxError.__subclasses__()
_CLASSES = {one.code: one for one in [*_BASES, *(one for base in _BASES for one in base.__subclasses__())]}


def _same(value: Any) -> Any:
    return value


_TIME = TypeAdapter(datetime)
_FIELDS: Mapping[str, Callable[[Any], Any]] = {
    "faults": lambda faults: tuple(Fault(one["path"], one["expected"], one["got"]) for one in faults),
    "known": lambda jobs: tuple(
        KnownJob(tuple(one["runIds"]), one["phase"], _TIME.validate_python(one["startTime"])) for one in jobs
    ),
    "since": _TIME.validate_python,
    "endedAt": _TIME.validate_python,
}
