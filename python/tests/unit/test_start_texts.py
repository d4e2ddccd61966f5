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


def test_texts_fit_into_temporals_limits() -> None:
    manifest = {"kind": "PyTorchJob", "metadata": {"name": "a", "namespace": "ml"}, "spec": None}
    summary, details = start_texts(manifest, "ü" * 50_000, None)
    assert len(summary.encode()) <= 398
    assert len(details.encode()) <= 19_998
    assert summary.endswith("…")
