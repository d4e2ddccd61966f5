"""Reads what a job was built from: from Temporal, or from an archive. Needs no worker."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ._follow import Run, events_of, run_after
from ._ledger import oldest_run_of
from ._recorded_source import recorded_source
from ._rerun import RerunSource
from .summary import summary_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from temporalio.api.history.v1 import HistoryEvent
    from temporalio.client import Client as TemporalClient
    from temporalio.converter import DataConverter

    from ._archived_job import ArchivedJob


async def read_source(temporal: TemporalClient, workflow_id: str, run_id: str | None) -> RerunSource:
    """Read a job that Temporal has on record. `run_id`: any run of it; by default the last one."""
    described = await temporal.get_workflow_handle(workflow_id, run_id=run_id).describe()
    last = Run(described.id, described.run_id)
    run: Run | None = await oldest_run_of(temporal, described)
    histories: list[Sequence[HistoryEvent]] = []
    while run is not None:
        histories.append(await events_of(temporal, run))
        run = None if run == last else await run_after(temporal, run)
    source = await recorded_source(histories, temporal.data_converter)
    summary = summary_of(described)
    first_run_id = described.raw_description.workflow_execution_info.first_run_id or described.run_id
    return RerunSource(workflow_id, first_run_id, summary.name, source.namespace or summary.namespace, source)


async def archived_source(job: ArchivedJob, converter: DataConverter) -> RerunSource:
    """Read an archived job; its histories are as Temporal had them, so the installation's converter decodes them."""
    source = await recorded_source([history.events for history in job.histories()], converter)
    summary = job.summary()
    return RerunSource(job.workflow_id, job.first_run_id, summary.name, summary.namespace, source)
