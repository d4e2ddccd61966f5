"""Generated from client/manifests/builders/kinds.ts by `npm run docs`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from typing_extensions import Required, TypedDict, Unpack

from signalbox._build_manifest import build_manifest


class AnyJobOptions(TypedDict, total=False):
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
    cpu: str | float | None
    """CPUs that each pod requests, e.g. `4` or `500m`. It may use more."""
    memory: str | float | None
    """Memory that each pod requests and may use, e.g. `64Gi`."""
    gpus_per_node: int | None
    """Default: none."""
    gpu_resource: str | None
    """Resource of a GPU; default: `nvidia.com/gpu`."""
    volumes: Mapping[str, str] | None
    """Where pods see PersistentVolumeClaims: the path, by the name of the claim."""
    shm: str | float | None
    """Size of /dev/shm, which data loaders and NCCL use, e.g. `16Gi`. It counts as memory."""
    node_selector: Mapping[str, str] | None
    """Labels that nodes must have."""
    labels: Mapping[str, str] | None
    """Labels of the job, by which clients find it."""
    annotations: Mapping[str, str] | None
    policy: Mapping[str, Any] | None
    """How failures are handled; docs/policy.md."""
    gang: (
        Literal["auto", "native", "volcano", "coscheduling", "kube-batch", "kueue", "gated", "gated-native", "none"]
        | None
    )
    """The gang scheduler; default: that of the workers."""


class JobOptions(AnyJobOptions, total=False):
    """Options that all kinds of kubeflow.org have."""

    restart_policy: Literal["Always", "OnFailure", "Never", "ExitCode"] | None
    """Which failures are retried; default: `Never`, so that a crash ends the job, or `OnFailure` with a
    `backoff_limit`, with `elastic` or with `policy.restart`. Of an MPIJob the launcher’s.
    """
    backoff_limit: int | None
    """Restarts after which the job fails; default: 3 with `elastic` or `policy.restart`, no limit with a
    `restart_policy`. The kubelet does not wait for that: with 0 and `OnFailure` a program may run twice.
    """
    deadline_seconds: int | None
    """Seconds that the job may run."""
    ttl_seconds: int | None
    """Seconds after the end until everything left in the cluster is deleted."""
    clean_pod_policy: Literal["All", "Running", "None"] | None
    """Which pods are removed when the job has ended; default: none."""
    suspend: bool | None
    """Start without pods, until the job is resumed."""


class Elastic(TypedDict, total=False):
    """Lets the number of pods change while the job runs"""

    min_nodes: Required[int]
    max_nodes: Required[int]
    max_restarts: int | None
    """Restarts of the processes that torchrun allows."""


class PyTorchJobOptions(JobOptions, total=False):
    """What a PyTorchJob is built from."""

    nodes: Required[int]
    """Pods: one Master and Workers for the rest."""
    processes_per_node: int | Literal["auto", "cpu", "gpu"] | None
    """Processes that torchrun starts in each pod; default: `auto`, one for each GPU."""
    elastic: Elastic | None
    """Lets the number of pods change while the job runs. Then all pods are Workers, and `nodes` of them start."""


class TFJobOptions(JobOptions, total=False):
    """What a TFJob is built from."""

    nodes: Required[int]
    """Pods that train: with more than one, one Chief and Workers for the rest."""
    parameter_servers: int | None
    """Pods that hold the parameters, without GPUs; default: 0."""
    evaluators: int | None
    """Pods that evaluate, beside those that train; default: 0."""
    success_policy: Literal["AllWorkers"] | None
    """`AllWorkers`: every Worker must succeed; default: the Chief, or else the first Worker."""


class XGBoostJobOptions(JobOptions, total=False):
    """What an XGBoostJob is built from."""

    nodes: Required[int]
    """Pods: one Master and Workers for the rest."""


class JAXJobOptions(JobOptions, total=False):
    """What a JAXJob is built from."""

    nodes: Required[int]
    """Pods, which are all Workers; the first one coordinates."""


class PaddleJobOptions(JobOptions, total=False):
    """What a PaddleJob of kubeflow.org is built from."""

    nodes: Required[int]
    """Pods that train, which are all Workers."""
    parameter_servers: int | None
    """Pods that hold the parameters, the role Master, without GPUs; default: 0."""


class MPIJobOptions(JobOptions, total=False):
    """What an MPIJob of kubeflow.org/v1 is built from. `command` and `args` are those of the launcher, which runs
    mpirun. It requests no GPUs.
    """

    nodes: Required[int]
    """Workers."""
    processes_per_node: int | None
    """Processes on each worker, as the host list says; default: 1."""
    worker_command: Sequence[str] | None
    """What workers run; default: they wait for the launcher."""


class MPIJobV2Options(AnyJobOptions, total=False):
    """What an MPIJob of kubeflow.org/v2beta1 is built from. `command` and `args` are those of the launcher, which
    runs mpirun. It requests no GPUs.
    """

    restart_policy: Literal["OnFailure", "Never"] | None
    """Restart policies of this kind."""
    backoff_limit: int | None
    """Restarts after which the job fails; default: 3 with `elastic` or `policy.restart`, no limit with a
    `restart_policy`. The kubelet does not wait for that: with 0 and `OnFailure` a program may run twice.
    """
    deadline_seconds: int | None
    """Seconds that the job may run."""
    ttl_seconds: int | None
    """Seconds after the end until everything left in the cluster is deleted."""
    clean_pod_policy: Literal["All", "Running", "None"] | None
    """Which pods are removed when the job has ended; default: none."""
    suspend: bool | None
    """Start without pods, until the job is resumed."""
    nodes: Required[int]
    """Workers."""
    processes_per_node: int | None
    """Processes on each worker, as the host list says; default: 1."""
    worker_command: Sequence[str] | None
    """What workers run; default: they wait for the launcher."""
    implementation: Literal["OpenMPI", "Intel", "MPICH"] | None
    ssh_auth_mount_path: str | None
    """Where the SSH keys are mounted; default: `/root/.ssh`."""
    wait_for_workers: bool | None
    """Creates the launcher when all workers are ready."""


class PaddleOperatorJobOptions(AnyJobOptions, total=False):
    """What a PaddleJob of batch.paddlepaddle.org is built from."""

    nodes: Required[int]
    """Pods that train: the role worker."""
    parameter_servers: int | None
    """Pods that hold the parameters, the role ps, without GPUs; default: 0."""
    intranet: Literal["PodIP", "Service", "Host"] | None
    """How pods reach each other: by address, by the names of their Services, or on the host network."""
    restart_policy: Literal["Always", "OnFailure", "Never"] | None
    """Which failures the kubelet retries; default: `Never`, so that a crash ends the job."""
    clean_pod_policy: Literal["Always", "Never", "OnFailure", "OnCompletion"] | None
    """At which end pods are removed; default: `OnCompletion`."""


class VolcanoJobOptions(AnyJobOptions, total=False):
    """What a Job of Volcano is built from. The job restarts when one of its pods has failed, as often as `restarts`
    says.
    """

    nodes: Required[int]
    """Pods: a task master of one, and a task worker for the rest."""
    plugins: Mapping[str, Sequence[str]] | None
    """Plugins and their arguments, by name, e.g. `pytorch`, `env`, `svc`, `ssh`."""
    restarts: int | None
    """Restarts of the whole job after a pod has failed; default: 0."""
    restart_policy: Literal["OnFailure", "Never"] | None
    """Which failures the kubelet retries, before the pod fails; default: `Never`."""
    min_available: int | None
    """Pods that must be placed together; default: all."""
    queue: str | None
    """Queue of Volcano."""
    priority_class: str | None
    ttl_seconds: int | None
    """Seconds after the end until everything left in the cluster is deleted."""


class TrainJobOptions(AnyJobOptions, total=False):
    """What a TrainJob of Kubeflow Trainer is built from. What it does not say, its runtime says, also whether a
    program that crashes is restarted.
    """

    nodes: Required[int]
    """Nodes that train, each a pod."""
    runtime: str | None
    """Name of the runtime that the job is made from; default: `torch-distributed`."""
    runtime_kind: Literal["ClusterTrainingRuntime", "TrainingRuntime"] | None
    """Whether that is one of the cluster (default), or of the job’s namespace."""
    processes_per_node: int | None
    """Processes on each node; default: by its resources."""
    dataset: str | None
    """Where the data set is loaded from before the training begins, e.g. `hf://tatsu-lab/alpaca`."""
    model: str | None
    """Where the model is loaded from before the training begins."""
    deadline_seconds: int | None
    """Seconds that the job may run."""
    suspend: bool | None
    """Start without pods, until the job is resumed."""


def pytorch_job(**options: Unpack[PyTorchJobOptions]) -> dict[str, Any]:
    """Return the manifest of a PyTorchJob.

    Raises `InvalidManifestError` with all options that are wrong.

    ```python
    manifest = pytorch_job(
        name="resnet",
        image="registry.example/resnet:1",
        command=["torchrun", "train.py"],
        nodes=4,
        gpus_per_node=8,
    )
    ```
    """
    return build_manifest(_PYTORCH_JOB, {**_ANY_JOB, **_OF_KUBEFLOW}, options)


def tf_job(**options: Unpack[TFJobOptions]) -> dict[str, Any]:
    """Return the manifest of a TFJob.

    Raises `InvalidManifestError` with all options that are wrong.

    ```python
    manifest = tf_job(
        name="mnist",
        image="registry.example/mnist:1",
        nodes=3,
        parameter_servers=1,
    )
    ```
    """
    return build_manifest(_TF_JOB, {**_ANY_JOB, **_OF_KUBEFLOW}, options)


def xgboost_job(**options: Unpack[XGBoostJobOptions]) -> dict[str, Any]:
    """Return the manifest of an XGBoostJob, which also runs LightGBM.

    Raises `InvalidManifestError` with all options that are wrong.

    ```python
    manifest = xgboost_job(
        name="churn",
        image="registry.example/churn:1",
        nodes=3,
        cpu=8,
        memory="32Gi",
    )
    ```
    """
    return build_manifest(_XGBOOST_JOB, {**_ANY_JOB, **_OF_KUBEFLOW}, options)


def jax_job(**options: Unpack[JAXJobOptions]) -> dict[str, Any]:
    """Return the manifest of a JAXJob.

    Raises `InvalidManifestError` with all options that are wrong.

    ```python
    manifest = jax_job(
        name="gemma",
        image="registry.example/gemma:1",
        nodes=4,
        gpus_per_node=8,
    )
    ```
    """
    return build_manifest(_JAX_JOB, {**_ANY_JOB, **_OF_KUBEFLOW}, options)


def paddle_job(**options: Unpack[PaddleJobOptions]) -> dict[str, Any]:
    """Return the manifest of a PaddleJob of kubeflow.org.

    Raises `InvalidManifestError` with all options that are wrong.

    ```python
    manifest = paddle_job(
        name="ocr",
        image="registry.example/ocr:1",
        nodes=2,
        gpus_per_node=8,
    )
    ```
    """
    return build_manifest(_PADDLE_JOB, {**_ANY_JOB, **_OF_KUBEFLOW}, options)


def mpi_job(**options: Unpack[MPIJobOptions]) -> dict[str, Any]:
    """Return the manifest of an MPIJob of kubeflow.org/v1, whose launcher reaches its workers by kubectl exec.

    Raises `InvalidManifestError` with all options that are wrong.

    ```python
    manifest = mpi_job(
        name="horovod",
        image="registry.example/horovod:1",
        command=["mpirun", "train"],
        nodes=2,
    )
    ```
    """
    return build_manifest(_MPI_JOB, {**_ANY_JOB, **_OF_KUBEFLOW}, options)


def mpi_job_v2(**options: Unpack[MPIJobV2Options]) -> dict[str, Any]:
    """Return the manifest of an MPIJob of kubeflow.org/v2beta1, whose launcher reaches its workers by SSH.

    Raises `InvalidManifestError` with all options that are wrong.

    ```python
    manifest = mpi_job_v2(
        name="allreduce",
        image="registry.example/mpi:1",
        command=["mpirun", "train"],
        nodes=2,
        processes_per_node=8,
        gpus_per_node=8,
    )
    ```
    """
    return build_manifest(_MPI_JOB_V2, {**_ANY_JOB, **_OF_KUBEFLOW}, options)


def paddle_operator_job(**options: Unpack[PaddleOperatorJobOptions]) -> dict[str, Any]:
    """Return the manifest of a PaddleJob of batch.paddlepaddle.org.

    Raises `InvalidManifestError` with all options that are wrong.

    ```python
    manifest = paddle_operator_job(
        name="ctr",
        image="registry.example/ctr:1",
        nodes=4,
        parameter_servers=2,
    )
    ```
    """
    return build_manifest(_PADDLE_OPERATOR_JOB, {**_ANY_JOB}, options)


def volcano_job(**options: Unpack[VolcanoJobOptions]) -> dict[str, Any]:
    """Return the manifest of a Job of Volcano.

    Raises `InvalidManifestError` with all options that are wrong.

    ```python
    manifest = volcano_job(
        name="bert",
        image="registry.example/bert:1",
        command=["torchrun", "train.py"],
        nodes=4,
        gpus_per_node=8,
        plugins={"pytorch":[]},
    )
    ```
    """
    return build_manifest(_VOLCANO_JOB, {**_ANY_JOB}, options)


def train_job(**options: Unpack[TrainJobOptions]) -> dict[str, Any]:
    """Return the manifest of a TrainJob of Kubeflow Trainer.

    Raises `InvalidManifestError` with all options that are wrong.

    ```python
    manifest = train_job(
        name="bert",
        image="registry.example/bert:1",
        command=["torchrun", "train.py"],
        runtime="torch-distributed",
        nodes=4,
        gpus_per_node=8,
    )
    ```
    """
    return build_manifest(_TRAIN_JOB, {**_ANY_JOB}, options)


_ANY_JOB: Mapping[str, Any] = {
    "name": {
        "rule": {
            "is": "name",
            "expected": "a DNS label: at most 63 lower-case letters, digits and -, starting with a letter",
        },
        "required": True,
        "at": [{"path": ["metadata", "name"]}],
    },
    "namespace": {
        "rule": {
            "is": "name",
            "expected": "a DNS label: at most 63 lower-case letters, digits and -, starting with a letter",
        },
        "at": [{"path": ["metadata", "namespace"]}],
    },
    "image": {
        "rule": {"is": "text", "expected": "a non-empty text"},
        "required": True,
        "at": [{"path": ["container", "image"]}],
    },
    "command": {"rule": {"is": "texts", "expected": "a list of texts"}, "at": [{"path": ["container", "command"]}]},
    "args": {"rule": {"is": "texts", "expected": "a list of texts"}, "at": [{"path": ["container", "args"]}]},
    "env": {
        "rule": {"is": "textByName", "expected": "a mapping of texts"},
        "at": [{"path": ["container", "env"], "form": "variables"}],
    },
    "cpu": {
        "rule": {"is": "quantity", "expected": "a quantity > 0, e.g. 4, 500m or 8Gi"},
        "at": [{"path": ["container", "resources", "requests", "cpu"]}],
    },
    "memory": {
        "rule": {"is": "quantity", "expected": "a quantity > 0, e.g. 4, 500m or 8Gi"},
        "at": [
            {"path": ["container", "resources", "requests", "memory"]},
            {"path": ["container", "resources", "limits", "memory"]},
        ],
    },
    "gpus_per_node": {
        "rule": {"is": "integer", "expected": "an integer >= 0", "least": 0},
        "at": [
            {"path": ["container", "resources", "requests"], "form": "gpus"},
            {"path": ["container", "resources", "limits"], "form": "gpus"},
        ],
    },
    "gpu_resource": {"rule": {"is": "text", "expected": "a non-empty text"}},
    "volumes": {
        "rule": {"is": "pathByName", "expected": "a mapping of absolute paths, by the name of a PersistentVolumeClaim"},
        "at": [
            {"path": ["pod", "volumes"], "form": "claims"},
            {"path": ["container", "volumeMounts"], "form": "mounts"},
        ],
    },
    "shm": {
        "rule": {"is": "quantity", "expected": "a quantity > 0, e.g. 4, 500m or 8Gi"},
        "at": [
            {"path": ["pod", "volumes"], "form": "memory"},
            {"path": ["container", "volumeMounts"], "value": [{"name": "shm", "mountPath": "/dev/shm"}]},
        ],
    },
    "node_selector": {
        "rule": {"is": "textByName", "expected": "a mapping of texts"},
        "at": [{"path": ["pod", "nodeSelector"]}],
    },
    "labels": {
        "rule": {"is": "textByName", "expected": "a mapping of texts"},
        "at": [{"path": ["metadata", "labels"]}],
    },
    "annotations": {
        "rule": {"is": "textByName", "expected": "a mapping of texts"},
        "at": [{"path": ["metadata", "annotations"]}],
    },
    "policy": {
        "rule": {"is": "policy", "expected": "a mapping"},
        "at": [{"path": ["metadata", "annotations", "signalbox.dev/policy"], "form": "json"}],
    },
    "gang": {
        "rule": {
            "is": "word",
            "expected": "one of auto, native, volcano, coscheduling, kube-batch, kueue, gated, gated-native, none",
            "words": [
                "auto",
                "native",
                "volcano",
                "coscheduling",
                "kube-batch",
                "kueue",
                "gated",
                "gated-native",
                "none",
            ],
        },
        "at": [{"path": ["metadata", "annotations", "signalbox.dev/gang"]}],
    },
}
_OF_KUBEFLOW: Mapping[str, Any] = {
    "restart_policy": {
        "rule": {
            "is": "word",
            "expected": "one of Always, OnFailure, Never, ExitCode",
            "words": ["Always", "OnFailure", "Never", "ExitCode"],
        },
        "at": [{"path": ["role", "restartPolicy"]}],
    },
    "backoff_limit": {
        "rule": {"is": "integer", "expected": "an integer >= 0", "least": 0},
        "at": [{"path": ["spec", "runPolicy", "backoffLimit"]}],
    },
    "deadline_seconds": {
        "rule": {"is": "integer", "expected": "an integer >= 1", "least": 1},
        "at": [{"path": ["spec", "runPolicy", "activeDeadlineSeconds"]}],
    },
    "ttl_seconds": {
        "rule": {"is": "integer", "expected": "an integer >= 0", "least": 0},
        "at": [{"path": ["spec", "runPolicy", "ttlSecondsAfterFinished"]}],
    },
    "clean_pod_policy": {
        "rule": {"is": "word", "expected": "one of All, Running, None", "words": ["All", "Running", "None"]},
        "at": [{"path": ["spec", "runPolicy", "cleanPodPolicy"]}],
    },
    "suspend": {
        "rule": {"is": "boolean", "expected": "True or False"},
        "at": [{"path": ["spec", "runPolicy", "suspend"]}],
    },
}
_PYTORCH_JOB: Mapping[str, Any] = {
    "apiVersion": "kubeflow.org/v1",
    "kind": "PyTorchJob",
    "is_of_kubeflow": True,
    "roles_at": ["spec", "pytorchReplicaSpecs"],
    "roles": [
        {"name": "Master", "container": "pytorch", "replicas": {"least": 1}, "unless": "elastic"},
        {"name": "Worker", "container": "pytorch", "replicas": {"of": "nodes", "less": 1}, "unless": "elastic"},
        {"name": "Worker", "container": "pytorch", "replicas": {"of": "nodes"}, "only_with": "elastic"},
    ],
    "options": {
        "nodes": {"rule": {"is": "integer", "expected": "an integer >= 1", "least": 1}, "required": True},
        "processes_per_node": {
            "rule": {
                "is": "integer",
                "expected": "an integer >= 1, auto, cpu or gpu",
                "least": 1,
                "words": ["auto", "cpu", "gpu"],
            },
            "at": [{"path": ["spec", "nprocPerNode"]}],
        },
        "elastic": {
            "rule": {
                "is": "bounds",
                "expected": "min_nodes and max_nodes, both integers, with 1 <= min_nodes <= max_nodes",
                "bounds": ["min_nodes", "max_nodes"],
            },
            "fields": {
                "min_nodes": {
                    "rule": {"is": "integer", "expected": "an integer >= 1", "least": 1},
                    "required": True,
                    "at": [{"path": ["spec", "elasticPolicy", "minReplicas"]}],
                },
                "max_nodes": {
                    "rule": {"is": "integer", "expected": "an integer >= 1", "least": 1},
                    "required": True,
                    "at": [{"path": ["spec", "elasticPolicy", "maxReplicas"]}],
                },
                "max_restarts": {
                    "rule": {"is": "integer", "expected": "an integer >= 0", "least": 0},
                    "at": [{"path": ["spec", "elasticPolicy", "maxRestarts"]}],
                },
            },
        },
    },
}
_TF_JOB: Mapping[str, Any] = {
    "apiVersion": "kubeflow.org/v1",
    "kind": "TFJob",
    "is_of_kubeflow": True,
    "roles_at": ["spec", "tfReplicaSpecs"],
    "roles": [
        {"name": "Chief", "container": "tensorflow", "replicas": {"of": "nodes", "less": 1, "most": 1}},
        {"name": "Worker", "container": "tensorflow", "replicas": {"of": "nodes", "less": 1, "least": 1}},
        {
            "name": "PS",
            "container": "tensorflow",
            "replicas": {"of": "parameter_servers"},
            "without": ["gpus_per_node"],
        },
        {"name": "Evaluator", "container": "tensorflow", "replicas": {"of": "evaluators"}},
    ],
    "options": {
        "nodes": {"rule": {"is": "integer", "expected": "an integer >= 1", "least": 1}, "required": True},
        "parameter_servers": {"rule": {"is": "integer", "expected": "an integer >= 0", "least": 0}},
        "evaluators": {"rule": {"is": "integer", "expected": "an integer >= 0", "least": 0}},
        "success_policy": {
            "rule": {"is": "word", "expected": "AllWorkers", "words": ["AllWorkers"]},
            "at": [{"path": ["spec", "successPolicy"]}],
        },
    },
}
_XGBOOST_JOB: Mapping[str, Any] = {
    "apiVersion": "kubeflow.org/v1",
    "kind": "XGBoostJob",
    "is_of_kubeflow": True,
    "roles_at": ["spec", "xgbReplicaSpecs"],
    "roles": [
        {"name": "Master", "container": "xgboost", "replicas": {"least": 1}},
        {"name": "Worker", "container": "xgboost", "replicas": {"of": "nodes", "less": 1}},
    ],
    "options": {"nodes": {"rule": {"is": "integer", "expected": "an integer >= 1", "least": 1}, "required": True}},
}
_JAX_JOB: Mapping[str, Any] = {
    "apiVersion": "kubeflow.org/v1",
    "kind": "JAXJob",
    "is_of_kubeflow": True,
    "roles_at": ["spec", "jaxReplicaSpecs"],
    "roles": [{"name": "Worker", "container": "jax", "replicas": {"of": "nodes"}}],
    "options": {"nodes": {"rule": {"is": "integer", "expected": "an integer >= 1", "least": 1}, "required": True}},
}
_PADDLE_JOB: Mapping[str, Any] = {
    "apiVersion": "kubeflow.org/v1",
    "kind": "PaddleJob",
    "is_of_kubeflow": True,
    "roles_at": ["spec", "paddleReplicaSpecs"],
    "roles": [
        {
            "name": "Master",
            "container": "paddle",
            "replicas": {"of": "parameter_servers"},
            "without": ["gpus_per_node"],
        },
        {"name": "Worker", "container": "paddle", "replicas": {"of": "nodes"}},
    ],
    "options": {
        "nodes": {"rule": {"is": "integer", "expected": "an integer >= 1", "least": 1}, "required": True},
        "parameter_servers": {"rule": {"is": "integer", "expected": "an integer >= 0", "least": 0}},
    },
}
_MPI_JOB: Mapping[str, Any] = {
    "apiVersion": "kubeflow.org/v1",
    "kind": "MPIJob",
    "is_of_kubeflow": True,
    "roles_at": ["spec", "mpiReplicaSpecs"],
    "roles": [
        {
            "name": "Launcher",
            "container": "mpi-launcher",
            "replicas": {"least": 1},
            "without": ["gpus_per_node", "worker_command"],
        },
        {
            "name": "Worker",
            "container": "mpi-worker",
            "replicas": {"of": "nodes"},
            "without": ["command", "args"],
            "has_own_restarts": True,
        },
    ],
    "options": {
        "nodes": {"rule": {"is": "integer", "expected": "an integer >= 1", "least": 1}, "required": True},
        "processes_per_node": {
            "rule": {"is": "integer", "expected": "an integer >= 1", "least": 1},
            "at": [{"path": ["spec", "slotsPerWorker"]}],
        },
        "worker_command": {
            "rule": {"is": "texts", "expected": "a list of texts"},
            "at": [{"path": ["container", "command"]}],
        },
    },
}
_MPI_JOB_V2: Mapping[str, Any] = {
    "apiVersion": "kubeflow.org/v2beta1",
    "kind": "MPIJob",
    "is_of_kubeflow": True,
    "backoff_limit_of_never": 0,
    "roles_at": ["spec", "mpiReplicaSpecs"],
    "roles": [
        {
            "name": "Launcher",
            "container": "mpi-launcher",
            "replicas": {"least": 1},
            "without": ["gpus_per_node", "worker_command"],
        },
        {
            "name": "Worker",
            "container": "mpi-worker",
            "replicas": {"of": "nodes"},
            "without": ["command", "args"],
            "has_own_restarts": True,
        },
    ],
    "options": {
        "nodes": {"rule": {"is": "integer", "expected": "an integer >= 1", "least": 1}, "required": True},
        "processes_per_node": {
            "rule": {"is": "integer", "expected": "an integer >= 1", "least": 1},
            "at": [{"path": ["spec", "slotsPerWorker"]}],
        },
        "worker_command": {
            "rule": {"is": "texts", "expected": "a list of texts"},
            "at": [{"path": ["container", "command"]}],
        },
        "restart_policy": {
            "rule": {"is": "word", "expected": "one of OnFailure, Never", "words": ["OnFailure", "Never"]},
            "at": [{"path": ["role", "restartPolicy"]}],
        },
        "implementation": {
            "rule": {"is": "word", "expected": "one of OpenMPI, Intel, MPICH", "words": ["OpenMPI", "Intel", "MPICH"]},
            "at": [{"path": ["spec", "mpiImplementation"]}],
        },
        "ssh_auth_mount_path": {
            "rule": {"is": "text", "expected": "a non-empty text"},
            "at": [{"path": ["spec", "sshAuthMountPath"]}],
        },
        "wait_for_workers": {
            "rule": {"is": "boolean", "expected": "True or False"},
            "at": [{"path": ["spec", "launcherCreationPolicy"], "value": "WaitForWorkersReady"}],
        },
    },
}
_PADDLE_OPERATOR_JOB: Mapping[str, Any] = {
    "apiVersion": "batch.paddlepaddle.org/v1",
    "kind": "PaddleJob",
    "is_of_kubeflow": False,
    "roles_at": ["spec"],
    "roles": [
        {"name": "ps", "container": "paddle", "replicas": {"of": "parameter_servers"}, "without": ["gpus_per_node"]},
        {"name": "worker", "container": "paddle", "replicas": {"of": "nodes"}},
    ],
    "options": {
        "nodes": {"rule": {"is": "integer", "expected": "an integer >= 1", "least": 1}, "required": True},
        "parameter_servers": {"rule": {"is": "integer", "expected": "an integer >= 0", "least": 0}},
        "intranet": {
            "rule": {"is": "word", "expected": "one of PodIP, Service, Host", "words": ["PodIP", "Service", "Host"]},
            "at": [{"path": ["spec", "intranet"]}],
        },
        "restart_policy": {
            "rule": {
                "is": "word",
                "expected": "one of Always, OnFailure, Never",
                "words": ["Always", "OnFailure", "Never"],
            },
            "default": "Never",
            "at": [{"path": ["pod", "restartPolicy"]}],
        },
        "clean_pod_policy": {
            "rule": {
                "is": "word",
                "expected": "one of Always, Never, OnFailure, OnCompletion",
                "words": ["Always", "Never", "OnFailure", "OnCompletion"],
            },
            "at": [{"path": ["spec", "cleanPodPolicy"]}],
        },
    },
}
_VOLCANO_JOB: Mapping[str, Any] = {
    "apiVersion": "batch.volcano.sh/v1alpha1",
    "kind": "Job",
    "is_of_kubeflow": False,
    "roles_are": "list",
    "roles_at": ["spec", "tasks"],
    "roles": [
        {"name": "master", "container": "main", "replicas": {"least": 1}},
        {"name": "worker", "container": "main", "replicas": {"of": "nodes", "less": 1}},
    ],
    "options": {
        "nodes": {"rule": {"is": "integer", "expected": "an integer >= 1", "least": 1}, "required": True},
        "plugins": {
            "rule": {"is": "textsByName", "expected": "a mapping of lists of texts"},
            "at": [{"path": ["spec", "plugins"]}],
        },
        "restarts": {
            "rule": {"is": "integer", "expected": "an integer >= 0", "least": 0},
            "default": 0,
            "at": [
                {"path": ["spec", "maxRetry"], "form": "oneMore"},
                {"path": ["spec", "policies"], "value": [{"event": "PodFailed", "action": "RestartJob"}]},
            ],
        },
        "restart_policy": {
            "rule": {"is": "word", "expected": "one of OnFailure, Never", "words": ["OnFailure", "Never"]},
            "default": "Never",
            "at": [{"path": ["pod", "restartPolicy"]}],
        },
        "min_available": {
            "rule": {"is": "integer", "expected": "an integer >= 1", "least": 1},
            "at": [{"path": ["spec", "minAvailable"]}],
        },
        "queue": {"rule": {"is": "text", "expected": "a non-empty text"}, "at": [{"path": ["spec", "queue"]}]},
        "priority_class": {
            "rule": {"is": "text", "expected": "a non-empty text"},
            "at": [{"path": ["spec", "priorityClassName"]}],
        },
        "ttl_seconds": {
            "rule": {"is": "integer", "expected": "an integer >= 0", "least": 0},
            "at": [{"path": ["spec", "ttlSecondsAfterFinished"]}],
        },
    },
}
_TRAIN_JOB: Mapping[str, Any] = {
    "apiVersion": "trainer.kubeflow.org/v1alpha1",
    "kind": "TrainJob",
    "is_of_kubeflow": False,
    "roles_are": "patches",
    "roles_at": ["spec", "runtimePatches"],
    "roles": [{"name": "node", "container": "node", "replicas": {"least": 1}}],
    "options": {
        "nodes": {
            "rule": {"is": "integer", "expected": "an integer >= 1", "least": 1},
            "required": True,
            "at": [{"path": ["spec", "trainer", "numNodes"]}],
        },
        "runtime": {
            "rule": {"is": "text", "expected": "a non-empty text"},
            "default": "torch-distributed",
            "at": [{"path": ["spec", "runtimeRef", "name"]}],
        },
        "runtime_kind": {
            "rule": {
                "is": "word",
                "expected": "one of ClusterTrainingRuntime, TrainingRuntime",
                "words": ["ClusterTrainingRuntime", "TrainingRuntime"],
            },
            "at": [{"path": ["spec", "runtimeRef", "kind"]}],
        },
        "processes_per_node": {
            "rule": {"is": "integer", "expected": "an integer >= 1", "least": 1},
            "at": [{"path": ["spec", "trainer", "numProcPerNode"]}],
        },
        "dataset": {
            "rule": {"is": "text", "expected": "a non-empty text"},
            "at": [{"path": ["spec", "initializer", "dataset", "storageUri"]}],
        },
        "model": {
            "rule": {"is": "text", "expected": "a non-empty text"},
            "at": [{"path": ["spec", "initializer", "model", "storageUri"]}],
        },
        "deadline_seconds": {
            "rule": {"is": "integer", "expected": "an integer >= 1", "least": 1},
            "at": [{"path": ["spec", "activeDeadlineSeconds"]}],
        },
        "suspend": {"rule": {"is": "boolean", "expected": "True or False"}, "at": [{"path": ["spec", "suspend"]}]},
        "image": {
            "rule": {"is": "text", "expected": "a non-empty text"},
            "required": True,
            "at": [{"path": ["spec", "trainer", "image"]}],
        },
        "command": {
            "rule": {"is": "texts", "expected": "a list of texts"},
            "at": [{"path": ["spec", "trainer", "command"]}],
        },
        "args": {"rule": {"is": "texts", "expected": "a list of texts"}, "at": [{"path": ["spec", "trainer", "args"]}]},
        "env": {
            "rule": {"is": "textByName", "expected": "a mapping of texts"},
            "at": [{"path": ["spec", "trainer", "env"], "form": "variables"}],
        },
        "cpu": {
            "rule": {"is": "quantity", "expected": "a quantity > 0, e.g. 4, 500m or 8Gi"},
            "at": [{"path": ["spec", "trainer", "resourcesPerNode", "requests", "cpu"]}],
        },
        "memory": {
            "rule": {"is": "quantity", "expected": "a quantity > 0, e.g. 4, 500m or 8Gi"},
            "at": [
                {"path": ["spec", "trainer", "resourcesPerNode", "requests", "memory"]},
                {"path": ["spec", "trainer", "resourcesPerNode", "limits", "memory"]},
            ],
        },
        "gpus_per_node": {
            "rule": {"is": "integer", "expected": "an integer >= 0", "least": 0},
            "at": [
                {"path": ["spec", "trainer", "resourcesPerNode", "requests"], "form": "gpus"},
                {"path": ["spec", "trainer", "resourcesPerNode", "limits"], "form": "gpus"},
            ],
        },
    },
}
