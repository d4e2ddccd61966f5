"""The record of ended jobs: a directory that workers archive them in. Reading it asks no server."""

from __future__ import annotations

import hashlib
import os
import re
from datetime import datetime, timezone
from pathlib import Path
from typing import TYPE_CHECKING

from . import _names as names
from ._archived_job import JOB_FILE, ArchivedJob, time_of
from ._runs import ambiguous_run, check_run, jobs_meant, no_such_run
from ._settings import archive_directory, variable
from .errors import ArchiveAwayError, JobNotFoundError, KnownJob

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from typing_extensions import Unpack

    from ._options import ArchiveFilter

_LONGEST = 100
"""Longer parts of a key end in their digest."""


def open_archive(directory: str | os.PathLike[str] | None = None) -> Archive:
    """Open an archive of ended jobs to read it. Raise `ArchiveAwayError` if the directory cannot be read.

    By default SIGNALBOX_ARCHIVE_DIR, else the directory that workers use by default.

    ```python
    archive = open_archive("/var/lib/signalbox/archive")
    for entry in archive.find("train", namespace="ml").history():
        print(entry.at, entry.to, entry.message)
    ```
    """
    given = archive_directory() if directory is None else directory
    path = Path(given)
    if str(given).startswith("s3:"):
        raise ArchiveAwayError(
            f"archive: expected a directory, got {given}.",
            remedy="Copy the bucket to a directory, or use openArchive of the TypeScript client, which reads buckets.",
        )
    if not path.is_dir() or not os.access(path, os.R_OK | os.X_OK):
        raise ArchiveAwayError(
            f"{path.absolute()}: expected the directory of an archive, got none that can be read.",
            remedy="Check the path, and whether the directory is mounted and may be read.",
        )
    return Archive(path)


class Archive:
    """An archive of ended jobs. `open_archive` makes one."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory

    @property
    def directory(self) -> Path:
        """Where it is."""
        return self._directory

    def list(self, *, limit: int | None = None, **chosen: Unpack[ArchiveFilter]) -> Iterator[ArchivedJob]:
        """Yield the jobs that match, those that ended last first. What is not given matches every job."""
        left = limit
        for job in sorted(self._jobs(chosen), key=_ended, reverse=True):
            if left is not None:
                if left <= 0:
                    return
                left -= 1
            yield job

    def find(
        self,
        name: str | None = None,
        *,
        namespace: str | None = None,
        workflow_id: str | None = None,
        run_id: str | None = None,
        run: str | None = None,
    ) -> ArchivedJob:
        """Return a job by name, or by workflow id; of several, the one that ended last, or the one with the run.

        Without `namespace` it is that of SIGNALBOX_NAMESPACE, else `default`.
        `run` counts back, as `-1`, or is the beginning of a run id, as for `Client.find`, among the archived jobs.
        Raise `JobNotFoundError` if it is not in the archive, and `AmbiguousRunError`.
        """
        if (name is None) == (workflow_id is None):
            raise TypeError("expected either the name of a job or a workflow_id")
        namespace = namespace or variable("SIGNALBOX_NAMESPACE") or "default"
        found = [
            job
            for job in (self._of_id(workflow_id) if workflow_id else self._of_name(namespace, name or ""))
            if run_id is None or run_id in job.run_ids
        ]
        jobs = sorted(found, key=_ended, reverse=True)
        about = workflow_id or names.workflow_id_of(name or "", namespace)
        if run is not None:
            return self._meant(jobs, run, about)
        if jobs:
            return jobs[0]
        raise self._not_found(about)

    def _meant(self, jobs: Sequence[ArchivedJob], run: str, workflow_id: str) -> ArchivedJob:
        check_run(run)
        meant = jobs_meant(jobs, run)
        if len(meant) == 1:
            return meant[0]
        if meant:
            raise ambiguous_run(workflow_id, run, [_known(job) for job in meant])
        raise no_such_run(self._not_found(workflow_id), run, [_known(job) for job in jobs])

    def _not_found(self, workflow_id: str) -> JobNotFoundError:
        error = JobNotFoundError(workflow_id)
        error.message = f"There is no job {workflow_id} in the archive {self._directory}."
        error.remedy = "See `archive.list()`; `signalbox archive status` tells what is not archived yet."
        error.args = (f"{error.message}\n{error.remedy}",)
        return error

    def _jobs(self, chosen: ArchiveFilter) -> Iterator[ArchivedJob]:
        namespace = chosen.get("namespace")
        part = "*" if namespace is None else f"namespace={_part_of(namespace)}"
        since, until = chosen.get("ended_since"), chosen.get("ended_before")
        for folder in sorted((self._directory / "jobs").glob(f"{part}/day=*/*")):
            day = folder.parent.name.removeprefix("day=")
            if (since and day < _day(since)) or (until and day > _day(until)):
                continue
            job = _opened(folder)
            if job and _matches(job, chosen):
                yield job

    def _of_name(self, namespace: str, name: str) -> Iterator[ArchivedJob]:
        part = _part_of(name)
        for folder in (self._directory / "jobs" / f"namespace={_part_of(namespace)}").glob(f"day=*/{part}-*"):
            job = _opened(folder)
            if job and job.summary().name == name:
                yield job

    def _of_id(self, workflow_id: str) -> Iterator[ArchivedJob]:
        named = re.fullmatch(r"job/([^/]+)/([^/]+)", workflow_id)
        if named:
            yield from (job for job in self._of_name(named[1], named[2]) if job.workflow_id == workflow_id)
        for finder in (self._directory / "ids" / _part_of(workflow_id)).glob("*"):
            folder = finder.read_text("utf-8").strip()
            if re.fullmatch(r"jobs(/[A-Za-z0-9_][A-Za-z0-9._=-]*){3}", folder):
                job = _opened(self._directory / folder)
                if job and job.workflow_id == workflow_id:
                    yield job


def _opened(folder: Path) -> ArchivedJob | None:
    """Return None for an archive that is not finished."""
    try:
        return ArchivedJob(folder, (folder / JOB_FILE).read_bytes())
    except FileNotFoundError:
        return None


def _matches(job: ArchivedJob, chosen: ArchiveFilter) -> bool:
    summary = job.summary()
    wanted = (
        (chosen.get("namespace"), summary.namespace),
        (chosen.get("name"), summary.name),
        (chosen.get("kind"), summary.kind),
        (chosen.get("phase"), summary.phase),
        (chosen.get("reason"), summary.reason),
        (chosen.get("submitted_by"), summary.submitted_by),
    )
    since, until = chosen.get("since"), chosen.get("until")
    ended_since, ended_before = chosen.get("ended_since"), chosen.get("ended_before")
    ended = _ended(job)
    return (
        all(one is None or one == other for one, other in wanted)
        and chosen.get("labels", {}).items() <= summary.labels.items()
        and (since is None or summary.start_time >= since.astimezone())
        and (until is None or summary.start_time < until.astimezone())
        and (ended_since is None or ended >= ended_since.astimezone())
        and (ended_before is None or ended < ended_before.astimezone())
    )


def _ended(job: ArchivedJob) -> datetime:
    return job.summary().end_time or time_of("1970-01-01T00:00:00Z")


def _known(job: ArchivedJob) -> KnownJob:
    summary = job.summary()
    return KnownJob(job.run_ids, summary.phase, summary.start_time)


def _day(time: datetime) -> str:
    return time.astimezone(timezone.utc).date().isoformat()


def _part_of(name: str) -> str:
    """Return a name as a part of a key: other characters in hex, and a long name with its digest."""
    safe = re.sub(r"[^A-Za-z0-9.-]", lambda found: f"_{ord(found[0]):x}_", name)
    safe = re.sub(r"^[^A-Za-z0-9_]", lambda found: f"_{ord(found[0]):x}_", safe)
    if safe and len(safe) <= _LONGEST:
        return safe
    return f"{safe[:_LONGEST]}_{hashlib.sha256(name.encode()).hexdigest()[:16]}"
