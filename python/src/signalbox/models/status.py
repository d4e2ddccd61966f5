"""Status and outcome of a job (a stand-in until it is generated from schemas/)."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict
from pydantic.alias_generators import to_camel


class _Model(BaseModel):
    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True, extra="allow", frozen=True)


class Cause(_Model):
    reason: str
    message: str
    rule: str | None = None
    pod: str | None = None
    node: str | None = None
    container: str | None = None
    exit_code: int | None = None
    signal: int | None = None


class EvidenceSummary(_Model):
    pod: str
    uid: str
    role: str
    index: int
    attempt: int
    node: str | None = None
    container: str | None = None
    exit_code: int | None = None
    signal: int | None = None
    reason: str | None = None
    message: str | None = None
    taken_at: str
    ref: str | None = None
    matches: list[int] | None = None
    incomplete: str | None = None


class TimelineEntry(_Model):
    at: str
    phase: str
    state: str
    attempt: int
    cause: str


class ReplicaStatus(_Model):
    active: int | None = None
    succeeded: int | None = None
    failed: int | None = None
    pending: int | None = None
    starting: int | None = None
    running: int | None = None
    selector: str | None = None


class JobStatus(_Model):
    kind: str
    name: str
    namespace: str
    phase: str
    state: str
    attempt: int
    restarts: int
    cause: Cause | None = None
    replica_statuses: dict[str, ReplicaStatus] = {}
    start_time: str | None = None
    completion_time: str | None = None
    warnings: list[str] = []
    progress: str | None = None
    evidence: list[EvidenceSummary] | None = None
    timeline: list[TimelineEntry] = []


FinalPhase = Literal["Completed", "Failed", "Stopped"]
