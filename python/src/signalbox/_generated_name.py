"""Names of jobs whose manifest has a `generateName`, the same in every client (docs/wire-contract.md)."""

from __future__ import annotations

import hashlib
import secrets
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

_LETTERS = "bcdfghjklmnpqrstvwxz2456789"
"""Those of Kubernetes' generated names."""
_LENGTH = 8


def with_generated_name(metadata: Mapping[str, Any], key: str | None) -> dict[str, Any]:
    """Return metadata with a name that begins with its generateName, if it has no name.

    With a key the name follows from the key: a program that is restarted finds its job again.
    """
    prefix = metadata.get("generateName")
    if metadata.get("name") or not isinstance(prefix, str) or not prefix:
        return dict(metadata)
    values = secrets.token_bytes(_LENGTH) if key is None else hashlib.sha256(key.encode()).digest()
    ending = "".join(_LETTERS[value % len(_LETTERS)] for value in values[:_LENGTH])
    rest = {field: value for field, value in metadata.items() if field != "generateName"}
    return {**rest, "name": f"{prefix}{ending}"}
