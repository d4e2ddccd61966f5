"""Reads one run of one container, followed to its end with each line once, also after a lost connection."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import datetime, timezone
from typing import Any

_REOPEN_SECONDS = 0.5
_GONE = frozenset({400, 404})


@dataclass(frozen=True)
class ContainerRun:
    """One run of one container. A restart in place is a new run with its own log."""

    namespace: str
    pod: str
    container: str


async def read_run(
    api: Any, run: ContainerRun, tail_lines: int | None, since_seconds: int | None
) -> AsyncIterator[tuple[str, str]]:
    """Yield time and text of each line."""
    begin = {"tail_lines": tail_lines, "since_seconds": since_seconds}
    last, repeated = "", 0
    while True:
        seen = 0
        try:
            given = {key: value for key, value in begin.items() if value is not None}
            async for line in lines_of(api, run, follow=True, timestamps=True, **given):
                time, _, text = line.partition(" ")
                # A log that is opened again begins with the second of the last line.
                seen += time == last
                if time < last or (time == last and seen <= repeated):
                    continue
                repeated = repeated + 1 if time == last else 1
                seen = repeated
                last = time
                yield time, text
        except Exception as error:
            if getattr(error, "status", None) in _GONE:
                return
            if hasattr(error, "status"):
                raise
            begin = {"since_seconds": _seconds_since(last)} if last else begin
            await asyncio.sleep(_REOPEN_SECONDS)
        else:
            return


def _seconds_since(time: str) -> int:
    """The library takes no time, only seconds until now."""
    begun = datetime.fromisoformat(f"{time[:19]}+00:00")
    return max(1, int((datetime.now(timezone.utc) - begun).total_seconds()) + 2)


async def lines_of(api: Any, run: ContainerRun, **given: Any) -> AsyncIterator[str]:
    """Yield the lines of a log. A line ends at a line feed only: a carriage return is part of it."""
    wanted = {"container": run.container, "_preload_content": False, **given}
    answer = await asyncio.to_thread(api.read_namespaced_pod_log, run.pod, run.namespace, **wanted)
    rest = b""
    try:
        chunks = answer.stream(amt=65_536, decode_content=True)
        while (chunk := await asyncio.to_thread(next, chunks, None)) is not None:
            *whole, rest = (rest + chunk).split(b"\n")
            for line in whole:
                yield line.decode("utf-8", "replace")
    finally:
        # Ends the read of a thread that still waits for a line.
        answer.close()
    if rest:
        yield rest.decode("utf-8", "replace")
