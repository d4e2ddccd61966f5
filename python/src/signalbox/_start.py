"""Starts the workflow of a job, with what is recorded about the submission."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from temporalio.client import Client as TemporalClient
from temporalio.common import TypedSearchAttributes, WorkflowIDConflictPolicy, WorkflowIDReusePolicy
from temporalio.service import RPCError

from . import _names as names
from ._plans import ParentJob
from ._search import attributes_at_start
from ._start_texts import start_texts
from ._temporal import is_about_search_attributes


@dataclass(frozen=True, kw_only=True)
class Submission:
    """What is submitted, and as what."""

    manifest: Mapping[str, Any]
    workflow_id: str
    task_queue: str
    submitted_by: str
    key: str | None
    why: str | None
    hash: str | None = None
    rerun: bool = False
    parent: ParentJob | None = None
    """The job that this one is a rerun of."""

    @property
    def memo(self) -> dict[str, Any]:
        """What is recorded: by this, later submissions recognise this one."""
        given = {
            names.MEMO_HASH: self.hash,
            names.MEMO_SUBMITTED_BY: self.submitted_by,
            names.MEMO_KEY: self.key,
            names.MEMO_WHY: self.why,
            names.MEMO_RERUN_OF: self.parent and self.parent.memo(),
        }
        return {name: value for name, value in given.items() if value is not None}


async def start_job(temporal: TemporalClient, job: Submission, reuse_policy: WorkflowIDReusePolicy) -> str:
    """Return the id of the run."""
    try:
        return await _start(temporal, job, reuse_policy, attributes_at_start(job.manifest, job.submitted_by))
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
        memo=job.memo,
        search_attributes=attributes,
        static_summary=summary,
        static_details=details,
    )
    if handle.first_execution_run_id is None:
        raise RuntimeError(f"{job.workflow_id}: Temporal returned no run id")
    return handle.first_execution_run_id
