"""What Temporal's UI and command line show of a job from its start on: kind, name, size, image and submitter."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from collections.abc import Mapping

# Temporal's limits, of the JSON in bytes.
_SUMMARY_BYTES = 400
_DETAILS_BYTES = 20_000


@dataclass(frozen=True)
class _Role:
    name: str
    replicas: int
    image: str | None
    requests: dict[str, str]
    """What each pod requests."""


def start_texts(manifest: Mapping[str, Any], submitted_by: str, why: str | None) -> tuple[str, str]:
    """Return the summary, and the details in Markdown, each within the limit that Temporal has for it."""
    roles = _roles_in(manifest)
    summary = _summary_text(manifest, roles, submitted_by)
    details = _details_text(manifest, roles, submitted_by, why)
    return _shortened(summary, _SUMMARY_BYTES), _shortened(details, _DETAILS_BYTES)


def _summary_text(manifest: Mapping[str, Any], roles: list[_Role], submitted_by: str) -> str:
    metadata = manifest["metadata"]
    pods = sum(role.replicas for role in roles)
    size = ["1 pod" if pods == 1 else f"{pods} pods", *_devices_of(roles)]
    images = dict.fromkeys(role.image for role in roles if role.image)
    named = f"{manifest['kind']} {metadata['namespace']}/{metadata['name']}"
    return " · ".join([named, ", ".join(size), *images, f"by {submitted_by}"])


def _devices_of(roles: list[_Role]) -> list[str]:
    """Sum up extended resources, e.g. GPUs: they are what a job waits for."""
    sums: dict[str, int] = {}
    for role in roles:
        for name, quantity in role.requests.items():
            if "/" in name and quantity.isdigit():
                sums[name] = sums.get(name, 0) + role.replicas * int(quantity)
    return [f"{count} {name}" for name, count in sums.items() if count > 0]


def _details_text(manifest: Mapping[str, Any], roles: list[_Role], submitted_by: str, why: str | None) -> str:
    metadata = manifest["metadata"]
    job = _code(f"{metadata['namespace']}/{metadata['name']}")
    header = ["| Role | Pods | Image | Each pod requests |", "| --- | --- | --- | --- |"]
    rows = [_row_of(role) for role in roles]
    labels = ", ".join(_code(f"{key}={value}") for key, value in _mapping(metadata.get("labels")).items())
    parts = [
        f"**{_plain(manifest['kind'])}** {job}, submitted by {_code(submitted_by)}",
        f"**Why:** {_plain(why)}" if why is not None else "",
        "\n".join([*header, *rows]) if rows else "",
        f"**Labels:** {labels}" if labels else "",
    ]
    return "\n\n".join(part for part in parts if part)


def _row_of(role: _Role) -> str:
    asked = ", ".join(f"{name} {quantity}" for name, quantity in role.requests.items())
    image = _code(role.image) if role.image else ""
    return f"| {_plain(role.name)} | {role.replicas} | {image} | {_plain(asked)} |"


def _roles_in(manifest: Mapping[str, Any]) -> list[_Role]:
    """Work by shape only, as every kind must fit, and manifests that will turn out to be invalid."""
    spec = _mapping(manifest.get("spec"))
    specs = next((value for key, value in spec.items() if key.endswith("ReplicaSpecs")), None)
    roles = _mapping(specs) or spec
    return [
        _role_in(name, _mapping(role)) for name, role in roles.items() if {"template", "replicas"} & set(_mapping(role))
    ]


def _role_in(name: str, role: Mapping[str, Any]) -> _Role:
    pod = _mapping(_mapping(role.get("template")).get("spec"))
    containers: object = pod.get("containers")
    items = cast("list[object]", containers) if isinstance(containers, list) else []
    main = _mapping(items[0]) if items else {}
    resources = _mapping(main.get("resources"))
    asked = {**_mapping(resources.get("limits")), **_mapping(resources.get("requests"))}
    replicas, image = role.get("replicas"), main.get("image")
    return _Role(
        name,
        replicas if isinstance(replicas, int) else 1,
        image if isinstance(image, str) else None,
        {resource: str(quantity) for resource, quantity in asked.items()},
    )


def _mapping(value: object) -> dict[str, Any]:
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}


def _plain(text: str) -> str:
    """Return a text that means nothing in Markdown, in one line."""
    return re.sub(r"[\\`*|<>[\]]", lambda found: f"\\{found[0]}", re.sub(r"\s+", " ", text))


def _code(text: str) -> str:
    """Return a text as code, in one line."""
    line = re.sub(r"\s+", " ", text).replace("`", "'").replace("|", "\\|")
    return f"`{line}`"


def _shortened(text: str, most: int) -> str:
    """Cut a text so that its JSON has at most `most` bytes."""
    if _json_bytes(text) <= most:
        return text
    fits, too_long = 0, len(text)
    while too_long - fits > 1:
        middle = (fits + too_long) // 2
        if _json_bytes(f"{text[:middle]}…") <= most:
            fits = middle
        else:
            too_long = middle
    return f"{text[:fits].rstrip()}…"


def _json_bytes(text: str) -> int:
    return len(json.dumps(text, ensure_ascii=False).encode("utf-8", "replace"))
