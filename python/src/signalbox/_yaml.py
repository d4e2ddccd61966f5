"""YAML as kubectl and the command line read it: version 1.1, without timestamps and base-60 numbers."""

from __future__ import annotations

import re
from typing import Any

import yaml


class _KubectlLoader(yaml.SafeLoader):
    """SafeLoader with other rules for plain scalars."""


def load_documents(text: str) -> list[Any]:
    """Return the documents of a YAML or JSON text that are not empty. Raise `yaml.YAMLError` with the position."""
    return [document for document in yaml.load_all(text, _KubectlLoader) if document is not None]


def _construct_int(loader: yaml.SafeLoader, node: yaml.ScalarNode) -> int:
    text = str(loader.construct_scalar(node)).replace("_", "").lower()
    sign = -1 if text.startswith("-") else 1
    digits = text.lstrip("+-")
    if digits.startswith(("0x", "0b")):
        return sign * int(digits, 0)
    is_octal = re.fullmatch("0[0-7]+", digits)
    return sign * int(digits, 8 if is_octal else 10)


def _construct_bool(loader: yaml.SafeLoader, node: yaml.ScalarNode) -> bool:
    return str(loader.construct_scalar(node)).lower() in {"y", "yes", "true", "on"}


_FLOAT = (
    r"[-+]?[0-9][0-9_]*\.[0-9_]*(?:[eE][-+]?[0-9]+)?|[-+]?\.[0-9][0-9_]*(?:[eE][-+]?[0-9]+)?"
    r"|[-+]?[0-9][0-9_]*[eE][-+]?[0-9]+|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)"
)
_RULES = {
    "bool": (
        r"(?:[Yy]|[Yy]es|YES|[Tt]rue|TRUE|[Oo]n|ON|[Nn]|[Nn]o|NO|[Ff]alse|FALSE|[Oo]ff|OFF)",
        "yYtToOnNfF",
    ),
    "int": (r"[-+]?(?:0b_*[01][01_]*|0x_*[0-9a-fA-F][0-9a-fA-F_]*|[0-9][0-9_]*)", "-+0123456789"),
    "float": (_FLOAT, "-+.0123456789"),
    "null": (r"(?:~|null|Null|NULL|)", "~nN"),
    "merge": (r"<<", "<"),
}

_KubectlLoader.yaml_implicit_resolvers = {}
for _tag, (_pattern, _first) in _RULES.items():
    _firsts = [*_first, ""] if _tag == "null" else list(_first)
    _KubectlLoader.add_implicit_resolver(  # pyright: ignore[reportUnknownMemberType]
        f"tag:yaml.org,2002:{_tag}", re.compile(f"^(?:{_pattern})$"), _firsts
    )
_KubectlLoader.add_constructor("tag:yaml.org,2002:int", _construct_int)
_KubectlLoader.add_constructor("tag:yaml.org,2002:bool", _construct_bool)
