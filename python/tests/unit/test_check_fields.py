from collections.abc import Mapping
from copy import deepcopy
from typing import Any

import pytest

from manifests import pytorch
from signalbox import InvalidManifestError
from signalbox._check_fields import check_fields

WORKER = "spec.pytorchReplicaSpecs.Worker"


def faults_of(manifest: Mapping[str, Any], *, strict: bool = True) -> list[str]:
    with pytest.raises(InvalidManifestError) as caught:
        check_fields(manifest, strict=strict)
    return [str(fault) for fault in caught.value.faults]


def test_a_manifest_without_its_roles_is_refused_also_if_unknown_fields_are_accepted() -> None:
    manifest = {**pytorch("mine"), "spec": {}}
    expected = ["spec.pytorchReplicaSpecs: expected an object, got nothing"]
    assert faults_of(manifest) == expected
    assert faults_of(manifest, strict=False) == expected


def test_unknown_fields_are_refused_by_path_with_the_nearest_name_unless_they_are_accepted() -> None:
    manifest = pytorch("mine")
    worker = deepcopy(manifest["spec"]["pytorchReplicaSpecs"]["Worker"])
    manifest["spec"]["pytorchReplicaSpecs"]["Worker"] = worker
    worker["restartpolicy"] = "Never"
    worker["template"]["spec"]["nodeSelectr"] = {}
    with pytest.raises(InvalidManifestError) as caught:
        check_fields(manifest, strict=True)
    pods = "field of pods that Kubernetes 1.36 knows (did you mean nodeSelector?)"
    assert [str(fault) for fault in caught.value.faults] == [
        f'{WORKER}.restartpolicy: expected a known field (did you mean restartPolicy?), got "Never"',
        f"{WORKER}.template.spec.nodeSelectr: expected a {pods}, got an object",
    ]
    assert "strict=False" in str(caught.value.remedy)
    check_fields(manifest, strict=False)


def test_a_kind_that_only_the_engine_may_know_passes() -> None:
    check_fields({"apiVersion": "kubeflow.org/v3", "kind": "FlaxJob", "spec": {"nodes": 2}}, strict=True)
