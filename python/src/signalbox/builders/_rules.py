"""What the options of the builders must be."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias, cast

from signalbox.errors import Fault, InvalidManifestError

Rule: TypeAlias = "tuple[str, Callable[[Any], bool]]"
"""What is expected, as an error words it, and whether a value is that."""


def check_options(options: Mapping[str, Any], rules: Mapping[str, Rule], required: tuple[str, ...]) -> None:
    """Raise `InvalidManifestError` with each option that is absent, unknown or has a wrong value."""
    given = {name: value for name, value in options.items() if value is not None}
    faults = [Fault(name, rules[name][0], "nothing") for name in required if name not in given]
    unknown = f"one of the options {', '.join(rules)}"
    for name, value in given.items():
        expected, is_met = rules.get(name, (unknown, _never))
        if not is_met(value):
            faults.append(Fault(name, expected, json.dumps(value, default=str)[:80]))
    if faults:
        raise InvalidManifestError(faults)


def integer(least: int) -> Rule:
    """Return the rule of an integer."""
    return (f"an integer >= {least}", lambda value: is_integer(value, least))


def is_integer(value: object, least: int) -> bool:
    """Return whether a value is an integer that is large enough."""
    return isinstance(value, int) and not isinstance(value, bool) and value >= least


def one_of(*words: str) -> Rule:
    """Return the rule of a word."""
    return (f"one of {', '.join(words)}", lambda value: value in words)


def _never(value: object) -> bool:
    del value
    return False


def _is_text(value: object) -> bool:
    return isinstance(value, str) and value != ""


def _is_texts(value: object) -> bool:
    items = cast("list[object]", value) if isinstance(value, (list, tuple)) else [0]
    return all(isinstance(item, str) for item in items)


def _values(value: object) -> list[object]:
    return list(cast("Mapping[str, object]", value).values()) if isinstance(value, Mapping) else [0]


def _is_name(value: object) -> bool:
    return isinstance(value, str) and re.fullmatch(r"[a-z]([-a-z0-9]{0,61}[a-z0-9])?", value) is not None


def _is_quantity(value: object) -> bool:
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return value > 0
    pattern = r"\+?(\d+\.?\d*|\.\d+)([KMGTPE]i|[numkMGTPE]|[eE][+-]?\d{1,3})?"
    return isinstance(value, str) and re.fullmatch(pattern, value) is not None and re.search("[1-9]", value) is not None


_DNS_LABEL = "a DNS label: at most 63 lower-case letters, digits and -, starting with a letter"
NAME: Rule = (_DNS_LABEL, _is_name)
TEXT: Rule = ("a non-empty text", _is_text)
TEXTS: Rule = ("a list of texts", _is_texts)
BOOLEAN: Rule = ("True or False", lambda value: isinstance(value, bool))
QUANTITY: Rule = ("a quantity > 0, e.g. 4, 500m or 8Gi", _is_quantity)
TEXT_BY_NAME: Rule = ("a mapping of texts", lambda value: all(isinstance(item, str) for item in _values(value)))
PATHS: Rule = (
    "a mapping of absolute paths, by the name of a PersistentVolumeClaim",
    lambda value: all(isinstance(path, str) and path.startswith("/") for path in _values(value)),
)
OBJECT: Rule = ("a mapping", lambda value: isinstance(value, Mapping))

POD_RULES: Mapping[str, Rule] = {
    "name": NAME,
    "namespace": NAME,
    "image": TEXT,
    "command": TEXTS,
    "args": TEXTS,
    "env": TEXT_BY_NAME,
    "gpus_per_node": integer(0),
    "gpu_resource": TEXT,
    "cpu": QUANTITY,
    "memory": QUANTITY,
    "shm": QUANTITY,
    "volumes": PATHS,
    "node_selector": TEXT_BY_NAME,
    "labels": TEXT_BY_NAME,
    "annotations": TEXT_BY_NAME,
    "policy": OBJECT,
    "gang": one_of("auto", "native", "volcano", "coscheduling", "kube-batch", "none"),
}
JOB_RULES: Mapping[str, Rule] = {
    **POD_RULES,
    "restart_policy": one_of("Always", "OnFailure", "Never", "ExitCode"),
    "backoff_limit": integer(0),
    "deadline_seconds": integer(1),
    "ttl_seconds": integer(0),
    "clean_pod_policy": one_of("All", "Running", "None"),
    "suspend": BOOLEAN,
}
