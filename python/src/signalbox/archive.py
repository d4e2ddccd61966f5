"""The record of ended jobs, which outlives Temporal's. The engine reads it, so it needs a worker."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Any, TypeVar

from pydantic import BaseModel
from typing_extensions import Unpack

from ._context import Context
from ._options import LedgerChoice
from ._outcome import answered_outcome
from ._rpc import Answer
from .cost import JobCost, Prices, prices_document
from .models.filters import ArchiveFilter
from .models.records import EvidenceRecord, JobStatus, LedgerEntry, RecordedPod, WhyAnswer
from .outcome import Outcome
from .summary import JobSummary

M = TypeVar("M", bound=BaseModel)

_PLACE = "the archive"


class Archive:
    """The archive of ended jobs, as the workers have it; `client.archive`.

    Raises `WorkerAwayError` without a worker, `ArchiveAwayError`, `ArchiveDamagedError` for a file that was cut or
    changed, and `ArchiveVersionError` for an archive of a later version. `signalbox audit verify` says whether the
    archive is the original one.
    """

    def __init__(self, context: Context) -> None:
        self._context = context

    async def list(self, *, limit: int | None = None, **chosen: Unpack[ArchiveFilter]) -> AsyncIterator[ArchivedJob]:
        """Yield the jobs that match, those that ended last first. What is not given matches every job."""
        with self._context.errors(_PLACE):
            async for found in self._context.engine.pages("archive.list", _PLACE, {"limit": limit, **chosen}):
                yield ArchivedJob(self._context, found)

    async def find(
        self,
        name: str | None = None,
        *,
        namespace: str | None = None,
        workflow_id: str | None = None,
        run_id: str | None = None,
        run: str | None = None,
    ) -> ArchivedJob:
        """Return a job by name, or by workflow id; of several, the one that ended last, or the one with the run.

        `run` counts back, as `-1`, or is the beginning of a run id, as for `Client.find`, among the archived jobs.
        Raises `JobNotFoundError` if it is not in the archive, and `AmbiguousRunError`.
        """
        about = self._context.workflow_id(name, namespace, workflow_id)
        asked = {**self._context.selector(name, namespace, workflow_id), "run_id": run_id, "run": run}
        found = await self._context.ask_engine("archive.find", about, asked)
        return ArchivedJob(self._context, found, is_whole=True)


class ArchivedRevision(Answer):
    """What an amendment made of a job."""

    number: int
    at: str
    who: Mapping[str, Any]
    why: str | None = None
    replicas: Mapping[str, int] | None = None
    """By role."""
    policy: str | None = None
    """Text of the policy document; None if the amendment did not change it."""


class ArchivedJob:
    """A job in the archive: what its methods return is what the job itself returned. They need a worker."""

    def __init__(self, context: Context, found: dict[str, Any], *, is_whole: bool = False) -> None:
        """Take what the engine answered: `Archive.find` and `Archive.list` make archived jobs."""
        self._context = context
        self._found = found
        self._is_whole = is_whole

    def __repr__(self) -> str:
        return f"<ArchivedJob {self.workflow_id}>"

    @property
    def workflow_id(self) -> str:
        """The id of the job's workflow."""
        return str(self._found["workflowId"])

    @property
    def first_run_id(self) -> str:
        """The first run of its workflow, which tells jobs with one workflow id apart."""
        return str(self._found["firstRunId"])

    @property
    def run_ids(self) -> Sequence[str]:
        """All runs of its workflow."""
        return tuple(self._found["runIds"])

    @property
    def summary(self) -> JobSummary:
        """What lists show."""
        return JobSummary.model_validate(self._found["summary"])

    async def why(self) -> str | None:
        """Return why it was submitted."""
        return (await self._whole()).get("why")

    async def missing(self) -> Sequence[str]:
        """Return what could not be archived, e.g. the history of a run that Temporal had deleted before."""
        return tuple((await self._whole()).get("missing") or ())

    async def status(self) -> JobStatus:
        """Return the job's last status."""
        return JobStatus.model_validate((await self._whole())["status"])

    async def outcome(self) -> Outcome:
        """Return how the job ended."""
        return answered_outcome((await self._whole())["status"])

    async def manifest(self) -> Any:
        """Return the manifest as submitted."""
        return (await self._whole())["manifest"]

    async def revisions(self) -> list[ArchivedRevision]:
        """Return what amendments changed, from revision 2 on, and who asked for them."""
        return [ArchivedRevision.model_validate(one) for one in (await self._whole())["revisions"]]

    async def policy(self) -> Any:
        """Return the policy that was in effect at the end; None if the job had none."""
        return (await self._whole()).get("policy")

    async def history(self, **choice: Unpack[LedgerChoice]) -> list[LedgerEntry]:
        """Return the job's ledger as `Job.history` does: whole, the oldest entry first."""
        return await self._records(LedgerEntry, "archive.history", choice)

    async def evidence(self) -> list[EvidenceRecord]:
        """Return the evidence of the failed pods; none if no pod failed."""
        return await self._records(EvidenceRecord, "archive.evidence", {})

    async def pods(self) -> list[RecordedPod]:
        """Return what ran, with nodes, times and images as kubelets reported them."""
        return await self._records(RecordedPod, "archive.pods", {})

    async def why_waiting(self) -> WhyAnswer:
        """Return why the job ended and, in `waited`, what it had waited for, as `Job.why_waiting` does."""
        asked = {"workflow_id": self.workflow_id, "first_run_id": self.first_run_id}
        return WhyAnswer.model_validate(await self._context.ask_engine("archive.why", self.workflow_id, asked))

    async def cost(self, *, prices: Prices | None = None) -> JobCost:
        """Return what the devices of the job were used for and, with prices, what that cost, as `Job.cost` does."""
        asked = {"workflow_id": self.workflow_id, "first_run_id": self.first_run_id, "prices": prices_document(prices)}
        return JobCost.model_validate(await self._context.ask_engine("archive.cost", self.workflow_id, asked))

    async def _records(self, model: type[M], method: str, choice: Mapping[str, Any]) -> list[M]:
        asked = {"workflow_id": self.workflow_id, "first_run_id": self.first_run_id, **choice}
        return await self._context.records(model, method, self.workflow_id, asked)

    async def _whole(self) -> dict[str, Any]:
        """Return all that the archive tells of the job; it does not change any more."""
        if not self._is_whole:
            asked = {"workflow_id": self.workflow_id, "run_id": self.first_run_id}
            self._found = await self._context.ask_engine("archive.find", self.workflow_id, asked)
            self._is_whole = True
        return self._found
