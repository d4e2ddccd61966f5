"""What Temporal's UI and command line show of a job from its start on: kind, name, size, image and submitter."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, cast

from ._manifest_hash import canonical_json, text_of_number
from ._quantity import parse_quantity

# Temporal's limits, of the JSON in bytes.
_SUMMARY_BYTES = 400
_DETAILS_BYTES = 20_000


def title_of(manifest: Mapping[str, Any]) -> str:
    """Return a job's kind and name."""
    return f"{manifest['kind']} {manifest['metadata']['namespace']}/{manifest['metadata']['name']}"


def start_texts(manifest: Mapping[str, Any], submitted_by: str, why: str | None) -> tuple[str, str]:
    """Return the summary, and the details in Markdown, each within the limit that Temporal has for it."""
    roles = _roles_in(manifest)
    summary = _summary_text(manifest, roles, submitted_by)
    details = _details_text(manifest, roles, submitted_by, why)
    return _shortened(summary, _SUMMARY_BYTES), _shortened(details, _DETAILS_BYTES)


@dataclass(frozen=True)
class _Role:
    name: str
    replicas: int
    image: str
    requests: dict[str, str]
    """What each pod requests."""


def _roles_in(manifest: Mapping[str, Any]) -> list[_Role]:
    """Work by shape only, as every kind must fit, and manifests that will turn out to be invalid."""
    spec = _mapping(manifest.get("spec"))
    specs = next((value for key, value in spec.items() if key.endswith("ReplicaSpecs")), None)
    roles = [(name, _mapping(role)) for name, role in (_mapping(specs) or spec).items()]
    return [_role_of(name, role) for name, role in roles if {"template", "replicas"} & set(role)]


_NOTHING: dict[str, Any] = {}


def _role_of(name: str, role: Mapping[str, Any]) -> _Role:
    containers: object = _mapping(_mapping(role.get("template")).get("spec")).get("containers")
    listed = cast("list[object]", containers) if isinstance(containers, list) else []
    main = next((_mapping(container) for container in listed if _mapping(container)), _NOTHING)
    resources = _mapping(main.get("resources"))
    requests = {**_mapping(resources.get("limits")), **_mapping(resources.get("requests"))}
    replicas, image = role.get("replicas"), main.get("image")
    return _Role(
        name,
        replicas if isinstance(replicas, int) and not isinstance(replicas, bool) else 1,
        image if isinstance(image, str) else "",
        {resource: _text(quantity) for resource, quantity in requests.items()},
    )


def _summary_text(manifest: Mapping[str, Any], roles: list[_Role], submitted_by: str) -> str:
    pods = sum(role.replicas for role in roles)
    # Extended resources, e.g. GPUs, are what a job waits for.
    devices: dict[str, int] = {}
    for role in roles:
        for name, quantity in role.requests.items():
            count = parse_quantity(quantity) or Fraction(0)
            if "/" in name and count > 0 and count.denominator == 1:
                devices[name] = devices.get(name, 0) + role.replicas * int(count)
    size = [
        "1 pod" if pods == 1 else f"{pods} pods",
        *(f"{text_of_number(count)} {name}" for name, count in devices.items()),
    ]
    images = dict.fromkeys(role.image for role in roles if role.image)
    return " · ".join([title_of(manifest), ", ".join(size), *images, f"by {submitted_by}"])


def _details_text(manifest: Mapping[str, Any], roles: list[_Role], submitted_by: str, why: str | None) -> str:
    kind, _, job = title_of(manifest).partition(" ")
    labels = _mapping(manifest["metadata"].get("labels")).items()
    header = ["| Role | Pods | Image | Each pod requests |", "| --- | --- | --- | --- |"]
    parts = [
        f"**{_plain(kind)}** {_code(job)}, submitted by {_code(submitted_by)}",
        f"**Why:** {_plain(why)}" if why is not None else "",
        "\n".join([*header, *map(_row_of, roles)]) if roles else "",
        f"**Labels:** {', '.join(_code(f'{key}={value}') for key, value in labels)}" if labels else "",
    ]
    return "\n\n".join(filter(None, parts))


def _row_of(role: _Role) -> str:
    requests = ", ".join(f"{name} {quantity}" for name, quantity in role.requests.items())
    image = _code(role.image) if role.image else ""
    return f"| {_plain(role.name)} | {role.replicas} | {image} | {_plain(requests)} |"


def _text(value: object) -> str:
    return value if isinstance(value, str) else canonical_json(value)


def _mapping(value: object) -> dict[str, Any]:
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}


def _plain(text: str) -> str:
    """Return a text that means nothing in Markdown, in one line."""
    return re.sub(r"[\\`*|<>[\]]", r"\\\g<0>", re.sub(r"\s+", " ", text))


def _code(text: str) -> str:
    """Return a text as code, in one line."""
    line = re.sub(r"\s+", " ", text).replace("`", "'").replace("|", "\\|")
    return f"`{line}`"


def _shortened(text: str, most: int) -> str:
    """Cut a text so that its JSON has at most `most` bytes."""
    whole, shown = text, text
    while len(json.dumps(shown, ensure_ascii=False).encode("utf-8", "replace")) > most:
        whole = whole[: min(most, len(whole) * 19 // 20)]
        shown = f"{whole.rstrip()}…"
    return shown
