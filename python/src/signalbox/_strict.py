"""Checks a manifest by the schema of its kind, unknown fields included. The engine checks more."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import yaml
from pydantic import BaseModel, ValidationError

from ._yaml import load_documents
from .errors import Fault
from .models import manifests as models
from .models.policy import JobPolicy

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pydantic_core import ErrorDetails

NO_SUCH_FIELD = "no such field"
"""What is expected where a schema knows no field."""

KINDS: Mapping[tuple[str, str], type[BaseModel]] = {
    ("kubeflow.org/v1", "PyTorchJob"): models.PyTorchJob,
    ("kubeflow.org/v1", "TFJob"): models.TFJob,
    ("kubeflow.org/v1", "XGBoostJob"): models.XGBoostJob,
    ("kubeflow.org/v1", "MPIJob"): models.MPIJob,
    ("kubeflow.org/v1", "PaddleJob"): models.PaddleJob,
    ("kubeflow.org/v1", "JAXJob"): models.JAXJob,
    ("kubeflow.org/v2beta1", "MPIJob"): models.MPIJobV2,
    ("batch.paddlepaddle.org/v1", "PaddleJob"): models.PaddleOperatorJob,
}


def strict_faults(manifest: Mapping[str, Any]) -> list[Fault]:
    """Return what is wrong with a manifest by its schema."""
    version, kind = manifest.get("apiVersion"), manifest["kind"]
    model = KINDS.get((str(version), kind))
    if model is None:
        known = ", ".join(sorted({f"{group} {name}" for group, name in KINDS}))
        return [Fault("apiVersion, kind", f"one of {known}", f"{version} {kind}")]
    try:
        model.model_validate(manifest)
    except ValidationError as error:
        return [_fault_of(detail) for detail in error.errors(include_url=False)]
    return []


def policy_faults(text: object, annotation: str) -> list[Fault]:
    """Return what is wrong with a manifest's policy by its schema."""
    if not isinstance(text, str):
        return []
    at = f"metadata.annotations[{annotation}]"
    try:
        documents = load_documents(text)
    except yaml.YAMLError as error:
        return [Fault(at, "YAML or JSON", " ".join(str(error).split()))]
    try:
        JobPolicy.model_validate(documents[0] if documents else {})
    except ValidationError as error:
        faults = [_fault_of(detail) for detail in error.errors(include_url=False)]
        return [Fault(f"{at}.{fault.path}" if fault.path else at, fault.expected, fault.got) for fault in faults]
    return []


def _fault_of(detail: ErrorDetails) -> Fault:
    path = ".".join(str(part) for part in detail["loc"])
    if detail["type"] == "extra_forbidden":
        return Fault(path, NO_SUCH_FIELD, json.dumps(detail["input"], default=str))
    if detail["type"] == "missing":
        return Fault(path, "a value", "nothing")
    expected = detail["msg"].removeprefix("Input should be ")
    return Fault(path, expected, json.dumps(detail["input"], default=str))
