"""Makes the job of a name what its manifest says. The engine plans it; start and update go to Temporal."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from . import _names as names
from ._context import Context
from ._intervene import intervene
from ._manifest import ManifestFields
from ._names import workflow_id_of
from ._options import ApplyOptions
from ._plans import Applied
from .errors import JobEndedError, NameTakenError
from .job import Job
from .outcome import KnownStatus
from .summary import FINAL_PHASES

_ROUNDS = 5
"""The job may start or end between the look and the act, each time by another client's doing."""
_ADMISSION_SECONDS = 10.0


class _Plan(Applied):
    workflow_id: str
    run_id: str | None = None
    first_run_id: str | None = None
    manifest: dict[str, Any]
    is_admitted: bool = True


async def apply_manifest(
    context: Context, manifest: ManifestFields, options: ApplyOptions, start: Callable[[Applied], Awaitable[Job]]
) -> Job:
    """Start the job, change the live one, or leave it. Each round looks, and asks only if something is different."""
    left = _ROUNDS
    while True:
        left -= 1
        plan = await _planned(context, manifest, options)
        applied = Applied.model_validate(plan.model_dump())
        job = Job(context, plan.workflow_id, plan.run_id, first_run_id=plan.first_run_id, applied=applied)
        if options.get("dry_run"):
            return job
        try:
            if plan.result == "started":
                job = await start(applied)
            await _request(context, job, plan, options.get("why"))
        except (JobEndedError, NameTakenError) as error:
            if left == 0 or (isinstance(error, NameTakenError) and error.phase in FINAL_PHASES):
                raise
            continue
        # Another client may have started the same job: it may have been changed since.
        if job.submission in {None, "started"}:
            return job


async def _planned(context: Context, manifest: ManifestFields, options: ApplyOptions) -> _Plan:
    metadata = manifest["metadata"]
    about = workflow_id_of(metadata["name"], metadata["namespace"])
    asked = {"manifest": manifest, "namespace": metadata["namespace"], "strict": options.get("strict")}
    return _Plan.model_validate(await context.ask_engine("planApply", about, asked, timeout=options.get("timeout")))


async def _request(context: Context, job: Job, plan: _Plan, why: str | None) -> None:
    if plan.result != "changed":
        return
    if not plan.is_admitted:
        await _until_admitted(job)
    asked = {"manifest": plan.manifest, "by": context.user, "why": why}

    async def ask() -> None:
        await intervene(context.temporal, plan.workflow_id, names.APPLY_UPDATE, asked)

    await context.ask(plan.workflow_id, ask, timeout=0)


async def _until_admitted(job: Job) -> None:
    """A job that was just started refuses changes until it is admitted. If that takes long, it says so itself."""

    async def admitted() -> None:
        async for status in job.watch():
            if _is_admitted(status):
                return

    try:
        await asyncio.wait_for(admitted(), _ADMISSION_SECONDS)
    except asyncio.TimeoutError:
        return


def _is_admitted(status: KnownStatus) -> bool:
    """Admission makes the first condition. What Temporal alone knows has none, so there a later phase tells."""
    return bool(status.conditions) or status.phase != "Pending"
