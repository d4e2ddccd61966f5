"""What jobs held, what for, and what it cost, as the engine derives it from their records (docs/cost.md)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, TypedDict

from ._rpc import Answer
from ._yaml import load_documents


class PartOfWhole(Answer):
    """A part of a whole, from 0 to 1; two numbers where only bounds are known."""

    least: float
    most: float


class CostData(Answer):
    """What some uses cost, in decimals; the amounts differ where only bounds are known."""

    currency: str
    least: str
    most: str
    unpriced_ms: int
    """Devices times milliseconds without a price, which are in no amount."""


class UseSum(Answer):
    """For how long devices had a use."""

    use: str
    cause: str | None = None
    """Why the job restarted, if they had the use because of that."""
    ms: int
    """Devices times milliseconds."""
    cost: CostData | None = None


class PricedSums(Answer):
    """What the devices of one resource were used for."""

    resource: str
    """E.g. `nvidia.com/gpu`; `pods` for jobs whose pods request no device."""
    ms: int
    assumed_ms: int
    """The part that rests on counts of pods between which something may have happened."""
    uses: Sequence[UseSum]
    goodput: PartOfWhole
    """The productive part."""
    cost: CostData | None = None


class DeviceUse(Answer):
    """For how long devices of a job had one use, on one day in UTC."""

    day: str
    attempt: int
    use: str
    cause: str | None = None
    resource: str
    product: str | None = None
    """What the devices are; None if that is not known."""
    ms: int
    assumed_ms: int


class RestartFact(Answer):
    """What made a job stop to run, until it ran again. Times are milliseconds since 1970."""

    seq: int
    """Sequence number of the entry of the ledger with which it began."""
    at: int
    attempt: int
    cause: str
    message: str
    node: str | None = None
    ran_at: int | None = None
    """None if it has not run again."""


class Ettr(Answer):
    """Effective training time ratio: since the submission, and since the first pod had a node."""

    with_queue: PartOfWhole
    without_queue: PartOfWhole


class JobCost(Answer):
    """What a job held, what for, and what it cost, as `signalbox cost NAME -o json` prints it."""

    kind: str
    namespace: str
    name: str
    workflow_id: str
    first_run_id: str
    phase: str
    resources: Sequence[PricedSums]
    ettr: Ettr
    restarts: Sequence[RestartFact]
    uses: Sequence[DeviceUse]
    """By day, attempt, use, cause, resource and product."""


class UseGroup(Answer):
    """What the devices of some jobs were used for together."""

    by: Mapping[str, str | None]
    """By what they are grouped; None where a job has no such value."""
    jobs: int
    resources: Sequence[PricedSums]


class JobCounts(Answer):
    """How jobs ended in some days, and how many have not."""

    completed: int
    failed: int
    stopped: int
    live: int
    success_rate: float | None
    """Completed, of those that completed or failed; None if none has."""


class PaidFor(Answer):
    """What hours of devices went to: productive, start, recovery, repeated, idle or unknown."""

    what: str
    cause: str | None = None
    ms: int
    cost: CostData | None = None


class PaidSums(Answer):
    """What the hours of a resource went to; these add up to what was held."""

    resource: str
    ms: int
    assumed_ms: int
    goodput: PartOfWhole
    cost: CostData | None = None
    paid_for: Sequence[PaidFor]


class FailureReason(Answer):
    """Why jobs failed: a reason code, None where it is not known."""

    reason: str | None
    jobs: int


class RestartCount(Answer):
    """Restarts for a cause, and how long jobs took to run again; None where none has."""

    cause: str
    restarts: int
    jobs: int
    median_ms: int | None
    longest_ms: int | None


class NodeFaults(Answer):
    """What happened on a node."""

    node: str
    restarts: int
    failed_jobs: int
    jobs: int
    causes: Sequence[str]


class ReportedJob(Answer):
    """A job among others."""

    namespace: str
    name: str
    workflow_id: str
    first_run_id: str
    phase: str
    user: str | None
    is_archived: bool


class SlowStart(ReportedJob):
    """A job that waited until it ran."""

    submitted: str
    wait_ms: int
    has_run: bool
    waited_for: str | None
    """What it waited for longest: a reason code."""


class LargeJob(ReportedJob):
    """A job, and what it held of the first of its resources."""

    resource: str
    ms: int
    goodput: PartOfWhole
    restarts: int
    cost: CostData | None = None


class PeriodReport(Answer):
    """What became of the jobs of a namespace, or of all, within some days, and of what they held."""

    namespace: str | None
    since: str | None
    """First day in UTC."""
    until: str | None
    """The first day that is not in it."""
    as_of: str
    read_from: Sequence[str]
    jobs: JobCounts
    resources: Sequence[PaidSums]
    users: Sequence[UseGroup]
    reasons: Sequence[FailureReason]
    restarts: Sequence[RestartCount]
    nodes: Sequence[NodeFaults]
    starts: Sequence[SlowStart]
    largest: Sequence[LargeJob]
    missing: Sequence[str]
    """What could not be read."""


Prices = Mapping[str, Any] | str | Path
"""What an hour of a device costs (docs/cost.md#prices): the content of a file, or its path."""


class PeriodOptions(TypedDict, total=False):
    """Which jobs, and on which days."""

    namespace: str | None
    """Only jobs of this namespace; default: of all."""
    since: datetime | None
    """From the day of this time on, in UTC."""
    until: datetime | None
    """Before the day of this time, in UTC."""
    prices: Prices | None


def prices_document(prices: Prices | None) -> Any:
    """Return the content of a file of prices; the engine checks it."""
    if not isinstance(prices, (str, Path)):
        return prices
    documents = load_documents(Path(prices).read_text(encoding="utf-8"))
    if len(documents) != 1:
        raise ValueError(f"{prices}: expected one document of prices, got {len(documents)}")
    return documents[0]
