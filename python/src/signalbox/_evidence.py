"""Reads the records of a job's failed pods from where the workers store them."""

from __future__ import annotations

import asyncio
import json
import re
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import unquote, urlparse

from ._settings import EvidenceFiles
from .errors import EvidenceAwayError, NoEvidenceError
from .models.records import EvidenceRecord

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from ._settings import EvidenceBucket
    from .models.records import EvidenceSummary, JobStatus

_SEGMENT = re.compile(r"[A-Za-z0-9](?:[-.A-Za-z0-9]*[A-Za-z0-9])?")
_SEGMENTS = 5


async def read_evidence(
    settings: EvidenceFiles | EvidenceBucket, status: JobStatus, pod: str | None, attempt: int | None
) -> AsyncIterator[EvidenceRecord]:
    """Yield the stored records of the chosen pods, newest first."""
    chosen = [one for one in status.evidence or () if _fits(one, pod, attempt)]
    if not chosen:
        raise _no_evidence(status)
    missing: list[EvidenceSummary] = []
    found = 0
    for summary in chosen:
        record = await _record_of(settings, summary)
        if record is None:
            missing.append(summary)
            continue
        found += 1
        yield EvidenceRecord.model_validate({**record, "summary": {**record["summary"], "ref": summary.ref}})
    stored = [one for one in missing if one.ref]
    # Single records may have expired. If all are missing, this client probably reads the wrong place.
    if found == 0 and stored:
        raise _away(stored[0], settings, "it does not exist there")
    for summary in missing:
        yield _bare(summary, status)


def _fits(one: EvidenceSummary, pod: str | None, attempt: int | None) -> bool:
    return (pod is None or one.pod == pod) and (attempt is None or one.attempt == attempt)


async def _record_of(settings: EvidenceFiles | EvidenceBucket, summary: EvidenceSummary) -> dict[str, Any] | None:
    if not summary.ref:
        return None
    scheme = "file:" if isinstance(settings, EvidenceFiles) else "s3:"
    if not summary.ref.startswith(scheme):
        raise _away(summary, settings, f"this client reads {_place(settings)}")
    path = unquote(urlparse(summary.ref).path)
    key = key_at_end_of(path)
    try:
        text = await asyncio.to_thread(_read, settings, key)
        if text is None and isinstance(settings, EvidenceFiles):
            # Where the workers wrote it, e.g. beside a sandbox.
            text = await asyncio.to_thread(_read, EvidenceFiles(Path(path[: -len(key)])), key)
    except OSError as error:
        raise _away(summary, settings, str(error)) from error
    return None if text is None else cast("dict[str, Any]", json.loads(text))


def key_at_end_of(path: str) -> str:
    """Return `namespace/job/anchor/attempt/pod-uid.json`. Nothing outside the store has such a key."""
    segments = path.split("/")[-_SEGMENTS:]
    is_key = len(segments) == _SEGMENTS and segments[-1].endswith(".json")
    if not is_key or not all(_SEGMENT.fullmatch(one) and ".." not in one for one in segments):
        expected = "expected a record's key, namespace/job/anchor/attempt/pod-uid.json"
        raise EvidenceAwayError(f"{expected}, got {path!r}.")
    return "/".join(segments)


def _read(settings: EvidenceFiles | EvidenceBucket, key: str) -> str | None:
    if isinstance(settings, EvidenceFiles):
        try:
            return (settings.directory / key).read_text("utf-8")
        except FileNotFoundError:
            return None
    return _read_object(settings, key)


def _read_object(settings: EvidenceBucket, key: str) -> str | None:
    try:
        boto3: Any = import_module("boto3")
    except ImportError as error:
        raise EvidenceAwayError(
            f"The evidence is in {_place(settings)}, and this installation cannot read buckets.",
            remedy="Install the extra: pip install 'signalbox[s3]'.",
        ) from error
    client = boto3.client("s3", region_name=settings.region, endpoint_url=settings.endpoint)
    name = "/".join(part for part in (settings.prefix.strip("/"), key) if part)
    try:
        return str(client.get_object(Bucket=settings.bucket, Key=name)["Body"].read(), "utf-8")
    except client.exceptions.NoSuchKey:
        return None


def _place(settings: EvidenceFiles | EvidenceBucket) -> str:
    if isinstance(settings, EvidenceFiles):
        return str(Path(settings.directory).absolute())
    return "/".join(part for part in (f"s3://{settings.bucket}", settings.prefix.strip("/")) if part)


def _bare(summary: EvidenceSummary, status: JobStatus) -> EvidenceRecord:
    """Build a record from the summary if the store has none."""
    why = f"no longer at {summary.ref}" if summary.ref else summary.incomplete or "it was not stored"
    record: dict[str, Any] = {
        "version": 1,
        "job": {"kind": status.kind, "namespace": status.namespace, "name": status.name},
        "anchorUid": "",
        "summary": summary.model_dump(mode="json", by_alias=True, exclude_none=True),
        "failedAt": summary.taken_at,
        "pod": {"conditions": []},
        "containers": [],
        "events": [],
        "incomplete": [f"record: {why}"],
    }
    return EvidenceRecord.model_validate(record)


def _away(summary: EvidenceSummary, settings: EvidenceFiles | EvidenceBucket, why: str) -> EvidenceAwayError:
    return EvidenceAwayError(
        f"The evidence of {summary.pod} was stored as {summary.ref}, but cannot be read from "
        f"{_place(settings)}: {why}.",
        remedy="Give the client the workers' settings: SIGNALBOX_EVIDENCE_STORE, SIGNALBOX_EVIDENCE_DIR or "
        "SIGNALBOX_EVIDENCE_BUCKET, as mounted and reachable here.",
    )


def _no_evidence(status: JobStatus) -> NoEvidenceError:
    known = sorted({f"{one.pod} (attempt {one.attempt})" for one in status.evidence or ()})
    cause = status.cause
    if not known and cause and cause.reason == "ContainersRestarting":
        return NoEvidenceError(
            f"There is no evidence of {status.name} yet: {cause.message}.",
            remedy="A pod whose containers are restarted in place has not failed. `job.logs(previous=True)` reads the "
            "log of the run that ended.",
        )
    if not known:
        return NoEvidenceError(f"There is no evidence of {status.name}: none of its pods has failed.")
    return NoEvidenceError(
        f"There is no evidence of {status.name} for this choice.",
        remedy=f"The pods that failed last are {', '.join(known)}.",
    )
