"""How the client asks the engine, with the answers of a made-up Temporal server."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime, timezone
from types import SimpleNamespace
from typing import Any, cast

import pytest
from temporalio.client import Client as TemporalClient
from temporalio.client import WorkflowFailureError
from temporalio.exceptions import ApplicationError, TimeoutError, TimeoutType  # noqa: A004
from temporalio.service import RPCError, RPCStatusCode

from signalbox import InvalidManifestError, JobNotFoundError, ParentJob, RefusedError, ServerAwayError, WorkerAwayError
from signalbox._context import Context
from signalbox._rpc import Engine

Answer = Callable[[dict[str, Any]], Awaitable[Any]]


class Server:
    """Answers the workflows that are started; workers have asked for tasks just now, or never."""

    def __init__(self, answer: Answer, *, has_worker: bool = True) -> None:
        self.started: list[tuple[str, dict[str, Any], dict[str, Any]]] = []
        self.terminated: list[str] = []
        self.namespace = "default"
        self.workflow_service = self
        self.service_client = SimpleNamespace(config=SimpleNamespace(target_host="temporal:7233"))
        self._answer = answer
        self._has_worker = has_worker

    async def start_workflow(self, workflow: str, argument: dict[str, Any], **options: Any) -> Any:
        self.started.append((workflow, argument, options))

        async def terminate(*, reason: str) -> None:
            self.terminated.append(reason)

        return SimpleNamespace(result=lambda: self._answer(argument), terminate=terminate)

    async def describe_task_queue(self, request: Any) -> Any:
        assert request.task_queue.name == "gpu"
        now = SimpleNamespace(last_access_time=SimpleNamespace(seconds=time.time()))
        return SimpleNamespace(pollers=[now] if self._has_worker else [])


def engine_of(server: Server) -> Engine:
    return Engine(cast("TemporalClient", server), "gpu")


async def unanswered(_request: object) -> None:
    await asyncio.Event().wait()


def failing(cause: BaseException) -> Answer:
    async def fail(_request: object) -> None:
        raise WorkflowFailureError(cause=cause)

    return fail


async def error_of(answer: Answer) -> Any:
    with pytest.raises(Exception) as caught:  # noqa: PT011
        await engine_of(Server(answer)).ask("find", "job/ml/train", {})
    return caught.value


async def test_a_question_is_a_workflow_on_the_task_queue_and_its_result_is_the_answer() -> None:
    async def answer(_request: object) -> object:
        return {"result": {"runId": "r"}}

    server = Server(answer)
    since = datetime(2026, 11, 26, tzinfo=timezone.utc)
    asked = {"job": {"workflowId": "w"}, "submitted_by": "ana", "since": since, "run": None}
    assert await engine_of(server).ask("find", "job/ml/train", asked) == {"runId": "r"}
    [(workflow, argument, options)] = server.started
    assert workflow == "rpc"
    given = {"job": {"workflowId": "w"}, "submittedBy": "ana", "since": "2026-11-26T00:00:00+00:00"}
    assert argument == {"method": "find", "arguments": given}
    assert options["id"].startswith("rpc/find/")
    assert options["task_queue"] == "gpu"
    assert options["execution_timeout"].total_seconds() > 0


async def test_a_list_is_read_page_by_page() -> None:
    pages: dict[str | None, Any] = {
        None: {"result": [1, 2], "cursor": "a"},
        "a": {"result": [], "cursor": "b"},
        "b": {"result": [3]},
    }

    async def answer(request: dict[str, Any]) -> object:
        return pages[request.get("cursor")]

    server = Server(answer)
    assert [item async for item in engine_of(server).pages("history", "job/ml/train", {"start": 3})] == [1, 2, 3]
    assert [argument["arguments"] for _, argument, _ in server.started] == [{"start": 3}] * 3
    assert len({options["id"] for _, _, options in server.started}) == 3


async def test_what_a_list_leaves_out_is_a_warning() -> None:
    async def answer(_request: object) -> object:
        return {"result": [1], "unreadable": ["job.json: expected JSON."]}

    with pytest.warns(UserWarning, match=r"job\.json: expected JSON"):
        assert [item async for item in engine_of(Server(answer)).pages("archive.list", "the archive", {})] == [1]


async def test_a_failure_is_the_error_of_its_code_with_its_fields() -> None:
    fault = {"path": "spec.x", "expected": "a number", "got": '"y"'}
    details: Sequence[Any] = [{"remedy": "Correct it.", "faults": [fault]}]
    error = await error_of(failing(ApplicationError("It has an error.", *details, type="InvalidManifest")))
    assert isinstance(error, InvalidManifestError)
    assert (error.message, error.remedy) == ("It has an error.", "Correct it.")
    assert str(error.faults[0]) == 'spec.x: expected a number, got "y"'
    known = {"runIds": ["r1"], "phase": "Failed", "startTime": "2026-11-26T00:00:00.000Z"}
    missing = ApplicationError("There is no job.", {"workflowId": "job/ml/train", "known": [known]}, type="JobNotFound")
    error = await error_of(failing(missing))
    assert isinstance(error, JobNotFoundError)
    assert (error.workflow_id, error.remedy, error.known[0].run_ids) == ("job/ml/train", None, ("r1",))


async def test_a_failure_of_an_unknown_code_is_a_refusal_with_its_message() -> None:
    error = await error_of(failing(ApplicationError("unheard of", type="NewCause")))
    assert isinstance(error, RefusedError)
    assert error.message == "unheard of"


async def test_no_worker_is_an_error_at_once_and_the_question_is_taken_back() -> None:
    server = Server(unanswered, has_worker=False)
    began = time.monotonic()
    with pytest.raises(WorkerAwayError, match=r"job/ml/train[\s\S]*task queue gpu"):
        await engine_of(server).ask("find", "job/ml/train", {})
    assert time.monotonic() - began < 10, "it waited for a worker"
    assert server.terminated == ["no worker answered"]


async def test_an_answer_that_takes_too_long_is_a_worker_that_is_away() -> None:
    late = TimeoutError("too late", type=TimeoutType.START_TO_CLOSE, last_heartbeat_details=[])
    assert isinstance(await error_of(failing(late)), WorkerAwayError)


async def test_a_question_is_repeated_while_temporal_is_away() -> None:
    tries: list[object] = []

    async def answer(request: object) -> object:
        tries.append(request)
        if len(tries) == 1:
            raise RPCError("restarts", RPCStatusCode.UNAVAILABLE, b"")
        return {"result": "here"}

    context = context_of(Server(answer))
    assert await context.ask_engine("find", "job/ml/train", {}) == "here"
    tries.clear()
    with pytest.raises(ServerAwayError, match="temporal:7233"):
        await context.ask_engine("find", "job/ml/train", {}, timeout=0)


async def test_records_are_models() -> None:
    async def answer(_request: object) -> object:
        return {"result": [{"workflowId": "job/ml/train", "runId": "r"}]}

    found = await context_of(Server(answer)).records(ParentJob, "history", "job/ml/train", {})
    assert found == [ParentJob(workflow_id="job/ml/train", run_id="r")]


def context_of(server: Server) -> Context:
    return Context(cast("TemporalClient", server), "gpu", "ml", "ana@host", None, None)
