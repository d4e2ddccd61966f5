"""A job's status. Without a worker it is what was recorded last."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from .models.records import JobStatus


class KnownStatus(JobStatus):
    """A job's status, and where it was read."""

    recorded_in: Literal["anchor", "temporal"] | None = Field(default=None, alias="recordedIn")
    """Set if no worker answers: the status is from the job's anchor in the cluster, which has all of it, or from
    Temporal, which has phase, reason and attempt. The job's pods continue meanwhile."""
