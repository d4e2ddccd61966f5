"""Makes the manifest of a rerun from what is on record of its parent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ._edit_manifest import edit_manifest
from ._fields import fields_of
from ._policy_text import POLICY_ANNOTATION
from ._strict import NO_SUCH_FIELD, policy_faults, strict_faults
from ._written_manifest import written_manifest
from .errors import Fault, InvalidManifestError

if TYPE_CHECKING:
    from ._options import RerunOptions
    from ._recorded_source import RecordedSource


@dataclass(frozen=True)
class ParentJob:
    """The job whose recorded manifest a rerun is made from."""

    workflow_id: str
    run_id: str
    """The first run of its workflow, which identifies the job."""
    revision: int | None = None
    """The revision whose sizes and policy were taken; None for the one as submitted."""

    def memo(self) -> dict[str, Any]:
        """Return the link as the memo of the rerun has it."""
        own = {"workflowId": self.workflow_id, "runId": self.run_id}
        return own if self.revision is None else {**own, "revision": self.revision}


@dataclass(frozen=True)
class RerunPlan:
    """A rerun before it is submitted."""

    manifest: dict[str, Any]
    """What to submit."""
    parent: ParentJob
    revision: int
    """The revision that was taken."""
    revisions: int
    """How many there are."""


@dataclass(frozen=True)
class RerunSource:
    """A job on record, in Temporal or in an archive."""

    workflow_id: str
    first_run_id: str
    name: str
    namespace: str
    source: RecordedSource


def plan_rerun(job: RerunSource, options: RerunOptions) -> RerunPlan:
    """Make the manifest of a rerun, and check it. Raise `InvalidManifestError` with all faults."""
    revision, source = options.get("revision", 1), job.source
    recorded = source.at_revision(revision)
    if recorded is None:
        raise InvalidManifestError([_unknown_revision(source, revision)], of="rerun")
    before = _with_name(fields_of(written_manifest(recorded)), options.get("new_name") or job.name)
    manifest, faults = edit_manifest(before, _edits_of(options))
    if not faults:
        faults = _faults_since(before, manifest)
    if faults:
        raise InvalidManifestError(faults, of="rerun")
    parent = ParentJob(job.workflow_id, job.first_run_id, None if revision == 1 else revision)
    revisions = source.revisions[-1].number if source.revisions else 1
    return RerunPlan(manifest, parent, revision, revisions)


def _with_name(manifest: dict[str, Any], name: str) -> dict[str, Any]:
    return {**manifest, "metadata": {**fields_of(manifest.get("metadata")), "name": name}}


def _edits_of(options: RerunOptions) -> Sequence[tuple[str, Any]]:
    given = options.get("set") or {}
    return list(given.items()) if isinstance(given, Mapping) else list(given)


def _unknown_revision(source: RecordedSource, revision: int) -> Fault:
    known = [1, *(one.number for one in source.revisions)]
    expected = (
        f"one of {', '.join(str(number) for number in known)}" if len(known) > 1 else "1, as the job was never amended"
    )
    return Fault("revision", expected, str(revision))


def _faults_since(before: Any, after: Any) -> list[Fault]:
    """An unknown field that the parent had is a warning of the engine; a new one is a misspelt path."""
    known = {fault for fault in _faults_in(before) if fault.expected == NO_SUCH_FIELD}
    return [fault for fault in _faults_in(after) if fault not in known]


def _faults_in(manifest: Any) -> list[Fault]:
    annotations = fields_of(fields_of(manifest["metadata"]).get("annotations"))
    return [*strict_faults(manifest), *policy_faults(annotations.get(POLICY_ANNOTATION), POLICY_ANNOTATION)]
