from typing import Any

import pytest
from conftest import until_phase

from manifests import pytorch
from signalbox import Client, NoLogError, SyncClient, train


def talk(lines: int) -> None:
    import os
    import time

    for line in range(lines):
        print(f"rank {os.environ['RANK']} line {line}", flush=True)
        time.sleep(0.05)


async def test_a_followed_log_has_every_line_once_and_ends_with_the_job(client: Client, name: str) -> None:
    job = await client.submit(train(talk, arguments={"lines": 40}, name=name, image="python:3.13", nodes=2))
    lines = [line async for line in job.logs(follow=True, all_pods=True)]
    for rank, pod in enumerate((f"{name}-master-0", f"{name}-worker-0")):
        assert [line.text for line in lines if line.pod == pod] == [f"rank {rank} line {n}" for n in range(40)]
    assert (await job.wait()).phase == "Completed"
    main = [line.text async for line in job.logs(tail_lines=2)]
    assert main == ["rank 0 line 38", "rank 0 line 39"]
    [stamped] = [line.text async for line in job.logs(role="Worker", tail_lines=1, timestamps=True)]
    assert stamped.endswith("Z rank 1 line 39")


def tear() -> None:
    import sys

    sys.stdout.buffer.write("bar 1\rbar 2\r\nnext\na\u2028b\u0085c\vd\fe\nend".encode())


async def test_a_line_ends_at_a_line_feed_only_followed_or_not(client: Client, name: str) -> None:
    job = await client.submit(train(tear, name=name, image="python:3.13", nodes=1))
    followed = [line.text async for line in job.logs(follow=True)]
    assert followed == ["bar 1\rbar 2\r", "next", "a\u2028b\u0085c\vd\fe", "end"]
    assert [line.text async for line in job.logs()] == followed


async def test_a_wrong_option_is_told_before_anything_is_read(client: Client) -> None:
    options: dict[str, Any] = {"tail": 3}
    with pytest.raises(TypeError, match=r"logs\(\) has no option tail \(did you mean tail_lines\?\)"):
        client.job("any").logs(**options)


async def test_a_choice_without_pods_is_told(client: Client, name: str) -> None:
    job = await client.submit(pytorch(name, ends=None))
    await until_phase(job, "Running")
    with pytest.raises(NoLogError):
        [line async for line in job.logs(role="Nobody")]
    await job.stop()
    await job.wait()


def test_logs_without_asyncio(name: str) -> None:
    with SyncClient.connect() as client:
        job = client.submit(train(talk, arguments={"lines": 3}, name=name, image="python:3.13", nodes=1))
        assert [line.text for line in job.logs(follow=True)] == [f"rank 0 line {n}" for n in range(3)]
