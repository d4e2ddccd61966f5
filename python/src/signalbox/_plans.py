"""What the engine plans: reruns, and what an applied manifest changes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from pydantic import Field

from ._rpc import Answer


class ParentJob(Answer):
    """The job whose recorded manifest a rerun is made from."""

    workflow_id: str
    run_id: str
    """The first run of its workflow, which identifies the job."""
    revision: int | None = None
    """The revision whose sizes and policy were taken; None for the one as submitted."""

    def memo(self) -> dict[str, Any]:
        """Return the link as the memo of the rerun has it."""
        return self.model_dump(by_alias=True, exclude_none=True)


class RerunPlan(Answer):
    """A rerun before it is submitted."""

    manifest: dict[str, Any]
    """What to submit."""
    namespace: str
    parent: ParentJob
    revision: int
    """The revision that was taken."""
    revisions: int
    """How many there are."""
    warnings: Sequence[str] = ()
    """Accepted settings that may not be what the user meant."""


class ManifestChange(Answer):
    """One value that a manifest changes."""

    path: str
    """E.g. `spec.pytorchReplicaSpecs.Worker.replicas`."""
    from_: Any = Field(default=None, alias="from")
    """None if there was none. What looks like a secret is hidden."""
    to: Any = None
    """None if there is none any more."""


class Applied(Answer):
    """What applying a manifest did, or would do."""

    result: Literal["started", "changed", "unchanged"]
    """An ended job with this manifest is `unchanged`, however it ended."""
    changes: Sequence[ManifestChange] = ()
    kept: Sequence[ManifestChange] = ()
    """What a live job keeps, and does not matter to what runs: its labels."""
    ended: str | None = None
    """The phase in which the job has ended, if it has and stays as it is."""
