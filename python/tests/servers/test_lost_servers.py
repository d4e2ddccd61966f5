"""What happens while Temporal cannot be reached: a proxy before it is taken away, and comes back."""

from __future__ import annotations

import asyncio
import contextlib
import os

import pytest
from conftest import until_phase

from manifests import pytorch
from signalbox import Client, Job, ServerAwayError


class Proxy:
    """Forwards connections to Temporal until it is closed; opens again at the same port."""

    def __init__(self) -> None:
        self.port = 0
        self._server: asyncio.Server | None = None
        self._writers: list[asyncio.StreamWriter] = []

    async def open(self) -> None:
        self._server = await asyncio.start_server(self._forward, "127.0.0.1", self.port)
        self.port = self._server.sockets[0].getsockname()[1]

    async def close(self) -> None:
        assert self._server is not None
        self._server.close()
        for writer in self._writers:
            writer.transport.abort()
        self._writers.clear()

    async def _forward(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        host, _, port = os.environ["TEMPORAL_ADDRESS"].rpartition(":")
        to_reader, to_writer = await asyncio.open_connection(host, int(port))
        self._writers += [writer, to_writer]
        await asyncio.gather(copy(reader, to_writer), copy(to_reader, writer))


async def copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with contextlib.suppress(OSError):
        while data := await reader.read(65_536):
            writer.write(data)
            await writer.drain()
    writer.close()


async def test_waiting_and_submitting_outlast_a_lost_server(client: Client, name: str) -> None:
    proxy = Proxy()
    await proxy.open()
    remote = await Client.connect(f"127.0.0.1:{proxy.port}")
    job = await remote.submit(pytorch(name, ends=None), key="one")
    await until_phase(job, "Running")
    waiting = asyncio.ensure_future(job.wait())
    watching = asyncio.ensure_future(last_phase(job))
    await proxy.close()
    with pytest.raises(ServerAwayError):
        await remote.submit(pytorch(name, ends=None), key="one", timeout=0)
    submitting = asyncio.ensure_future(remote.submit(pytorch(name, ends=None), key="one", timeout=60))
    await client.job(name).stop(by="ana")
    assert (await client.job(name).wait()).phase == "Stopped"
    assert not waiting.done()
    await proxy.open()
    outcome = await waiting
    assert (outcome.phase, await watching) == ("Stopped", "Stopped")
    again = await submitting
    assert (again.run_id, again.submission) == (job.run_id, "already-ended")
    await proxy.close()


async def last_phase(job: Job) -> str:
    phase = ""
    async for status in job.watch():
        phase = status.phase
    return phase
