"""What the blocking classes have in common; `models.sync` has them, generated from the async ones."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from types import TracebackType

    from typing_extensions import Self

    from ._loop_thread import LoopThread

T = TypeVar("T")


class Blocking(Generic[T]):
    """An object whose calls run on a loop in a thread."""

    def __init__(self, wrapped: T, loop: LoopThread) -> None:
        """Wrap an object of the loop. `SyncClient.connect` makes both, and what it returns the others."""
        self._wrapped = wrapped
        self._loop = loop

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self._wrapped!r}>"


class BlockingClient(Blocking[T]):
    """The owner of the loop."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End what still runs."""
        self._loop.close()
