"""Options of the builders. The TypeScript client has the same, with the same manifests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from typing_extensions import Required, TypedDict


class PodOptions(TypedDict, total=False):
    """What the pods of a job run, and need. All pods of the job get the same, unless the builder says otherwise."""

    name: Required[str]
    """Name of the job: a DNS label that starts with a letter."""
    namespace: str | None
    """Kubernetes namespace; default: that of the client."""
    image: Required[str]
    command: Sequence[str] | None
    """The program and its first arguments; default: the image's."""
    args: Sequence[str] | None
    env: Mapping[str, str] | None
    """Variables of the program, by name."""
    gpus_per_node: int | None
    """Default: none."""
    gpu_resource: str | None
    """Resource of a GPU; default: nvidia.com/gpu."""
    cpu: str | float | None
    """CPUs that each pod requests, e.g. 4 or 500m. It may use more."""
    memory: str | float | None
    """Memory that each pod requests and may use, e.g. 64Gi."""
    shm: str | float | None
    """Size of /dev/shm, which data loaders and NCCL use, e.g. 16Gi. It counts as memory."""
    volumes: Mapping[str, str] | None
    """Where pods see PersistentVolumeClaims: the path, by the name of the claim."""
    node_selector: Mapping[str, str] | None
    """Labels that nodes must have."""
    labels: Mapping[str, str] | None
    """Labels of the job, by which clients find it."""
    annotations: Mapping[str, str] | None
    policy: Mapping[str, Any] | None
    """How failures are handled; docs/policy.md."""
    gang: Literal["auto", "native", "volcano", "coscheduling", "kube-batch", "none"] | None
    """The gang scheduler; default: that of the workers."""


class RunOptions(PodOptions, total=False):
    """How long a job runs, and what is left of it."""

    backoff_limit: int | None
    """Restarts after which the job fails; default: 3 with `elastic` or `policy["restart"]`, else no limit.

    The kubelet does not wait for that: with 0 and OnFailure a program may run twice.
    """
    deadline_seconds: int | None
    """Seconds that the job may run."""
    ttl_seconds: int | None
    """Seconds after the end until everything left in the cluster is deleted."""
    clean_pod_policy: Literal["All", "Running", "None"] | None
    """Which pods are removed when the job has ended; default: none."""
    suspend: bool | None
    """Start without pods, until the job is resumed."""


class JobOptions(RunOptions, total=False):
    """Options that all kinds of kubeflow.org/v1 have."""

    restart_policy: Literal["Always", "OnFailure", "Never", "ExitCode"] | None
    """Which failures are retried; default: Never, so that a crash ends the job.

    With a `backoff_limit`, `elastic` or `policy["restart"]` it is OnFailure. Of an MPIJob it is the launcher's.
    """


class Elastic(TypedDict, total=False):
    """Lets the number of pods change while the job runs."""

    min_nodes: Required[int]
    max_nodes: Required[int]
    max_restarts: int
    """Restarts of the processes that torchrun allows."""
