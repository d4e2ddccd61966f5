"""The policy of a manifest: a YAML document in an annotation."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

import yaml

from ._fields import fields_of
from ._yaml import load_documents

POLICY_ANNOTATION = "signalbox.dev/policy"


def with_policy_fields(manifest: Any, patch: Mapping[str, Any]) -> Any:
    """Return the manifest with a part of a policy document merged into its own one (RFC 7396)."""
    document = policy_document(manifest)
    return with_policy_text(manifest, _text_of(_merged(document, patch)))


def policy_document(manifest: Any) -> Mapping[str, Any]:
    """Return the policy; empty if there is none, or one that is no mapping: its validation says so."""
    text = fields_of(manifest["metadata"].get("annotations")).get(POLICY_ANNOTATION)
    if not isinstance(text, str):
        return {}
    try:
        documents = load_documents(text)
    except yaml.YAMLError:
        return {}
    return fields_of(documents[0]) if len(documents) == 1 else {}


def with_policy_text(manifest: Any, text: str) -> Any:
    """Return the manifest with another policy document."""
    metadata = fields_of(manifest["metadata"])
    annotations = {**fields_of(metadata.get("annotations")), POLICY_ANNOTATION: text}
    return {**manifest, "metadata": {**metadata, "annotations": annotations}}


def _merged(target: object, patch: Mapping[str, Any]) -> dict[str, Any]:
    """Merge mappings, remove None, replace all else."""
    kept = fields_of(target)
    merged = {name: value for name, value in kept.items() if name not in patch}
    for name, value in patch.items():
        if _is_mapping(value):
            merged[name] = _merged(kept.get(name), fields_of(value))
        elif value is not None:
            merged[name] = value
    return merged


def _is_mapping(value: object) -> bool:
    return isinstance(value, dict)


class _Dumper(yaml.SafeDumper):
    """Writes lists, quotes and lines as the TypeScript client does, so that both make the same text."""

    def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:  # noqa: ARG002, FBT001, FBT002
        super().increase_indent(flow, False)  # noqa: FBT003

    def choose_scalar_style(self) -> str:
        """Return the quotes; PyYAML would only use double ones where it has to."""
        writer: Any = super()
        style: str = writer.choose_scalar_style()
        text: str = cast("Any", self).event.value
        if style != "'" and "\n" not in text:
            return style
        if "\n" in text:
            return "|"
        return "'" if '"' in text and "'" not in text else '"'


def _text_of(document: Mapping[str, Any]) -> str:
    return yaml.dump(dict(document), Dumper=_Dumper, sort_keys=False, width=2**31, allow_unicode=True)
