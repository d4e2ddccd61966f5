"""Asks the engine for what is derived: a short workflow on the workers' task queue, whose result is the answer."""

from __future__ import annotations

import contextlib
import uuid
import warnings
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from pydantic import BaseModel, ConfigDict
from pydantic.alias_generators import to_camel
from temporalio.client import Client as TemporalClient
from temporalio.client import WorkflowFailureError
from temporalio.exceptions import ApplicationError
from temporalio.service import RPCError

from . import _names as names
from ._worker_presence import fail_without_worker
from .errors import SignalboxError, WorkerAwayError, error_of

ANSWER_LIMIT = timedelta(minutes=2)
"""How long an answer may take: a worker may have to replay a run of 50,000 events first."""


class Answer(BaseModel):
    """A part of an answer: its names are in camel case there."""

    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True, frozen=True)


@dataclass(frozen=True)
class Engine:
    """The workers of a task queue. They only read and plan; what changes a job goes to Temporal directly."""

    temporal: TemporalClient
    task_queue: str

    async def ask(self, method: str, about: str, arguments: Mapping[str, Any]) -> Any:
        """Return the answer. `about` names what an error is about. Raise `WorkerAwayError` if no worker is there."""
        return (await self._call(method, about, {"arguments": as_json(arguments)}))["result"]

    async def pages(self, method: str, about: str, arguments: Mapping[str, Any]) -> AsyncIterator[Any]:
        """Yield the items of an answer that may have several pages. Warn of those that cannot be read."""
        request: dict[str, Any] = {"arguments": as_json(arguments)}
        while True:
            page = await self._call(method, about, request)
            for message in page.get("unreadable", ()):
                warnings.warn(message, stacklevel=2)
            for item in page["result"]:
                yield item
            if page.get("cursor") is None:
                return
            request["cursor"] = page["cursor"]

    async def _call(self, method: str, about: str, request: Mapping[str, Any]) -> Any:
        handle: Any = await self.temporal.start_workflow(
            names.RPC,
            {"method": method, **request},
            id=f"{names.RPC}/{method}/{uuid.uuid4()}",
            task_queue=self.task_queue,
            execution_timeout=ANSWER_LIMIT,
        )
        away = WorkerAwayError(about, f"It must poll the task queue {self.task_queue}.")
        try:
            return await fail_without_worker(
                self.temporal, about, handle.result(), has_fallback=False, task_queue=self.task_queue
            )
        except WorkflowFailureError as error:
            raise _failure(error.cause) or away from error
        except WorkerAwayError as error:
            # A worker that starts later need not answer any more.
            with contextlib.suppress(RPCError):
                await handle.terminate(reason="no worker answered")
            raise away from error


def _failure(cause: BaseException | None) -> SignalboxError | None:
    """Return the error that the engine answered with; None if it did not answer in time."""
    if not isinstance(cause, ApplicationError):
        return None
    return error_of(cause.type or "", cause.message, cause.details)


def as_json(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Return what is given of the arguments, with names and times as the engine takes them."""
    return {to_camel(name): _plain(value) for name, value in arguments.items() if value is not None}


def _plain(value: object) -> object:
    return value.astimezone().isoformat() if isinstance(value, datetime) else value
