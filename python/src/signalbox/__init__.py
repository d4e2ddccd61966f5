"""signalbox: ML training jobs on Kubernetes as durable state machines.

Names are loaded when they are first used: `signalbox.workflow` must stay light inside Temporal's workflow sandbox.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ._manifest import Manifest
    from ._plans import Applied, ManifestChange, ParentJob, RerunPlan
    from .archive import Archive, ArchivedJob, ArchivedRevision
    from .client import Client
    from .errors import (
        AmbiguousRunError,
        ArchiveAwayError,
        ArchiveDamagedError,
        ArchiveVersionError,
        EvidenceAwayError,
        Fault,
        FunctionError,
        InvalidManifestError,
        JobEndedError,
        JobNotFoundError,
        KeyReusedError,
        KnownJob,
        LanesError,
        MissingRequirementError,
        NameTakenError,
        NoEvidenceError,
        NoLogError,
        RefusedError,
        ServerAwayError,
        SettingsError,
        SignalboxError,
        WaitTimeoutError,
        WorkerAwayError,
    )
    from .explanation import Explanation
    from .job import Job
    from .lanes import Lanes
    from .models.builders import (
        jax_job,
        mpi_job,
        mpi_job_v2,
        paddle_job,
        paddle_operator_job,
        pytorch_job,
        tf_job,
        xgboost_job,
    )
    from .models.records import LanesAnswer, WhyAnswer
    from .models.sync import (
        SyncArchive,
        SyncArchivedJob,
        SyncClient,
        SyncJob,
        SyncLanes,
        SyncSubmissionAttempt,
        SyncSweep,
    )
    from .outcome import Completed, Failed, FirstFailure, KnownStatus, Outcome, Stopped
    from .submission import SubmissionAttempt
    from .summary import JobSummary
    from .sweep import FailedTrial, Sweep, SweepStop, SweepSummary, SweepTrial, SweepWait
    from .training import train

_HOMES = {
    "_manifest": "Manifest",
    "_plans": "Applied ManifestChange ParentJob RerunPlan",
    "archive": "Archive ArchivedJob ArchivedRevision",
    "models.builders": "jax_job mpi_job mpi_job_v2 paddle_job paddle_operator_job pytorch_job tf_job xgboost_job",
    "client": "Client",
    "errors": (
        "AmbiguousRunError ArchiveAwayError ArchiveDamagedError ArchiveVersionError EvidenceAwayError Fault "
        "FunctionError InvalidManifestError JobEndedError JobNotFoundError KeyReusedError KnownJob LanesError "
        "MissingRequirementError NameTakenError NoEvidenceError NoLogError RefusedError ServerAwayError "
        "SettingsError SignalboxError WaitTimeoutError WorkerAwayError"
    ),
    "explanation": "Explanation",
    "job": "Job",
    "lanes": "Lanes",
    "models.records": "LanesAnswer WhyAnswer",
    "outcome": "Completed Failed FirstFailure KnownStatus Outcome Stopped",
    "submission": "SubmissionAttempt",
    "summary": "JobSummary",
    "sweep": "FailedTrial Sweep SweepStop SweepSummary SweepTrial SweepWait",
    "models.sync": "SyncArchive SyncArchivedJob SyncClient SyncJob SyncLanes SyncSubmissionAttempt SyncSweep",
    "training": "train",
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names.split()}

__all__ = ["Applied", "Archive", "ArchivedJob", "ArchivedRevision", "Client", "Completed", "Explanation", "Failed"]
__all__ += ["Fault", "FirstFailure", "Job", "JobSummary", "KnownJob", "KnownStatus", "Manifest", "ManifestChange"]
__all__ += ["Outcome", "ParentJob", "RerunPlan", "Stopped", "SubmissionAttempt", "SyncArchive", "SyncArchivedJob"]
__all__ += ["SyncClient", "SyncJob", "SyncLanes", "SyncSubmissionAttempt", "SyncSweep"]
__all__ += ["Lanes", "LanesAnswer", "WhyAnswer"]
__all__ += ["FailedTrial", "Sweep", "SweepStop", "SweepSummary", "SweepTrial", "SweepWait"]
__all__ += ["AmbiguousRunError", "ArchiveAwayError", "ArchiveDamagedError", "ArchiveVersionError"]
__all__ += ["EvidenceAwayError", "FunctionError", "InvalidManifestError", "JobEndedError", "JobNotFoundError"]
__all__ += ["KeyReusedError", "LanesError", "MissingRequirementError", "NameTakenError", "NoEvidenceError"]
__all__ += ["NoLogError", "RefusedError", "ServerAwayError", "SettingsError", "SignalboxError", "WaitTimeoutError"]
__all__ += ["WorkerAwayError"]
__all__ += ["jax_job", "mpi_job", "mpi_job_v2", "paddle_job", "paddle_operator_job", "pytorch_job", "tf_job", "train"]
__all__ += ["xgboost_job"]


def __getattr__(name: str) -> object:
    if name not in _HOME_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f".{_HOME_OF[name]}", __name__), name)


def __dir__() -> list[str]:
    return __all__
