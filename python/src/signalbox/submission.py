"""What became of one of many manifests."""

from __future__ import annotations

from ._in_flight import Settled
from ._manifest import Manifest
from .job import Job


class SubmissionAttempt:
    """A manifest, and its job or its error."""

    def __init__(self, attempt: Settled[Manifest, Job]) -> None:
        """Wrap what `Client.submit_many` knows."""
        self._attempt = attempt

    @property
    def manifest(self) -> Manifest:
        """The manifest, as it was given."""
        return self._attempt.item

    @property
    def index(self) -> int:
        """Its place among those given, from 0."""
        return self._attempt.index

    @property
    def error(self) -> Exception | None:
        """Why there is no job: a `SignalboxError` unless the program is at fault."""
        result = self._attempt.result
        return result if isinstance(result, Exception) else None

    @property
    def job(self) -> Job:
        """The job; `job.submission` says whether it was started. Raises the error if there is no job."""
        result = self._attempt.result
        if isinstance(result, Exception):
            raise result
        return result
