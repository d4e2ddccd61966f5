"""Which pods and containers of a job have the log that was asked for, and why they may have none."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ._options import LogOptions
from .errors import NoLogError
from .models.waits import WAIT_PHRASES
from .summary import JobSummary


@dataclass(frozen=True)
class Anchor:
    """What a job's anchor, a ConfigMap, records about its pods."""

    uid: str
    first_run_id: str | None
    main_pod: str | None
    containers: dict[str, str]
    """Names of the main containers by role in lower case."""

    @classmethod
    def of(cls, config_map: Any) -> Anchor:
        """Read the annotations of a ConfigMap."""
        annotations: dict[str, str] = config_map.metadata.annotations or {}
        pairs = annotations.get("signalbox.dev/main-container", "").split(",")
        return cls(
            uid=str(config_map.metadata.uid),
            first_run_id=annotations.get("signalbox.dev/first-run-id"),
            main_pod=annotations.get("signalbox.dev/main-pod"),
            containers=dict(pair.split("=", 1) for pair in pairs if "=" in pair),
        )


def selection_of(job: str, anchor: Anchor | None, options: LogOptions) -> tuple[str, str]:
    """Return the label and the field selector. Without an anchor, fall back to the label of the master."""
    role, index = options.get("role"), options.get("index")
    is_all = options.get("all_pods")
    is_open = not is_all and role is None and index is None and options.get("rank") is None
    chosen = options.get("pod") or (anchor.main_pod if anchor and is_open else None)
    labels = {"signalbox.dev/job": job}
    if is_open and chosen is None:
        labels["training.kubeflow.org/job-role"] = "master"
    if not is_all and chosen is None:
        labels |= {} if role is None else {"signalbox.dev/role": role.lower()}
        labels |= {} if index is None else {"signalbox.dev/index": str(index)}
    selector = ",".join(f"{key}={value}" for key, value in labels.items())
    return selector, "" if chosen is None else f"metadata.name={chosen}"


def has_rank(pod: Any, rank: int | None) -> bool:
    """Return whether a selected pod is meant: no selector knows ranks."""
    variables = [variable for container in pod.spec.containers for variable in container.env or ()]
    return rank is None or any(one.name in _RANKS and one.value == str(rank) for one in variables)


_RANKS = frozenset({"RANK", "PROCESS_ID", "PADDLE_TRAINER_ID"})
"""The variables by which kinds tell a pod its rank."""


def container_of(pod: Any, name: str | None, anchor: Anchor | None) -> str:
    """Return the container to read: the named one, else the main container of the pod's role."""
    labels: dict[str, str] = pod.metadata.labels or {}
    annotations: dict[str, str] = pod.metadata.annotations or {}
    main = anchor.containers.get(labels.get("signalbox.dev/role", "")) if anchor else None
    default = annotations.get("kubectl.kubernetes.io/default-container")
    return name or main or default or str(pod.spec.containers[0].name)


def has_log(pod: Any, name: str | None, anchor: Anchor | None) -> bool:
    """Return whether there is a log: before the first run, the API server returns an empty one or an error."""
    status = _status_of(pod, container_of(pod, name, anchor))
    waits = status and status.state and status.state.waiting
    had_run = status and status.last_state and status.last_state.terminated
    return pod.spec.node_name is not None and bool(had_run or not waits)


def started_container(pod: Any, name: str | None, anchor: Anchor | None) -> Any | None:
    """Return the container's status once it has started; before that it has no log."""
    status = _status_of(pod, container_of(pod, name, anchor))
    has_started = status and status.state and (status.state.running or status.state.terminated)
    return status if has_started else None


def is_owned_by(pod: Any, uid: str) -> bool:
    """Return whether a pod belongs to the job of this anchor."""
    return any(owner.uid == uid for owner in pod.metadata.owner_references or ())


def _status_of(pod: Any, container: str) -> Any | None:
    statuses = [*(pod.status.container_statuses or ()), *(pod.status.init_container_statuses or ())]
    return next((status for status in statuses if status.name == container), None)


def not_started(job: JobSummary, pods: list[Any]) -> NoLogError:
    """Return the error for pods of which no program has begun. Failed pods come first: they say most."""
    pod = next((pod for pod in pods if pod.status.phase == "Failed"), pods[0])
    has_failed = pod.status.phase == "Failed"
    failed = next(filter(_exit_code_of, pod.status.init_container_statuses or ()), None)
    begun = "failed before its program began" if has_failed else "has not started yet"
    said = ": ".join(filter(None, (pod.status.reason, pod.status.message))).removesuffix(".")
    why = said if has_failed else _what_it_waits_for(pod)
    own = ""
    if failed:
        why = f"init container {failed.name} failed with code {_exit_code_of(failed)}"
        own = f'`job.logs(container="{failed.name}")` reads that container. '
    more = f", and {len(pods) - 1} more have no log either" if len(pods) > 1 else ""
    waits = "" if job.has_ended else "follow=True waits for it; "
    remedy = "`job.evidence()` says more." if has_failed else f"{waits}`job.status()` says what it waits for."
    return NoLogError(
        f"{pod.metadata.name} {begun}{f': {why}' if why else ''}{more}; {job.name} is {job.phase}.",
        remedy=f"{own}{remedy}",
    )


def _what_it_waits_for(pod: Any) -> str:
    """Return what a pod that has not started waits for: a sentence, then the message of Kubernetes."""
    if not pod.spec.node_name:
        scheduled = next((one for one in pod.status.conditions or () if one.type == "PodScheduled"), None)
        said = ((scheduled and (scheduled.message or scheduled.reason)) or "").removesuffix(".")
        return f"it has no node yet{f' ({said})' if said else ''}"
    sidecars = {one.name for one in pod.spec.init_containers or () if one.restart_policy == "Always"}
    initial = pod.status.init_container_statuses or ()
    running = [one.name for one in initial if one.state and one.state.running and one.name not in sidecars]
    if running:
        return f"its init container {running[0]} runs"
    statuses = [*initial, *(pod.status.container_statuses or ())]
    waits = [status.state.waiting for status in statuses if status.state and status.state.waiting]
    if not waits:
        return WAIT_PHRASES["ContainerCreating"]
    reason = waits[0].reason or "unknown"
    what = WAIT_PHRASES.get(reason) or f"its container waits with {reason}"
    return f"{what}{f' ({reason}: {waits[0].message})' if waits[0].message else ''}"


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


def _exit_code_of(status: Any) -> int:
    """Return the exit code of the last run, unless another one is under way; 0 if there is none."""
    state, last = status.state, status.last_state
    ended = state and (state.terminated or (state.waiting and last and last.terminated))
    return int(ended.exit_code) if ended else 0
