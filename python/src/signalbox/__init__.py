"""signalbox: ML training jobs on Kubernetes as durable state machines.

Names are loaded when they are first used: `signalbox.workflow` must stay light inside Temporal's workflow sandbox.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ._archived_job import ArchivedJob, ArchivedRevision
    from ._list import JobFilter
    from ._manifest import Manifest
    from ._rerun import ParentJob, RerunPlan
    from ._settings import EvidenceBucket, EvidenceFiles
    from .archive import Archive, open_archive
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
    from .known_status import KnownStatus
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
    from .models.sync import SyncClient, SyncJob
    from .outcome import Completed, Failed, FirstFailure, Outcome, Stopped
    from .summary import JobSummary
    from .training import train

_HOMES = {
    "models.builders": [
        "jax_job",
        "mpi_job",
        "mpi_job_v2",
        "paddle_job",
        "paddle_operator_job",
        "pytorch_job",
        "tf_job",
        "xgboost_job",
    ],
    "training": ["train"],
    "archive": ["Archive", "open_archive"],
    "_archived_job": ["ArchivedJob", "ArchivedRevision"],
    "_rerun": ["ParentJob", "RerunPlan"],
    "client": ["Client"],
    "job": ["Job"],
    "known_status": ["KnownStatus"],
    "models.sync": ["SyncClient", "SyncJob"],
    "explanation": ["Explanation"],
    "outcome": ["Completed", "Failed", "FirstFailure", "Outcome", "Stopped"],
    "summary": ["JobSummary"],
    "_list": ["JobFilter"],
    "_manifest": ["Manifest"],
    "_settings": ["EvidenceBucket", "EvidenceFiles"],
    "errors": [
        "AmbiguousRunError",
        "ArchiveAwayError",
        "ArchiveDamagedError",
        "ArchiveVersionError",
        "EvidenceAwayError",
        "Fault",
        "FunctionError",
        "InvalidManifestError",
        "JobEndedError",
        "JobNotFoundError",
        "KeyReusedError",
        "KnownJob",
        "NameTakenError",
        "NoEvidenceError",
        "NoLogError",
        "RefusedError",
        "ServerAwayError",
        "SettingsError",
        "SignalboxError",
        "WaitTimeoutError",
        "WorkerAwayError",
    ],
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [
    "AmbiguousRunError",
    "Archive",
    "ArchiveAwayError",
    "ArchiveDamagedError",
    "ArchiveVersionError",
    "ArchivedJob",
    "ArchivedRevision",
    "Client",
    "Completed",
    "EvidenceAwayError",
    "EvidenceBucket",
    "EvidenceFiles",
    "Explanation",
    "Failed",
    "Fault",
    "FirstFailure",
    "FunctionError",
    "InvalidManifestError",
    "Job",
    "JobEndedError",
    "JobFilter",
    "JobNotFoundError",
    "JobSummary",
    "KeyReusedError",
    "KnownJob",
    "KnownStatus",
    "Manifest",
    "NameTakenError",
    "NoEvidenceError",
    "NoLogError",
    "Outcome",
    "ParentJob",
    "RefusedError",
    "RerunPlan",
    "ServerAwayError",
    "SettingsError",
    "SignalboxError",
    "Stopped",
    "SyncClient",
    "SyncJob",
    "WaitTimeoutError",
    "WorkerAwayError",
    "jax_job",
    "mpi_job",
    "mpi_job_v2",
    "open_archive",
    "paddle_job",
    "paddle_operator_job",
    "pytorch_job",
    "tf_job",
    "train",
    "xgboost_job",
]


def __getattr__(name: str) -> object:
    if name not in _HOME_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f".{_HOME_OF[name]}", __name__), name)


def __dir__() -> list[str]:
    return __all__
