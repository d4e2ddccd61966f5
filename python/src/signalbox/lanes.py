"""The lanes that jobs wait in: what runs, what waits, who borrows."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping
from typing import Any, Literal

from typing_extensions import Unpack

from ._cluster import connect_cluster, patch_config_map
from ._context import Context
from ._options import Intervention
from .job import Job
from .models.records import Lane, LanesAnswer

_TRIES = 5
"""Another client may write the lanes between the look and the act."""
_ABOUT = "lanes"


class Lanes:
    """The lanes of the installation, `Client.lanes` (docs/queue.md).

    Workers read them, with their own rights; what they may not read is named in `unknown`. To pause, drain or open a
    lane is to edit a ConfigMap with the rights of this program, and needs the extra `kubernetes`. Methods about lanes
    raise `LanesError` if the workers know none, or these have faults, or there is no such lane.
    """

    def __init__(self, context: Context) -> None:
        self._context = context

    async def list(self) -> LanesAnswer:
        """Return what runs and what waits in each lane, who borrows, and when the next job starts."""

        async def ask() -> list[LanesAnswer]:
            pages = self._context.engine.pages("lanes", _ABOUT, {})
            return [LanesAnswer.model_validate(part) async for part in pages]

        parts = await self._context.ask(_ABOUT, ask)
        lanes = _joined(lane for part in parts for lane in part.lanes)
        unknown = dict.fromkeys(sentence for part in parts for sentence in part.unknown)
        return parts[0].model_copy(update={"lanes": lanes, "unknown": list(unknown)})

    async def pause(self, lane: str, *, why: str) -> None:
        """Start nothing in a lane until it is opened; what runs goes on. Who waits is told the reason."""
        await self._close(lane, {"as": "paused", "why": why})

    async def drain(self, lane: str, *, why: str) -> None:
        """Start nothing in a lane, to have it empty when what runs has ended."""
        await self._close(lane, {"as": "drain", "why": why})

    async def open(self, lane: str) -> None:
        """Let jobs of a lane start again."""
        await self._close(lane, None)

    async def move(self, job: Job, lane: str, **intervention: Unpack[Intervention]) -> None:
        """Let a job wait in another lane; one that runs keeps what it has. Its history records who and why."""
        await job.amend_policy({"lane": {"name": lane}}, **intervention)

    async def set_priority(self, job: Job, priority: int, **intervention: Unpack[Intervention]) -> None:
        """Change the priority of a job in its lane: the larger comes first. Its history records who and why."""
        await job.amend_policy({"lane": {"priority": priority}}, **intervention)

    async def _close(self, lane: str, closing: Mapping[Literal["as", "why"], str] | None) -> None:
        api = await asyncio.to_thread(connect_cluster, self._context.kubeconfig, self._context.kube_context)
        change = {"lane": lane, "closing": closing}
        for left in reversed(range(_TRIES)):
            plan: dict[str, Any] = await self._context.ask_engine("planLane", _ABOUT, change)
            if await asyncio.to_thread(patch_config_map, api, plan, retries=left > 0):
                return


def _joined(parts: Iterable[Lane]) -> list[Lane]:
    """Lanes of very many jobs come in parts."""
    lanes: dict[str, Lane] = {}
    for part in parts:
        lane = lanes.setdefault(part.lane, part)
        if lane is not part:
            lane.running.extend(part.running)
            lane.waiting.extend(part.waiting)
    return list(lanes.values())
