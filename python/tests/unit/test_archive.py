import gzip
import hashlib
import json
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

import pytest

from signalbox import (
    ArchiveAwayError,
    ArchiveDamagedError,
    ArchiveVersionError,
    JobNotFoundError,
    SettingsError,
    open_archive,
)

ENTRIES: list[dict[str, Any]] = [
    {
        "seq": 1,
        "at": "2026-11-23T10:00:00.000Z",
        "attempt": 1,
        "to": "Pending.Creating",
        "phase": "Pending",
        "cause": {"type": "submitted", "who": {"given": "ana"}, "why": "a trial"},
        "message": "ana submitted the job: a trial.",
        "revision": 1,
    },
    {
        "seq": 2,
        "at": "2026-11-23T10:05:00.000Z",
        "attempt": 1,
        "from": "Pending.Creating",
        "to": "Stopped",
        "phase": "Stopped",
        "message": "bob stopped the job.",
        "revision": 1,
        "cause": {"type": "request", "request": "stop", "through": "update", "who": {"given": "bob"}},
    },
]


def write(archive: Path, *, name: str = "train", closed: str = "2026-11-23T10:05:01.000Z", **change: Any) -> Path:
    """Write what an archiver writes of a job."""
    folder = archive / "jobs" / "namespace=ml" / f"day={closed[:10]}" / f"{name}-5f0c"
    folder.mkdir(parents=True)
    lines, before = [], "0" * 64
    for entry in ENTRIES:
        lines.append(json.dumps({**entry, "prev": before}))
        before = hashlib.sha256(lines[-1].encode()).hexdigest()
    ledger = gzip.compress("".join(f"{line}\n" for line in lines).encode())
    (folder / "ledger.jsonl.gz").write_bytes(ledger)
    status = {
        "kind": "PyTorchJob",
        "name": name,
        "namespace": "ml",
        "phase": "Stopped",
        "state": "Stopped",
        "attempt": 1,
        "restarts": 0,
        "startTime": "2026-11-23T10:00:00.000Z",
        "conditions": [],
        "replicaStatuses": {},
        "warnings": [],
        "timeline": [],
    }
    job = {
        "schema": "signalbox.dev/archive/v1",
        "namespace": "ml",
        "name": name,
        "kind": "PyTorchJob",
        "workflowId": f"job/ml/{name}",
        "firstRunId": "5f0c",
        "runId": "5f0c",
        "submitted": {"at": "2026-11-23T10:00:00.000Z", "who": {"given": "ana"}},
        "closed": closed,
        "close": "Completed",
        "status": status,
        "manifest": {"kind": "PyTorchJob", "metadata": {"name": name, "labels": {"team": "nlp"}}},
        "revisions": [],
        "ledger": {"entries": 2, "hash": before},
        "runs": [],
        "files": {"ledger.jsonl.gz": {"sha256": hashlib.sha256(ledger).hexdigest(), "bytes": len(ledger)}},
        **change,
    }
    (folder / "job.json").write_text(json.dumps(job))
    return folder


def test_a_job_is_found_and_read(tmp_path: Path) -> None:
    write(tmp_path)
    job = open_archive(tmp_path).find("train", namespace="ml")
    assert [(entry.seq, entry.message) for entry in job.history()] == [
        (1, "ana submitted the job: a trial."),
        (2, "bob stopped the job."),
    ]
    assert [entry.seq for entry in job.history(start=2)] == [2]
    assert (job.summary().submitted_by, job.outcome().phase) == ("ana", "Stopped")
    assert (job.evidence(), job.pods(), job.histories(), job.revisions(), job.policy()) == ([], [], [], [], None)


def test_jobs_are_listed_with_the_last_one_first(tmp_path: Path) -> None:
    for name, day in (("one", 21), ("two", 23), ("three", 22)):
        write(tmp_path, name=name, closed=f"2026-11-{day}T10:05:01.000Z")
    archive = open_archive(tmp_path)

    def names(**chosen: Any) -> list[str]:
        return [job.summary().name for job in archive.list(**chosen)]

    assert names() == ["two", "three", "one"]
    assert names(limit=1) == ["two"]
    assert names(limit=0) == []
    assert names(ended_since=datetime(2026, 11, 22, tzinfo=timezone.utc)) == ["two", "three"]
    assert names(ended_before=datetime(2026, 11, 22, tzinfo=timezone.utc)) == ["one"]
    assert names(phase="Failed") == names(namespace="vision") == names(labels={"team": "cv"}) == []
    assert names(labels={"team": "nlp"}, name="one") == ["one"]


def test_a_job_with_another_workflow_id_is_found_by_it(tmp_path: Path) -> None:
    folder = write(tmp_path, workflowId="nightly 7")
    finder = tmp_path / "ids" / "nightly_20_7" / "2026-11-23_5f0c"
    finder.parent.mkdir(parents=True)
    finder.write_text(f"{folder.relative_to(tmp_path)}\n")
    archive = open_archive(tmp_path)
    assert archive.find(workflow_id="nightly 7").summary().name == "train"
    with pytest.raises(JobNotFoundError):
        archive.find(workflow_id="job/ml/train")


def test_what_is_not_there_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ArchiveAwayError, match="expected the directory of an archive"):
        open_archive(tmp_path / "nowhere")
    with pytest.raises(ArchiveAwayError, match="expected a directory, got s3://bucket"):
        open_archive("s3://bucket")
    with pytest.raises(JobNotFoundError, match="no job job/default/nobody in the archive"):
        open_archive(tmp_path).find("nobody")
    monkeypatch.setenv("SIGNALBOX_ARCHIVE_STORE", "s3")
    with pytest.raises(SettingsError, match="SIGNALBOX_ARCHIVE_STORE: expected files, got s3"):
        open_archive()
    monkeypatch.setenv("SIGNALBOX_ARCHIVE_STORE", "files")
    monkeypatch.setenv("SIGNALBOX_ARCHIVE_DIR", str(tmp_path))
    assert open_archive().directory == tmp_path


def test_a_file_that_was_changed_is_named(tmp_path: Path) -> None:
    ledger = write(tmp_path) / "ledger.jsonl.gz"
    job = open_archive(tmp_path).find("train", namespace="ml")
    content = ledger.read_bytes()
    ledger.write_bytes(content[:20])
    with pytest.raises(ArchiveDamagedError, match=r"ledger\.jsonl\.gz: expected \d+ bytes, got 20"):
        job.history()
    ledger.write_bytes(content[:-1] + bytes([content[-1] ^ 1]))
    with pytest.raises(ArchiveDamagedError, match="expected the SHA-256"):
        job.history()
    ledger.unlink()
    with pytest.raises(ArchiveDamagedError, match="expected a file, got none"):
        job.history()


def test_a_ledger_whose_lines_do_not_follow_each_other_is_damaged(tmp_path: Path) -> None:
    folder = write(tmp_path)
    lines = gzip.decompress((folder / "ledger.jsonl.gz").read_bytes()).replace(b"a trial", b"no joke")
    changed = gzip.compress(lines)
    (folder / "ledger.jsonl.gz").write_bytes(changed)
    job = json.loads((folder / "job.json").read_text())
    job["files"]["ledger.jsonl.gz"] = {"sha256": hashlib.sha256(changed).hexdigest(), "bytes": len(changed)}
    (folder / "job.json").write_text(json.dumps(job))
    with pytest.raises(ArchiveDamagedError, match="line 2 does not follow the line before"):
        open_archive(tmp_path).find("train", namespace="ml").history()


def test_an_archive_of_a_later_version_is_refused(tmp_path: Path) -> None:
    write(tmp_path, schema="signalbox.dev/archive/v2")
    with pytest.raises(ArchiveVersionError, match=r'expected schema signalbox\.dev/archive/v1, got "signalbox'):
        open_archive(tmp_path).find("train", namespace="ml")
