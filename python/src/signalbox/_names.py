"""Generated from contracts/ by `npm run docs`."""

from temporalio.common import SearchAttributeKey

TRAINING_JOB = "trainingJob"
PARAMETER_SWEEP = "parameterSweep"
SWEEP_ID_PREFIX = "parameter-sweep/"
RPC = "rpc"
DEFAULT_TASK_QUEUE = "signalbox"
STATUS_QUERY = "status"
ASKED_SIGNAL = "asked"
STOP_UPDATE = "stop"
SUSPEND_UPDATE = "suspend"
RESUME_UPDATE = "resume"
SCALE_UPDATE = "scale"
RETRY_NOW_UPDATE = "retryNow"
EXTEND_DEADLINE_UPDATE = "extendDeadline"
HOLD_UPDATE = "hold"
RELEASE_UPDATE = "release"
AMEND_POLICY_UPDATE = "amendPolicy"
APPLY_UPDATE = "apply"
JOB_FAILED = "JobFailed"
INVALID_MANIFEST = "InvalidManifest"
MEMO_HASH = "manifestHash"
MEMO_SUBMITTED_BY = "submittedBy"
MEMO_KEY = "key"
MEMO_WHY = "why"
MEMO_RERUN_OF = "rerunOf"
MEMO_ERROR = "error"
LONGEST_SECONDS = 31536000
LARGEST_MANIFEST_BYTES = 524288

JOB_KIND = SearchAttributeKey.for_keyword("JobKind")
JOB_NAME = SearchAttributeKey.for_keyword("JobName")
JOB_NAMESPACE = SearchAttributeKey.for_keyword("JobNamespace")
JOB_PHASE = SearchAttributeKey.for_keyword("JobPhase")
JOB_REASON = SearchAttributeKey.for_keyword("JobReason")
JOB_ATTEMPT = SearchAttributeKey.for_int("JobAttempt")
JOB_SUBMITTED_BY = SearchAttributeKey.for_keyword("JobSubmittedBy")
JOB_LABELS = SearchAttributeKey.for_keyword_list("JobLabels")

PHASES = ("Pending", "Starting", "Running", "Restarting", "Suspended", "Completed", "Failed", "Stopped")
FINAL_PHASES = frozenset({"Completed", "Failed", "Stopped"})


def workflow_id_of(name: str, namespace: str) -> str:
    """Return the default id of a job's workflow: one live job per name."""
    return f"job/{namespace}/{name}"


def sweep_id_of(name: str, namespace: str) -> str:
    """Return the id of the workflow of a parameter sweep."""
    return f"parameter-sweep/{namespace}/{name}"
