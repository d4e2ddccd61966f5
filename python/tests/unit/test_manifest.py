from pathlib import Path

import pytest

from manifests import pytorch
from signalbox import InvalidManifestError
from signalbox._manifest import Manifest, checked_manifest
from signalbox._manifest_hash import manifest_hash_of
from signalbox._yaml import load_documents
from signalbox.models import manifests as models

KINDS = {
    ("kubeflow.org/v1", "PyTorchJob"): models.PyTorchJob,
    ("kubeflow.org/v1", "TFJob"): models.TFJob,
    ("kubeflow.org/v1", "XGBoostJob"): models.XGBoostJob,
    ("kubeflow.org/v1", "MPIJob"): models.MPIJob,
    ("kubeflow.org/v1", "PaddleJob"): models.PaddleJob,
    ("kubeflow.org/v1", "JAXJob"): models.JAXJob,
    ("kubeflow.org/v2beta1", "MPIJob"): models.MPIJobV2,
    ("batch.paddlepaddle.org/v1", "PaddleJob"): models.PaddleOperatorJob,
}
EXAMPLES = Path(__file__).parents[3] / "examples"

YAML = """
apiVersion: kubeflow.org/v1
kind: PyTorchJob
metadata: {name: mine}
spec:
  mode: 0600
  when: 2026-11-23
  on: true
  ratio: 1e3
  time: 12:30:00
"""


def faults_of(manifest: Manifest) -> list[str]:
    with pytest.raises(InvalidManifestError) as caught:
        checked_manifest(manifest, namespace="ml")
    return [str(fault) for fault in caught.value.faults]


def test_a_manifest_gets_its_namespace_and_labels() -> None:
    given = pytorch("a")
    checked = checked_manifest(given, namespace="ml", labels={"team": "vision"})
    assert checked["metadata"] == {"namespace": "ml", "name": "a", "labels": {"team": "vision"}}
    assert given["metadata"] == {"name": "a"}


def test_the_copy_that_kubectl_apply_makes_is_removed() -> None:
    copy = {"kubectl.kubernetes.io/last-applied-configuration": "hunter2"}
    written = {**pytorch("a"), "spec": {"template": {"metadata": {"annotations": {"team": "nlp"}}, "list": [{}]}}}
    applied = {
        **written,
        "metadata": {"name": "a", "annotations": copy},
        "spec": {"template": {"metadata": {"annotations": {**copy, "team": "nlp"}}, "list": [{"annotations": copy}]}},
    }
    checked = checked_manifest(applied, namespace="ml")
    assert checked == checked_manifest(written, namespace="ml")
    assert manifest_hash_of(checked) == manifest_hash_of(checked_manifest(written, namespace="ml"))


def test_every_fault_is_named_by_its_path() -> None:
    assert faults_of({"metadata": {"namespace": 3}}) == [
        "apiVersion: expected the API version of its kind, got nothing",
        "kind: expected a kind, e.g. PyTorchJob, got nothing",
        "metadata.name: expected a name, got nothing",
        "metadata.namespace: expected a name, got 3",
    ]


def test_yaml_is_read_as_kubectl_reads_it() -> None:
    spec = checked_manifest(YAML, namespace="ml")["spec"]
    assert spec == {"mode": 384, "when": "2026-11-23", "true": True, "ratio": 1000.0, "time": "12:30:00"}


def test_a_path_names_a_file_with_one_document(tmp_path: Path) -> None:
    file = tmp_path / "job.yaml"
    file.write_text(YAML)
    assert checked_manifest(file, namespace="ml")["kind"] == "PyTorchJob"
    file.write_text(f"{YAML}---{YAML}")
    assert faults_of(file) == [f"{file}: expected one document, got 2 documents"]


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("a: [1", "line 1, column 6"),
        ("a: &x [*x]", "expected a document without cycles"),
        ("just text", '(manifest): expected an object, got "just text"'),
    ],
)
def test_text_that_is_no_manifest_is_refused_with_its_place(text: str, part: str) -> None:
    assert part in faults_of(text)[0]


def test_values_that_json_cannot_express_are_refused() -> None:
    assert faults_of({**pytorch("a"), "x": {"y": {1, 2}}}) == ["x.y: expected a value of JSON, got set"]
    assert faults_of({**pytorch("a"), "x": [float("nan")]}) == ["x[0]: expected a finite number, got nan"]


def test_a_manifest_that_is_too_large_is_refused() -> None:
    [fault] = faults_of({**pytorch("a"), "script": "x" * 600_000})
    assert fault.startswith("(manifest): expected at most 524,288 bytes as JSON")


def test_models_are_manifests_and_keep_what_was_set() -> None:
    given = pytorch("a")
    given["spec"]["pytorchReplicaSpecs"]["Worker"]["template"]["spec"]["containers"][0]["resources"] = {
        "limits": {"cpu": 4, "memory": "8Gi"}
    }
    model = models.PyTorchJob.model_validate(given)
    assert checked_manifest(model, namespace="ml") == checked_manifest(given, namespace="ml")


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*/*/job*.yaml")), ids=lambda path: path.parent.name)
def test_every_example_fits_its_model(path: Path) -> None:
    for document in load_documents(path.read_text()):
        model = KINDS.get((str(document["apiVersion"]), document["kind"]))
        if model:
            checked = checked_manifest(document, namespace="ml")
            again = model.model_validate(checked)
            assert manifest_hash_of(checked_manifest(again, namespace="ml")) == manifest_hash_of(checked)
