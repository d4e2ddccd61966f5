"""Which pods and containers of a job have the log that was asked for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


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


def selection_of(
    job: str,
    anchor: Anchor | None,
    *,
    role: str | None,
    index: int | None,
    rank: int | None = None,
    pod: str | None,
    all_pods: bool,
) -> tuple[str, str]:
    """Return the label and the field selector. Without an anchor, fall back to the label of the master."""
    is_open = not all_pods and role is None and index is None and rank is None
    chosen = pod or (anchor.main_pod if anchor and is_open else None)
    labels = {"signalbox.dev/job": job}
    if is_open and chosen is None:
        labels["training.kubeflow.org/job-role"] = "master"
    if not all_pods and chosen is None:
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


def container_of(pod: Any, name: str | None, anchor: Anchor | None) -> str | None:
    """Return the container to read: the named one, else the main container of the pod's role."""
    labels: dict[str, str] = pod.metadata.labels or {}
    annotations: dict[str, str] = pod.metadata.annotations or {}
    main = anchor.containers.get(labels.get("signalbox.dev/role", "")) if anchor else None
    default = annotations.get("kubectl.kubernetes.io/default-container")
    return name or main or default or str(pod.spec.containers[0].name)


def has_log(pod: Any, name: str | None, anchor: Anchor | None) -> bool:
    """Return whether there is a log: before the first run, the API server returns an empty one or an error."""
    status = _status_of(pod, container_of(pod, name, anchor))
    waits = status is not None and status.state is not None and status.state.waiting is not None
    had_run = status is not None and status.last_state is not None and status.last_state.terminated is not None
    return pod.spec.node_name is not None and (had_run or not waits)


def started_container(pod: Any, name: str | None, anchor: Anchor | None) -> Any | None:
    """Return the container's status once it has started; before that it has no log."""
    status = _status_of(pod, container_of(pod, name, anchor))
    if status is None or status.state is None:
        return None
    return status if status.state.running or status.state.terminated else None


def is_owned_by(pod: Any, uid: str) -> bool:
    """Return whether a pod belongs to the job of this anchor."""
    return any(owner.uid == uid for owner in pod.metadata.owner_references or ())


def _status_of(pod: Any, container: str | None) -> Any | None:
    statuses = [*(pod.status.container_statuses or ()), *(pod.status.init_container_statuses or ())]
    return next((status for status in statuses if status.name == container), None)
