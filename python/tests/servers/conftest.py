"""Clients of the servers that the environment names: TEMPORAL_ADDRESS, SIGNALBOX_NAMESPACE, SIGNALBOX_KUBECONFIG."""

from __future__ import annotations

import json
import os
import urllib.request
import uuid
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest
import pytest_asyncio

from signalbox import Client, Job


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if "servers" in str(item.path):
            item.add_marker(pytest.mark.servers)
            if "TEMPORAL_ADDRESS" not in os.environ:
                item.add_marker(pytest.mark.skip("TEMPORAL_ADDRESS names no server"))


@pytest_asyncio.fixture(scope="session")
async def client() -> AsyncIterator[Client]:
    async with Client.connect(submitted_by="a test") as connected:
        yield connected


@pytest.fixture
def name() -> str:
    return f"job-{uuid.uuid4().hex[:8]}"


@pytest.fixture
def typescript() -> Callable[[dict[str, Any]], dict[str, Any]]:
    """The TypeScript client, over HTTP."""
    url = os.environ.get("SIGNALBOX_TYPESCRIPT_CLIENT")
    if url is None:
        pytest.skip("SIGNALBOX_TYPESCRIPT_CLIENT names no server")

    def call(request: dict[str, Any]) -> dict[str, Any]:
        with urllib.request.urlopen(url, json.dumps(request).encode()) as answer:
            return json.load(answer)

    return call


async def until_phase(job: Job, phase: str) -> None:
    """Wait until the job is in the phase."""
    async for status in job.watch():
        if status.phase == phase:
            return
    raise AssertionError(f"{job} ended before it was {phase}")
