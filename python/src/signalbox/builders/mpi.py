"""Builds MPIJobs, of both versions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from typing_extensions import Required, Unpack

from ._options import JobOptions, RunOptions
from ._parts import failure_rules, given, metadata_of, pod_template, role_of, run_policy_of
from ._rules import BOOLEAN, JOB_RULES, TEXT, TEXTS, Rule, check_options, integer, one_of

_NEEDED = ("name", "image", "nodes")
_RULES: Mapping[str, Rule] = {
    **JOB_RULES,
    "nodes": integer(1),
    "processes_per_node": integer(1),
    "worker_command": TEXTS,
}
_RULES_V2: Mapping[str, Rule] = {
    **_RULES,
    "restart_policy": one_of("OnFailure", "Never"),
    "implementation": one_of("OpenMPI", "Intel", "MPICH"),
    "ssh_auth_mount_path": TEXT,
    "wait_for_workers": BOOLEAN,
}


class MPIJobOptions(JobOptions, total=False):
    """Options of `mpi_job`. `command` and `args` are those of the launcher, which runs mpirun; it gets no GPUs."""

    nodes: Required[int]
    """Workers."""
    processes_per_node: int | None
    """Processes on each worker, as the host list says; default: 1."""
    worker_command: Sequence[str] | None
    """What workers run; default: they wait for the launcher."""


class MPIJobV2Options(RunOptions, total=False):
    """Options of `mpi_job_v2`. `command` and `args` are those of the launcher, which runs mpirun; it gets no GPUs."""

    nodes: Required[int]
    """Workers."""
    processes_per_node: int | None
    """Processes on each worker, as the host list says; default: 1."""
    worker_command: Sequence[str] | None
    """What workers run; default: they wait for the launcher."""
    restart_policy: Literal["OnFailure", "Never"] | None
    implementation: Literal["OpenMPI", "Intel", "MPICH"] | None
    ssh_auth_mount_path: str | None
    """Where the SSH keys are mounted; default: /root/.ssh."""
    wait_for_workers: bool | None
    """Create the launcher when all workers are ready."""


def mpi_job(**options: Unpack[MPIJobOptions]) -> dict[str, Any]:
    """Return the manifest of an MPIJob of kubeflow.org/v1, whose launcher reaches its workers by kubectl exec.

    Raises `InvalidManifestError` with all options that are wrong.
    """
    check_options(options, _RULES, _NEEDED)
    return {
        "apiVersion": "kubeflow.org/v1",
        "kind": "MPIJob",
        "metadata": metadata_of(options),
        "spec": _spec_of(options),
    }


def mpi_job_v2(**options: Unpack[MPIJobV2Options]) -> dict[str, Any]:
    """Return the manifest of an MPIJob of kubeflow.org/v2beta1, whose launcher reaches its workers by SSH.

    Raises `InvalidManifestError` with all options that are wrong.
    """
    check_options(options, _RULES_V2, _NEEDED)
    own = given(
        {
            "mpiImplementation": options.get("implementation"),
            "sshAuthMountPath": options.get("ssh_auth_mount_path"),
            "launcherCreationPolicy": "WaitForWorkersReady" if options.get("wait_for_workers") else None,
        }
    )
    return {
        "apiVersion": "kubeflow.org/v2beta1",
        "kind": "MPIJob",
        "metadata": metadata_of(options),
        "spec": {**_spec_of({**options, "backoff_limit": _launchers(options)}), **own},
    }


def _launchers(options: Mapping[str, Any]) -> int | None:
    """Even with Never, this kind replaces a launcher's pod as often as backoffLimit allows, by default six times."""
    limit = failure_rules(options)[1]
    return 0 if limit is None and options.get("restart_policy") is None else limit


def _spec_of(options: Mapping[str, Any]) -> dict[str, Any]:
    worker = {**options, "command": options.get("worker_command"), "args": None}
    restart = given({"restartPolicy": options.get("restart_policy")})
    template = pod_template(worker, "mpi-worker")
    roles = {
        "Launcher": role_of({**options, "gpus_per_node": 0}, "mpi-launcher", 1),
        "Worker": {"replicas": options["nodes"], **restart, "template": template},
    }
    slots = given({"slotsPerWorker": options.get("processes_per_node")})
    return {**run_policy_of(options), **slots, "mpiReplicaSpecs": roles}
