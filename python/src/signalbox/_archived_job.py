"""A job in an archive. Reading it asks no server."""

from __future__ import annotations

import gzip
import hashlib
import json
import re
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, TypeVar, cast

from pydantic import BaseModel

from ._fields import fields_of
from ._ledger import is_chosen
from .errors import ArchiveDamagedError, ArchiveVersionError
from .models.records import EvidenceRecord, JobStatus, LedgerEntry, RecordedPod
from .outcome import Outcome, outcome_from
from .summary import JobSummary

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from temporalio.client import WorkflowHistory
    from typing_extensions import Unpack

    from ._options import LedgerChoice

M = TypeVar("M", bound=BaseModel)

ARCHIVE_SCHEMA = "signalbox.dev/archive/v1"
JOB_FILE = "job.json"


@dataclass(frozen=True)
class ArchivedRevision:
    """What an amendment made of a job."""

    number: int
    at: str
    who: Mapping[str, Any]
    why: str | None
    replicas: Mapping[str, int] | None
    """By role."""
    policy: Any
    """Text of the policy document; None if the amendment did not change it."""


class ArchivedJob:
    """A job in an archive.

    Each file is compared with the digest that was recorded of it (`ArchiveDamagedError`). Whether those digests are
    the original ones is what `signalbox audit verify` tells.
    """

    def __init__(self, folder: Path, content: bytes) -> None:
        """Take the content of job.json. `Archive.find` and `Archive.list` make archived jobs."""
        self._folder = folder
        self._job = _parsed(content, folder / JOB_FILE)

    def __repr__(self) -> str:
        return f"<ArchivedJob {self.workflow_id}>"

    @property
    def folder(self) -> Path:
        """Where its files are."""
        return self._folder

    @property
    def workflow_id(self) -> str:
        """The id of the job's workflow."""
        return str(self._job["workflowId"])

    @property
    def first_run_id(self) -> str:
        """The first run of its workflow, which tells jobs with one workflow id apart."""
        return str(self._job["firstRunId"])

    @property
    def run_ids(self) -> Sequence[str]:
        """All runs of its workflow."""
        return list(dict.fromkeys([self.first_run_id, *(run["runId"] for run in self._job["runs"])]))

    @property
    def why(self) -> str | None:
        """Why it was submitted."""
        why = self._job["submitted"].get("why")
        return None if why is None else str(why)

    @property
    def missing(self) -> Sequence[str]:
        """What could not be archived, e.g. the history of a run that Temporal had deleted before."""
        return tuple(self._job.get("missing") or ())

    def summary(self) -> JobSummary:
        """Return what lists show."""
        job, status = self._job, self._job["status"]
        metadata = fields_of(fields_of(job["manifest"]).get("metadata"))
        return JobSummary(
            workflow_id=self.workflow_id,
            run_id=job["runId"],
            kind=job["kind"],
            name=job["name"],
            namespace=job["namespace"],
            phase=status["phase"],
            reason=fields_of(status.get("cause")).get("reason"),
            attempt=status["attempt"],
            submitted_by=job["submitted"]["who"].get("given"),
            labels={str(key): str(value) for key, value in fields_of(metadata.get("labels")).items()},
            start_time=time_of(job["submitted"]["at"]),
            end_time=time_of(job["closed"]),
        )

    def status(self) -> JobStatus:
        """Return the job's last status."""
        return JobStatus.model_validate(self._job["status"])

    def outcome(self) -> Outcome:
        """Return how the job ended."""
        outcome = outcome_from(self._job["status"])
        if outcome is None:
            raise _damaged(f"{self._folder / JOB_FILE}: expected an outcome as status, got something else.")
        return outcome

    def manifest(self) -> Any:
        """Return the manifest as submitted."""
        return self._job["manifest"]

    def revisions(self) -> list[ArchivedRevision]:
        """Return what amendments changed, from revision 2 on, and who asked for them."""
        return [
            ArchivedRevision(
                *(one["number"], one["at"], one["who"], one.get("why"), one.get("replicas"), one.get("policy"))
            )
            for one in self._job["revisions"]
        ]

    def policy(self) -> Any:
        """Return the policy that was in effect at the end; None if the job had none."""
        return self._job.get("policy")

    def history(self, **choice: Unpack[LedgerChoice]) -> list[LedgerEntry]:
        """Return the job's ledger as `Job.history` does: whole, the oldest entry first."""
        name = self._name_of("ledger.jsonl.gz") or "ledger.jsonl.gz"
        lines = self._lines(name)
        entries: list[LedgerEntry] = []
        for number, line in enumerate(lines, start=1):
            fields: dict[str, Any] = json.loads(line)
            before = fields.pop("prev", None)
            # The hash before the first line is that of the job; job.json fixes the last line.
            if number > 1 and before != _sha256(lines[number - 2].encode()):
                raise self._damaged(name, f"line {number} does not follow the line before")
            entries.append(LedgerEntry.model_validate(fields))
        head = self._job["ledger"]
        if len(entries) != head["entries"] or (lines and _sha256(lines[-1].encode()) != head["hash"]):
            raise self._damaged(name, f"expected {head['entries']} entries as in {JOB_FILE}, got {len(entries)}")
        return [entry for entry in entries if is_chosen(entry, choice)]

    def evidence(self) -> list[EvidenceRecord]:
        """Return the evidence of the failed pods; none if no pod failed."""
        return self._values("evidence.jsonl.gz", EvidenceRecord)

    def pods(self) -> list[RecordedPod]:
        """Return what ran, with nodes, times and images as kubelets reported them."""
        return self._values("pods.jsonl.gz", RecordedPod)

    def histories(self) -> list[WorkflowHistory]:
        """Return the Temporal histories of the job's runs, the oldest first. Temporal's `Replayer` takes them."""
        from temporalio.client import WorkflowHistory  # noqa: PLC0415

        texts = [gzip.decompress(self._read(str(run["file"]))).decode() for run in self._job["runs"]]
        return [WorkflowHistory.from_json(self.workflow_id, text) for text in texts]

    def _values(self, usual: str, model: type[M]) -> list[M]:
        name = self._name_of(usual)
        return [] if name is None else [model.model_validate_json(line) for line in self._lines(name)]

    def _lines(self, name: str) -> list[str]:
        return gzip.decompress(self._read(name)).decode().split("\n")[:-1]

    def _name_of(self, usual: str) -> str | None:
        """Return what a file is called in this archive: somebody who could not finish one may have left another."""
        stem, _, ends = usual.partition(".")
        pattern = re.compile(rf"{stem}(-[0-9a-f]{{8}})?\.{re.escape(ends)}")
        return next((name for name in self._job["files"] if pattern.fullmatch(name)), None)

    def _read(self, name: str) -> bytes:
        expected = self._job["files"].get(name)
        if expected is None:
            raise self._damaged(JOB_FILE, f"expected the digest of {name}, got none")
        try:
            content = (self._folder / name).read_bytes()
        except FileNotFoundError as error:
            raise self._damaged(name, "expected a file, got none") from error
        if len(content) != expected["bytes"]:
            raise self._damaged(name, f"expected {expected['bytes']} bytes, got {len(content)}")
        if _sha256(content) != expected["sha256"]:
            raise self._damaged(name, f"expected the SHA-256 {expected['sha256']}, got {_sha256(content)}")
        return content

    def _damaged(self, name: str, what: str) -> ArchiveDamagedError:
        return _damaged(f"{self._folder / name}: {what}.")


def time_of(text: str) -> datetime:
    """Return a time as the archive writes it."""
    return datetime.fromisoformat(text.replace("Z", "+00:00"))


def _parsed(content: bytes, path: Path) -> dict[str, Any]:
    try:
        job: object = json.loads(content)
    except ValueError as error:
        raise _damaged(f"{path}: expected JSON, got something else or a part of it.") from error
    if not isinstance(job, dict):
        raise _damaged(f"{path}: expected an object of schema {ARCHIVE_SCHEMA}, got something else.")
    fields = fields_of(cast("object", job))
    if fields.get("schema") != ARCHIVE_SCHEMA:
        got = json.dumps(fields.get("schema"))
        what = f"{path}: expected schema {ARCHIVE_SCHEMA}, got {got}."
        raise ArchiveVersionError(what, remedy="Read it with that version or a newer one.")
    return fields


def _damaged(what: str) -> ArchiveDamagedError:
    remedy = "`signalbox audit verify` finds everything that was changed. Restore the file from a backup."
    return ArchiveDamagedError(what, remedy=remedy)


def _sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
