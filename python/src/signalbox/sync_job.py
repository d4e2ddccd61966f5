"""A job for programs without asyncio: every call blocks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from typing_extensions import Unpack

    from ._logs import LogLine
    from ._loop_thread import LoopThread
    from ._options import Intervention, LedgerChoice, LogOptions
    from ._submit import SubmissionResult
    from .explanation import Explanation
    from .job import Job
    from .known_status import KnownStatus
    from .models.records import EvidenceRecord, LedgerEntry
    from .outcome import Outcome
    from .summary import JobSummary


class SyncJob:
    """`Job` with calls that block; see there."""

    def __init__(self, job: Job, loop: LoopThread) -> None:
        self._job = job
        self._loop = loop

    def __repr__(self) -> str:
        return f"<SyncJob {self.workflow_id}>"

    @property
    def workflow_id(self) -> str:
        """See `Job.workflow_id`."""
        return self._job.workflow_id

    @property
    def run_id(self) -> str | None:
        """See `Job.run_id`."""
        return self._job.run_id

    @property
    def submission(self) -> SubmissionResult | None:
        """See `Job.submission`."""
        return self._job.submission

    def status(self) -> KnownStatus:
        """See `Job.status`."""
        return self._loop.run(self._job.status())

    def summary(self) -> JobSummary:
        """See `Job.summary`."""
        return self._loop.run(self._job.summary())

    def history(self, **choice: Unpack[LedgerChoice]) -> list[LedgerEntry]:
        """See `Job.history`."""
        return self._loop.run(self._job.history(**choice))

    def follow_history(self, **choice: Unpack[LedgerChoice]) -> Iterator[LedgerEntry]:
        """See `Job.follow_history`."""
        return self._loop.iterate(self._job.follow_history(**choice))

    def why(self) -> Explanation:
        """See `Job.why`."""
        return self._loop.run(self._job.why())

    def wait(self, *, timeout: float | None = None) -> Outcome:
        """See `Job.wait`."""
        return self._loop.run(self._job.wait(timeout=timeout))

    def watch(self) -> Iterator[KnownStatus]:
        """See `Job.watch`."""
        return self._loop.iterate(self._job.watch())

    def stop(
        self, *, checkpoint: bool = False, **intervention: Unpack[Intervention]
    ) -> Literal["requested", "already-ended"]:
        """See `Job.stop`."""
        return self._loop.run(self._job.stop(checkpoint=checkpoint, **intervention))

    def suspend(self, **intervention: Unpack[Intervention]) -> None:
        """See `Job.suspend`."""
        self._loop.run(self._job.suspend(**intervention))

    def resume(self, **intervention: Unpack[Intervention]) -> None:
        """See `Job.resume`."""
        self._loop.run(self._job.resume(**intervention))

    def scale(self, role: str, replicas: int, **intervention: Unpack[Intervention]) -> None:
        """See `Job.scale`."""
        self._loop.run(self._job.scale(role, replicas, **intervention))

    def retry_now(self, **intervention: Unpack[Intervention]) -> None:
        """See `Job.retry_now`."""
        self._loop.run(self._job.retry_now(**intervention))

    def extend_deadline(self, seconds: int, **intervention: Unpack[Intervention]) -> None:
        """See `Job.extend_deadline`."""
        self._loop.run(self._job.extend_deadline(seconds, **intervention))

    def hold(self, seconds: int, **intervention: Unpack[Intervention]) -> None:
        """See `Job.hold`."""
        self._loop.run(self._job.hold(seconds, **intervention))

    def release(self, **intervention: Unpack[Intervention]) -> None:
        """See `Job.release`."""
        self._loop.run(self._job.release(**intervention))

    def amend_policy(self, policy: Mapping[str, Any], **intervention: Unpack[Intervention]) -> None:
        """See `Job.amend_policy`."""
        self._loop.run(self._job.amend_policy(policy, **intervention))

    def logs(self, **options: Unpack[LogOptions]) -> Iterator[LogLine]:
        """See `Job.logs`."""
        return self._loop.iterate(self._job.logs(**options))

    def evidence(self, *, pod: str | None = None, attempt: int | None = None) -> Iterator[EvidenceRecord]:
        """See `Job.evidence`."""
        return self._loop.iterate(self._job.evidence(pod=pod, attempt=attempt))
