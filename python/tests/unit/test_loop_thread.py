import asyncio
import signal
import threading
from collections.abc import AsyncIterator

import pytest

from signalbox._loop_thread import LoopThread


def test_results_and_errors_reach_the_caller() -> None:
    async def answer() -> int:
        return 42

    async def fail() -> None:
        raise ValueError("wrong")

    loop = LoopThread()
    assert loop.run(answer()) == 42
    with pytest.raises(ValueError, match="wrong"):
        loop.run(fail())
    loop.close()


def test_a_loop_whose_first_call_fails_ends_its_thread() -> None:
    async def connect() -> None:
        raise ValueError("wrong")

    before = threading.active_count()
    with pytest.raises(ValueError, match="wrong"):
        LoopThread().first(connect())
    assert threading.active_count() == before


def test_ctrl_c_cancels_the_call() -> None:
    cancelled = threading.Event()
    main = threading.main_thread().ident
    assert main is not None

    async def last() -> None:
        signal.pthread_kill(main, signal.SIGINT)
        try:
            await asyncio.Event().wait()
        finally:
            cancelled.set()

    loop = LoopThread()
    with pytest.raises(KeyboardInterrupt):
        loop.run(last())
    assert cancelled.wait(10)
    loop.close()


def test_an_iteration_that_ends_early_is_closed() -> None:
    closed = threading.Event()

    async def numbers() -> AsyncIterator[int]:
        try:
            for number in range(100):
                yield number
        finally:
            closed.set()

    loop = LoopThread()
    items = loop.iterate(numbers())
    assert [next(items), next(items)] == [0, 1]
    items.close()  # type: ignore[attr-defined]
    assert closed.is_set()
    loop.close()
