import pytest

from manifests import pytorch
from signalbox._start_texts import start_texts

DETAILS = """**PyTorchJob** `ml/a`, submitted by `ana@host`

**Why:** the \\*nightly\\* run

| Role | Pods | Image | Each pod requests |
| --- | --- | --- | --- |
| Master | 1 | `train:1` |  |
| Worker | 2 | `train:1` | nvidia.com/gpu 8 |

**Labels:** `team=vision`"""


def test_a_job_shows_its_size_image_and_submitter_from_its_start_on() -> None:
    manifest = pytorch("a")
    manifest["metadata"] = {"name": "a", "namespace": "ml", "labels": {"team": "vision"}}
    worker = manifest["spec"]["pytorchReplicaSpecs"]["Worker"]
    template = worker["template"]
    [container] = template["spec"]["containers"]
    sized = {**container, "resources": {"limits": {"nvidia.com/gpu": 8}}}
    worker["template"] = {**template, "spec": {**template["spec"], "containers": [sized]}}
    summary, details = start_texts(manifest, "ana@host", "the *nightly* run")
    assert summary == "PyTorchJob ml/a · 3 pods, 16 nvidia.com/gpu · train:1 · by ana@host"
    assert details == DETAILS


@pytest.mark.parametrize(
    ("quantity", "size"),
    [("²", ""), ("\uff11", ""), ("1_0", ""), ("0x10", ""), ("1.5", ""), ("1k", ", 1000 x/gpu"), (8.0, ", 8 x/gpu")],
)
def test_devices_are_counted_as_kubernetes_counts_them(quantity: object, size: str) -> None:
    container = {"image": "i", "resources": {"limits": {"x/gpu": quantity}}}
    role = {"replicas": 1, "template": {"spec": {"containers": [container]}}}
    manifest = {"kind": "PyTorchJob", "metadata": {"name": "a", "namespace": "ml"}, "spec": {"worker": role}}
    summary, _ = start_texts(manifest, "ana", None)
    assert summary == f"PyTorchJob ml/a · 1 pod{size} · i · by ana"


def test_texts_fit_into_temporals_limits() -> None:
    manifest = {"kind": "PyTorchJob", "metadata": {"name": "a", "namespace": "ml"}, "spec": None}
    summary, details = start_texts(manifest, "ü" * 50_000, None)
    assert len(summary.encode()) <= 398
    assert len(details.encode()) <= 19_998
    assert summary.endswith("…")
