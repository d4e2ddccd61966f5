"""Manifests as programs with the Kubernetes client make them."""

from __future__ import annotations

import re
from datetime import datetime, timezone
from typing import Any

import pytest
from kubernetes import client as kubernetes

from manifests import pytorch
from signalbox import InvalidManifestError
from signalbox._manifest import checked_manifest
from signalbox._plain import camel_case

NULL_NAMESPACE = {
    "apiVersion": "kubeflow.org/v1",
    "kind": "PyTorchJob",
    "metadata": {"name": "nulls", "namespace": None},
    "spec": {"pytorchReplicaSpecs": {"Worker": {"replicas": 1, "template": None}}},
}
"""As in test/cases/python-null-namespace."""


def a_template() -> Any:
    probe = kubernetes.V1Probe(_exec=kubernetes.V1ExecAction(command=["true"]))
    container = kubernetes.V1Container(
        name="pytorch",
        image="train:1",
        liveness_probe=probe,
        resources=kubernetes.V1ResourceRequirements(limits={"example.com/my_gpu": "1"}),
        env=[kubernetes.V1EnvVar(name="MY_VAR", value="a_b")],
    )
    spec = kubernetes.V1PodSpec(containers=[container], host_ipc=True, node_selector={"my_pool": "a"})
    return kubernetes.V1PodTemplateSpec(metadata=kubernetes.V1ObjectMeta(labels={"my_team": "nlp"}), spec=spec)


PLAIN_TEMPLATE = {
    "metadata": {"labels": {"my_team": "nlp"}},
    "spec": {
        "containers": [
            {
                "name": "pytorch",
                "image": "train:1",
                "livenessProbe": {"exec": {"command": ["true"]}},
                "resources": {"limits": {"example.com/my_gpu": "1"}},
                "env": [{"name": "MY_VAR", "value": "a_b"}],
            }
        ],
        "hostIPC": True,
        "nodeSelector": {"my_pool": "a"},
    },
}


class Job:
    """Made as the models of Kubeflow's SDK are."""

    def to_dict(self) -> dict[str, Any]:
        worker = {"replicas": 1, "restart_policy": None, "template": a_template().to_dict()}
        metadata = kubernetes.V1ObjectMeta(name="a", creation_timestamp=datetime(2026, 11, 23, tzinfo=timezone.utc))
        return {
            "api_version": "kubeflow.org/v1",
            "kind": "PyTorchJob",
            "metadata": metadata.to_dict(),
            "spec": {"run_policy": {"clean_pod_policy": None}, "pytorch_replica_specs": {"Worker": worker}},
            "status": None,
        }


def test_a_null_counts_as_omitted() -> None:
    checked = checked_manifest(NULL_NAMESPACE, namespace="ml")
    assert checked["metadata"] == {"namespace": "ml", "name": "nulls"}
    assert checked["spec"]["pytorchReplicaSpecs"]["Worker"] == {"replicas": 1}


@pytest.mark.parametrize("given", [Job(), Job().to_dict()], ids=["an object", "its to_dict()"])
def test_models_of_the_kubernetes_client_are_manifests(given: Any) -> None:
    assert checked_manifest(given, namespace="ml") == {
        "apiVersion": "kubeflow.org/v1",
        "kind": "PyTorchJob",
        "metadata": {"namespace": "ml", "name": "a", "creationTimestamp": "2026-11-23T00:00:00+00:00"},
        "spec": {
            "runPolicy": {},
            "pytorchReplicaSpecs": {"Worker": {"replicas": 1, "template": PLAIN_TEMPLATE}},
        },
    }


def test_models_within_a_mapping_are_taken() -> None:
    given = pytorch("a")
    given["spec"]["pytorchReplicaSpecs"]["Worker"]["template"] = a_template()
    checked = checked_manifest(given, namespace="ml")
    assert checked["spec"]["pytorchReplicaSpecs"]["Worker"]["template"] == PLAIN_TEMPLATE
    serialized = kubernetes.ApiClient().sanitize_for_serialization(a_template())
    given["spec"]["pytorchReplicaSpecs"]["Worker"]["template"] = serialized
    assert checked_manifest(given, namespace="ml") == checked


def test_a_manifest_without_an_api_version_is_refused_before_it_starts() -> None:
    without = {key: value for key, value in NULL_NAMESPACE.items() if key != "apiVersion"}
    with pytest.raises(InvalidManifestError, match="apiVersion: expected the API version"):
        checked_manifest(without, namespace="ml")


def models_below(name: str, seen: set[str]) -> set[str]:
    """Return the models that a model can hold."""
    model = getattr(kubernetes, name, None)
    if name in seen or model is None or not hasattr(model, "openapi_types"):
        return seen
    seen.add(name)
    for kind in model.openapi_types.values():
        for inner in re.findall(r"V1\w+", kind):
            models_below(inner, seen)
    return seen


def test_every_field_of_a_pod_template_gets_the_name_of_kubernetes() -> None:
    models = models_below("V1PodTemplateSpec", set())
    assert len(models) > 50
    for name in models:
        for attribute, field in getattr(kubernetes, name).attribute_map.items():
            assert (name, camel_case(attribute), camel_case(field)) == (name, field, field)
