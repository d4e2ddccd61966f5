"""What a client shares with its jobs: how servers are reached, and their errors in the library's terms."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypeVar

from pydantic import BaseModel
from temporalio.client import Client as TemporalClient
from temporalio.service import RPCError

from . import _names as names
from ._rpc import Engine
from ._temporal import retry_while_away, to_client_error

T = TypeVar("T")
M = TypeVar("M", bound=BaseModel)


@dataclass(frozen=True)
class Context:
    """How a client reaches Temporal, the engine and the cluster."""

    temporal: TemporalClient
    task_queue: str
    namespace: str
    """Namespace of jobs whose manifest or name has none."""
    user: str
    """Recorded with submissions, and with interventions that name nobody."""
    kubeconfig: str | None
    kube_context: str | None

    @property
    def engine(self) -> Engine:
        """Who answers what is derived."""
        return Engine(self.temporal, self.task_queue)

    def workflow_id(self, name: str | None, namespace: str | None, workflow_id: str | None) -> str:
        """Return the id of a job's workflow. Raise TypeError unless there is either a name or an id."""
        if (name is None) == (workflow_id is None):
            raise TypeError("expected either the name of a job or a workflow_id")
        return workflow_id or names.workflow_id_of(name or "", namespace or self.namespace)

    def selector(self, name: str | None, namespace: str | None, workflow_id: str | None) -> dict[str, Any]:
        """Return the same for the engine, which also looks for jobs of the name that have other ids."""
        if name is None:
            return {"workflow_id": workflow_id}
        return {"name": name, "namespace": namespace or self.namespace}

    @contextmanager
    def errors(self, workflow_id: str) -> Generator[None, None, None]:
        """Convert errors of Temporal's client."""
        try:
            yield
        except RPCError as error:
            address = self.temporal.service_client.config.target_host
            raise to_client_error(error, workflow_id, address, self.temporal.namespace) from error

    async def ask(self, workflow_id: str, question: Callable[[], Awaitable[T]], *, timeout: float | None = None) -> T:
        """Return the answer; ask again while Temporal is away, until the timeout is over."""
        with self.errors(workflow_id):
            return await retry_while_away(question, timeout)

    async def ask_engine(
        self, method: str, about: str, arguments: Mapping[str, Any], *, timeout: float | None = None
    ) -> Any:
        """Return what the engine answers; ask again while Temporal is away, until the timeout is over."""
        return await self.ask(about, lambda: self.engine.ask(method, about, arguments), timeout=timeout)

    async def records(
        self, model: type[M], method: str, about: str, arguments: Mapping[str, Any], *, timeout: float | None = None
    ) -> list[M]:
        """Return all items of what the engine answers in pages."""

        async def ask() -> list[M]:
            items = self.engine.pages(method, about, arguments)
            return [model.model_validate(item) async for item in items]

        return await self.ask(about, ask, timeout=timeout)
