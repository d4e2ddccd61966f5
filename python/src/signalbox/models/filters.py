"""Generated from contracts/filters.ts by `npm run docs`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from typing_extensions import TypedDict


class FilterOptions(TypedDict, total=False):
    """Which jobs to list or count. What is not given matches every job. Phases, kinds and reasons may be in any
    case.
    """

    namespace: str | None
    """Only jobs of this namespace."""
    name: str | None
    """Only jobs of this name."""
    kind: str | None
    """Only jobs of this kind."""
    labels: Mapping[str, str] | None
    """Only jobs with these labels."""
    submitted_by: str | None
    """Only jobs that this user submitted."""
    since: datetime | None
    """Only jobs submitted then or later."""
    until: datetime | None
    """Only jobs submitted before then."""
    phase: str | Sequence[str] | None
    """Only jobs in this phase."""
    reason: str | None
    """Only jobs with this reason."""


class ArchiveFilter(FilterOptions, total=False):
    """Which archived jobs to list. What is not given matches every job."""

    ended_since: datetime | None
    """Only jobs that ended then or later."""
    ended_before: datetime | None
    """Only jobs that ended before then."""


CLAUSES: Mapping[str, str] = {
    "namespace": "(JobNamespace = '{value}' OR WorkflowId STARTS_WITH 'job/{value}/')",
    "name": "JobName = '{value}'",
    "kind": "JobKind = '{value}'",
    "labels": "JobLabels = '{value}'",
    "submitted_by": "JobSubmittedBy = '{value}'",
    "since": "StartTime >= '{value}'",
    "until": "StartTime < '{value}'",
    "phase": "(JobPhase = '{value}' AND ExecutionStatus = 'Running')",
    "reason": "JobReason = '{value}'",
}
"""The condition of the visibility store, with a value as `{value}`."""

WORD_CLAUSES: Mapping[str, Mapping[str, str]] = {
    "phase": {
        "Completed": "JobPhase = 'Completed'",
        "Failed": "(JobPhase = 'Failed' OR (ExecutionStatus IN ('Failed') AND (JobPhase IS NULL OR JobPhase NOT IN ('Completed', 'Failed', 'Stopped'))))",
        "Stopped": "(JobPhase = 'Stopped' OR (ExecutionStatus IN ('Terminated', 'Canceled', 'TimedOut') AND (JobPhase IS NULL OR JobPhase NOT IN ('Completed', 'Failed', 'Stopped'))))",
    },
    "reason": {
        "Cancelled": "(JobReason = 'Cancelled' OR ExecutionStatus IN ('Canceled'))",
        "WorkflowTerminated": "(JobReason = 'WorkflowTerminated' OR ExecutionStatus IN ('Terminated', 'TimedOut'))",
    },
}
"""The conditions of values that have one of their own."""

WORDS: Mapping[str, Sequence[str]] = {
    "kind": ["PyTorchJob", "TFJob", "XGBoostJob", "PaddleJob", "JAXJob", "MPIJob", "Job", "TrainJob"],
    "phase": ["Pending", "Starting", "Running", "Restarting", "Suspended", "Completed", "Failed", "Stopped"],
    "reason": [
        "Suspended",
        "HeldForDebugging",
        "CheckpointRequested",
        "ReplacingPods",
        "RestartingGang",
        "Evicted",
        "Preempted",
        "Reclaimed",
        "CapacityTaken",
        "TooFewNewNodes",
        "Scaling",
        "NeverFits",
        "Forbidden",
        "NamespaceMissing",
        "NamespaceTerminating",
        "WebhookUnavailable",
        "ApiServerUnavailable",
        "ClusterRefused",
        "DependencyMissing",
        "LaneFaulty",
        "WaitingInLane",
        "QuotaExceeded",
        "WaitingForGang",
        "Unschedulable",
        "PodsTerminating",
        "NodeNotReady",
        "ContainersRestarting",
        "ContainersNotReady",
        "CreatingObjects",
        "AwaitingWatcher",
        "CleaningUp",
        "InvalidManifest",
        "RepeatedByTemporal",
        "ResourceDeleted",
        "ResourceEnded",
        "ResourceRequired",
        "NameTaken",
        "ReferenceMissing",
        "PodFailed",
        "PodEvicted",
        "PermanentExitCode",
        "BackoffLimitExceeded",
        "FinalFailure",
        "FailureBudgetExceeded",
        "RestartsExhausted",
        "NodeLost",
        "NodeSick",
        "NodeLeaving",
        "NotPlacedInTime",
        "StartUpFailed",
        "Stalled",
        "DeadlineExceeded",
        "StopRequested",
        "Cancelled",
        "StoppedByRule",
        "AnchorDeleted",
        "WorkflowTerminated",
        "EngineFault",
    ],
}
"""The words that a filter takes, in any case."""

BOUNDS: Mapping[str, Sequence[str]] = {"since": ["start_time", ">="], "until": ["start_time", "<"]}
"""Times: which time of a job, and how it compares with the value."""
