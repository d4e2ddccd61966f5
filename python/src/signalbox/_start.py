"""Starts the workflow of a job, with what is recorded about the submission."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from temporalio.common import WorkflowIDConflictPolicy, WorkflowIDReusePolicy
from temporalio.service import RPCError

from . import _names as names
from ._search import attributes_at_start
from ._start_texts import start_texts
from ._temporal import is_about_search_attributes

if TYPE_CHECKING:
    from collections.abc import Mapping

    from temporalio.client import Client as TemporalClient
    from temporalio.common import TypedSearchAttributes

    from ._rerun import ParentJob


@dataclass(frozen=True)
class Submission:
    """What is submitted, and as what."""

    manifest: Mapping[str, Any]
    workflow_id: str
    hash: str
    task_queue: str
    submitted_by: str
    key: str | None
    why: str | None
    rerun: bool
    parent: ParentJob | None = None
    """The job that this one is a rerun of."""


async def start_job(temporal: TemporalClient, job: Submission, reuse_policy: WorkflowIDReusePolicy) -> str:
    """Return the id of the run."""
    attributes = attributes_at_start(job.manifest, job.submitted_by)
    try:
        return await _start(temporal, job, reuse_policy, attributes)
    except RPCError as error:
        if not is_about_search_attributes(error):
            raise
        # The first worker registers the search attributes, so there was no worker yet. It will also set them.
        return await _start(temporal, job, reuse_policy, None)


async def _start(
    temporal: TemporalClient,
    job: Submission,
    reuse_policy: WorkflowIDReusePolicy,
    attributes: TypedSearchAttributes | None,
) -> str:
    summary, details = start_texts(job.manifest, job.submitted_by, job.why)
    handle = await temporal.start_workflow(
        names.TRAINING_JOB,
        job.manifest,
        id=job.workflow_id,
        task_queue=job.task_queue,
        id_conflict_policy=WorkflowIDConflictPolicy.FAIL,
        id_reuse_policy=reuse_policy,
        memo={
            **submission_memo(job.hash, job.submitted_by, key=job.key, why=job.why),
            **({names.MEMO_RERUN_OF: job.parent.memo()} if job.parent else {}),
        },
        search_attributes=attributes,
        static_summary=summary,
        static_details=details,
    )
    if handle.first_execution_run_id is None:
        raise RuntimeError(f"{job.workflow_id}: Temporal returned no run id")
    return handle.first_execution_run_id


def static_summary(manifest: Mapping[str, Any]) -> str:
    """Return the line that Temporal's UI shows for the workflow."""
    metadata = manifest["metadata"]
    return f"{manifest['kind']} {metadata['namespace']}/{metadata['name']}"


def submission_memo(
    manifest_hash: str, submitted_by: str, *, key: str | None = None, why: str | None = None
) -> dict[str, str]:
    """Return the memo by which later submissions recognise this one."""
    return {
        names.MEMO_HASH: manifest_hash,
        names.MEMO_SUBMITTED_BY: submitted_by,
        **({} if key is None else {names.MEMO_KEY: key}),
        **({} if why is None else {names.MEMO_WHY: why}),
    }
