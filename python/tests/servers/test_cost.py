"""What jobs held and what that cost: the figures of the TypeScript client, to the last unit."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from manifests import pytorch
from signalbox import Client, RefusedError, SyncClient

PRICES = {"currency": "EUR", "prices": [{"resource": "pods", "perHour": "3.60", "from": "2020-01-01"}]}
Call = Callable[[dict[str, Any]], dict[str, Any]]


async def test_the_cost_of_a_job_is_that_of_typescript(client: Client, name: str, typescript: Call) -> None:
    job = await client.submit(pytorch(name))
    await job.wait()
    cost = await job.cost(prices=PRICES)
    theirs = typescript({"cost": {"workflowId": job.workflow_id, "prices": PRICES}})
    assert cost.model_dump(by_alias=True, exclude_unset=True) == theirs
    [sums] = cost.resources
    assert sum(use.ms for use in cost.uses) == sums.ms > 0
    assert sums.cost is not None
    assert sums.cost.least == sums.cost.most
    assert cost.ettr.with_queue.most <= 1


async def test_prices_are_read_from_a_file_and_checked_by_the_engine(client: Client, name: str, tmp_path: Path) -> None:
    job = await client.submit(pytorch(name))
    await job.wait()
    path = tmp_path / "prices.yaml"
    path.write_text("currency: EUR\nprices:\n  - {resource: pods, perHour: '3.60', from: 2020-01-01}\n")
    assert await job.cost(prices=path) == await job.cost(prices=PRICES)
    wrong = {**PRICES, "prices": [{**PRICES["prices"][0], "perHour": "much"}]}  # type: ignore[dict-item]
    with pytest.raises(RefusedError, match=r"prices\[0\].perHour: expected a number >= 0"):
        await job.cost(prices=wrong)


async def test_the_cost_of_many_jobs_is_the_sum_of_theirs(client: Client, name: str) -> None:
    manifest = pytorch(name)
    manifest["metadata"]["labels"] = {"sum-of": name}
    job = await client.submit(manifest)
    await job.wait()
    groups = await client.cost(["label:sum-of", "job"], prices=PRICES)
    [own] = [group for group in groups if group.by["label:sum-of"] == name]
    assert own.resources == (await job.cost(prices=PRICES)).resources
    assert own.jobs == 1
    with pytest.raises(RefusedError, match="by: expected one of namespace, user"):
        await client.cost(["naemspace"])
    with pytest.raises(TypeError, match=r"cost\(\) has no option sicne"):
        await client.cost(["job"], sicne=None)  # type: ignore[call-arg]


async def test_a_report_counts_the_jobs_of_a_namespace(client: Client, name: str) -> None:
    job = await client.submit(pytorch(name))
    await job.wait()
    report = await client.report(prices=PRICES)
    assert report.jobs.completed > 0
    assert all(sum(part.ms for part in sums.paid_for) == sums.ms for sums in report.resources)
    assert report.resources[0].cost is not None


def test_calls_that_block_have_the_same(name: str) -> None:
    with SyncClient.connect(submitted_by="a test") as client:
        job = client.submit(pytorch(name))
        job.wait()
        cost = job.cost(prices=PRICES)
        assert cost.resources[0].ms > 0
        assert client.cost(["namespace"])[0].jobs > 0
        assert client.report().jobs.completed > 0
