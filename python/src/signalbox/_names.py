"""The words of the wire contract: workflow types, updates, queries, memo keys, attributes (docs/wire-contract.md)."""

from __future__ import annotations

from temporalio.common import SearchAttributeKey

TRAINING_JOB = "trainingJob"
"""Type of the workflow that runs one job. Its input is the manifest."""
DEFAULT_TASK_QUEUE = "signalbox"

STATUS_QUERY = "status"
ASKED_SIGNAL = "asked"
"""Sent right before an update, with its id, name and argument: the event of a signal has its sender."""
LEDGER_QUERY = "ledger"
STOP_UPDATE = "stop"
SUSPEND_UPDATE = "suspend"
RESUME_UPDATE = "resume"
SCALE_UPDATE = "scale"
RETRY_NOW_UPDATE = "retryNow"
EXTEND_DEADLINE_UPDATE = "extendDeadline"
HOLD_UPDATE = "hold"
RELEASE_UPDATE = "release"
AMEND_POLICY_UPDATE = "amendPolicy"

JOB_FAILED = "JobFailed"
"""Type of the failure that ends the workflow of a failed job. Its first detail is the outcome."""
INVALID_MANIFEST = "InvalidManifest"
"""Type of the failure for a manifest with faults. Its details are the faults and the outcome."""

MEMO_HASH = "manifestHash"
MEMO_SUBMITTED_BY = "submittedBy"
MEMO_KEY = "key"
MEMO_WHY = "why"
MEMO_RERUN_OF = "rerunOf"
"""The job whose recorded manifest a rerun was made from."""

JOB_KIND = SearchAttributeKey.for_keyword("JobKind")
JOB_NAME = SearchAttributeKey.for_keyword("JobName")
JOB_NAMESPACE = SearchAttributeKey.for_keyword("JobNamespace")
JOB_PHASE = SearchAttributeKey.for_keyword("JobPhase")
JOB_REASON = SearchAttributeKey.for_keyword("JobReason")
JOB_ATTEMPT = SearchAttributeKey.for_int("JobAttempt")
JOB_SUBMITTED_BY = SearchAttributeKey.for_keyword("JobSubmittedBy")
JOB_LABELS = SearchAttributeKey.for_keyword_list("JobLabels")

LONGEST_SECONDS = 365 * 24 * 60 * 60
"""Longer than any job: a larger number is a typing error."""
LARGEST_MANIFEST_BYTES = 512 * 1024


def workflow_id_of(name: str, namespace: str) -> str:
    """Return the default id of a job's workflow: one live job per name."""
    return f"job/{namespace}/{name}"
