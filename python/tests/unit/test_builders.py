import inspect

import pytest

import signalbox
from signalbox import InvalidManifestError, pytorch_job
from signalbox.models import builders
from signalbox.models.manifests import PyTorchJob


def test_the_package_exports_every_builder() -> None:
    made = {name for name, one in vars(builders).items() if inspect.isfunction(one) and name != "build_manifest"}
    assert made <= set(signalbox.__all__)


def test_a_pytorch_job_has_a_master_and_workers() -> None:
    manifest = pytorch_job(
        name="resnet",
        image="registry.example/resnet:1",
        command=["torchrun", "train.py"],
        nodes=4,
        gpus_per_node=8,
        memory="64Gi",
        shm="16Gi",
        volumes={"data": "/data"},
        env={"A": "b"},
        policy={"restart": {"scope": "job"}},
        backoff_limit=3,
    )
    PyTorchJob.model_validate(manifest)
    roles = manifest["spec"]["pytorchReplicaSpecs"]
    assert {role: spec["replicas"] for role, spec in roles.items()} == {"Master": 1, "Worker": 3}
    [container] = roles["Worker"]["template"]["spec"]["containers"]
    assert container["resources"]["limits"] == {"memory": "64Gi", "nvidia.com/gpu": 8}
    assert [mount["mountPath"] for mount in container["volumeMounts"]] == ["/data", "/dev/shm"]
    assert manifest["spec"]["runPolicy"] == {"backoffLimit": 3}


def test_an_elastic_job_has_workers_only() -> None:
    manifest = pytorch_job(name="a", image="i", nodes=2, elastic={"min_nodes": 1, "max_nodes": 4})
    assert list(manifest["spec"]["pytorchReplicaSpecs"]) == ["Worker"]
    assert manifest["spec"]["elasticPolicy"] == {"minReplicas": 1, "maxReplicas": 4}


def test_every_wrong_option_is_named() -> None:
    with pytest.raises(InvalidManifestError) as caught:
        pytorch_job(name="A b", nodes=0, gpus=3, nmae="a")  # type: ignore[call-arg]
    faults = [str(fault) for fault in caught.value.faults]
    assert faults[0] == "image: expected a non-empty text, got nothing"
    assert faults[1].startswith("name: expected a DNS label")
    assert faults[2] == "nodes: expected an integer >= 1, got 0"
    assert faults[3].startswith("gpus: expected one of the options name")
    assert faults[4].endswith('(did you mean name?), got "a"')
