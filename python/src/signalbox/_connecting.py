"""A connection that is not there yet: to be awaited, or entered."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Generator
    from types import TracebackType


class _Closeable(Protocol):
    async def close(self) -> None: ...


ClientT = TypeVar("ClientT", bound=_Closeable)


class Connecting(Generic[ClientT]):
    """`await` gives the client; `async with` closes it at the end."""

    def __init__(self, connect: Callable[[], Awaitable[ClientT]]) -> None:
        self._connect = connect
        self._client: ClientT | None = None

    def __await__(self) -> Generator[object, None, ClientT]:
        return self._connect().__await__()

    async def __aenter__(self) -> ClientT:
        self._client = await self._connect()
        return self._client

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._client is not None:
            await self._client.close()
