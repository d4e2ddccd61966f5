import asyncio
from collections.abc import AsyncIterator

import pytest

from signalbox import ServerAwayError
from signalbox._in_flight import MOST_IN_FLIGHT, in_flight


class Workplace:
    """Work that ends when the test says so."""

    def __init__(self) -> None:
        self.taken: list[int] = []
        self._waiting: dict[int, asyncio.Future[str]] = {}

    async def work(self, item: int) -> str:
        self.taken.append(item)
        self._waiting[item] = asyncio.get_running_loop().create_future()
        return await self._waiting[item]

    def finish(self, item: int) -> None:
        self._waiting[item].set_result(f"done {item}")


async def settled() -> None:
    """Everything that can go on has gone on."""
    for _ in range(4 * MOST_IN_FLIGHT):
        await asyncio.sleep(0)


async def test_what_became_of_each_is_yielded_as_it_is_known() -> None:
    place = Workplace()
    attempts = in_flight([10, 20, 30], place.work)
    first = asyncio.ensure_future(anext(attempts))
    await settled()
    place.finish(30)
    assert (one := await first).item == 30
    assert (one.index, one.result) == (2, "done 30")
    place.finish(10)
    place.finish(20)
    assert {(one.index, one.result) async for one in attempts} == {(0, "done 10"), (1, "done 20")}


async def test_work_is_bounded_and_an_item_is_taken_only_when_there_is_room() -> None:
    place = Workplace()
    attempts = in_flight(range(MOST_IN_FLIGHT + 10), place.work)
    first = asyncio.ensure_future(anext(attempts))
    await settled()
    assert place.taken == list(range(MOST_IN_FLIGHT))
    place.finish(3)
    await first
    await settled()
    assert place.taken == list(range(MOST_IN_FLIGHT + 1))


async def test_the_error_of_one_item_is_that_ones() -> None:
    async def work(item: int) -> int:
        if item % 10 == 3:
            raise ValueError(item)
        return item

    results = [one.result async for one in in_flight(range(50), work)]
    assert len(results) == 50
    assert sorted(str(one) for one in results if isinstance(one, ValueError)) == ["13", "23", "3", "33", "43"]


async def test_a_server_that_is_away_ends_it() -> None:
    taken: list[int] = []

    async def work(item: int) -> int:
        taken.append(item)
        raise ServerAwayError("Temporal", "here", "no answer")

    with pytest.raises(ServerAwayError):
        async for _ in in_flight(range(100), work):
            pass
    assert len(taken) <= MOST_IN_FLIGHT


async def test_items_are_read_as_they_come() -> None:
    second = asyncio.Event()

    async def items() -> AsyncIterator[int]:
        yield 1
        await second.wait()
        yield 2

    async def work(item: int) -> int:
        return item * 2

    attempts = in_flight(items(), work)
    assert (await anext(attempts)).result == 2
    second.set()
    assert (await anext(attempts)).result == 4
    with pytest.raises(StopAsyncIteration):
        await anext(attempts)


async def test_leaving_the_loop_cancels_what_is_under_way() -> None:
    cancelled: list[int] = []

    async def work(item: int) -> int:
        if item == 0:
            return item
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            cancelled.append(item)
            raise
        return item

    attempts = in_flight(range(10), work)
    assert (await anext(attempts)).index == 0
    await attempts.aclose()  # type: ignore[attr-defined]
    assert sorted(cancelled) == list(range(1, 10))
