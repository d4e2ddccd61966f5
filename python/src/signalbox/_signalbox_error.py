"""The base class of the library's errors, and what their fields hold."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime


class SignalboxError(Exception):
    """Base class of the library's errors.

    Its text is the message. From Python 3.11 on, a traceback shows the remedy below it, as a note.
    """

    code: ClassVar[str] = "Signalbox"
    """Stable name of the cause, the same in every language."""

    def __init__(self, message: str, *, remedy: str | None = None, **fields: object) -> None:
        super().__init__(message)
        self.message = message
        """What happened."""
        self.remedy = remedy
        """What to do next."""
        if remedy is not None and sys.version_info >= (3, 11):
            self.add_note(remedy)
        for name, value in fields.items():
            setattr(self, name, value)


@dataclass(frozen=True)
class Fault:
    """One fault of a manifest."""

    path: str
    """E.g. `spec.pytorchReplicaSpecs.Worker.replicas`."""
    expected: str
    got: str
    is_unknown: bool = False
    """Nothing reads the field; where unknown fields are accepted, it is no fault."""

    def __str__(self) -> str:
        return f"{self.path}: expected {self.expected}, got {self.got}"


@dataclass(frozen=True)
class KnownJob:
    """A job of a name that several jobs had."""

    run_ids: Sequence[str]
    phase: str
    start_time: datetime
