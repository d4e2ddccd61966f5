"""Works on many items, several at once."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterable, AsyncIterator, Awaitable, Callable, Iterable
from dataclasses import dataclass
from typing import Generic, TypeVar

from .errors import ServerAwayError, WorkerAwayError

T = TypeVar("T")
R = TypeVar("R")

MOST_IN_FLIGHT = 32
"""How many calls about different jobs a program has under way at once: as many as the TypeScript client has."""


@dataclass(frozen=True)
class Settled(Generic[T, R]):
    """What became of one of many items."""

    index: int
    item: T
    result: R | Exception


async def in_flight(
    items: Iterable[T] | AsyncIterable[T], work: Callable[[T], Awaitable[R]]
) -> AsyncIterator[Settled[T, R]]:
    """Yield what became of each item as it is known. The error of one is that one's.

    Takes an item only when there is room. Raises if a server is away, as then all others would fail, too. Leaving the
    loop cancels what is under way.
    """
    source, turn = _numbered(items), asyncio.Lock()

    async def attempt() -> Settled[T, R] | None:
        async with turn:
            taken = await anext(source, None)
        if taken is None:
            return None
        index, item = taken
        try:
            return Settled(index, item, await work(item))
        except Exception as error:  # noqa: BLE001 -- whatever it is, it is this one's
            return Settled(index, item, error)

    running = {asyncio.ensure_future(attempt()) for _ in range(MOST_IN_FLIGHT)}
    try:
        while running:
            done, running = await asyncio.wait(running, return_when=asyncio.FIRST_COMPLETED)
            for ended in (task.result() for task in done):
                if ended is None:
                    continue
                if isinstance(ended.result, (ServerAwayError, WorkerAwayError)):
                    raise ended.result
                running.add(asyncio.ensure_future(attempt()))
                yield ended
    finally:
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)


async def _numbered(items: Iterable[T] | AsyncIterable[T]) -> AsyncIterator[tuple[int, T]]:
    index = 0
    if isinstance(items, AsyncIterable):
        async for item in items:
            yield index, item
            index += 1
    else:
        for index, item in enumerate(items):
            yield index, item
