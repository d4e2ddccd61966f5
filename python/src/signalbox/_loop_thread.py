"""Runs coroutines on an event loop in a thread, for callers that block."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Awaitable, Coroutine, Iterator
from typing import Any, TypeVar

T = TypeVar("T")


class LoopThread:
    """An event loop in a daemon thread."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="signalbox", daemon=True)
        self._thread.start()

    def run(self, coroutine: Coroutine[Any, Any, T]) -> T:
        """Return the coroutine's result. A KeyboardInterrupt cancels it."""
        if threading.current_thread() is self._thread:
            coroutine.close()
            raise RuntimeError("expected a call from another thread than the client's own")
        started: list[asyncio.Task[Any]] = []

        async def tracked() -> T:
            task = asyncio.current_task()
            started.extend([task] if task else [])
            return await coroutine

        try:
            return asyncio.run_coroutine_threadsafe(tracked(), self._loop).result()
        except BaseException:
            self._loop.call_soon_threadsafe(lambda: [task.cancel() for task in started])
            raise

    def first(self, awaitable: Awaitable[T]) -> T:
        """Return the result of what is awaited first; without one, end the thread."""

        async def result() -> T:
            return await awaitable

        try:
            return self.run(result())
        except BaseException:
            self.close()
            raise

    def iterate(self, items: AsyncIterator[T]) -> Iterator[T]:
        """Yield the items; end the iteration on the loop as well if the caller stops early."""
        try:
            while True:
                try:
                    yield self.run(_next_of(items))
                except StopAsyncIteration:
                    return
        finally:
            self.run(_close(items))

    def close(self) -> None:
        """Cancel what still runs, and end the thread."""
        if self._loop.is_closed():
            return
        self.run(_cancel_others())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()


async def _next_of(items: AsyncIterator[T]) -> T:
    return await items.__anext__()


async def _close(items: AsyncIterator[object]) -> None:
    close: Any = getattr(items, "aclose", None)
    if close is not None:
        await close()


async def _cancel_others() -> None:
    others = asyncio.all_tasks() - {asyncio.current_task()}
    for task in others:
        task.cancel()
    await asyncio.gather(*others, return_exceptions=True)
    await asyncio.get_running_loop().shutdown_asyncgens()
