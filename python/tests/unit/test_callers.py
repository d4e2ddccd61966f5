from __future__ import annotations

import json
from typing import Any

import pytest
from temporalio.api.common.v1 import Payload, Payloads, Principal
from temporalio.api.history.v1 import (
    HistoryEvent,
    WorkflowExecutionSignaledEventAttributes,
    WorkflowExecutionStartedEventAttributes,
    WorkflowExecutionTerminatedEventAttributes,
    WorkflowExecutionUpdateAcceptedEventAttributes,
)
from temporalio.api.update.v1 import Input, Meta, Request
from temporalio.converter import DataConverter

from signalbox._callers import Callers

ANA = {"identity": "1@laptop", "authenticated": {"type": "jwt", "name": "ana"}}
STOP = {"by": "ana", "why": "wrong data"}
ASKED = {"id": "u-1", "request": "stop", "argument": STOP}


def payloads(argument: object) -> Payloads:
    return Payloads(payloads=[Payload(metadata={"encoding": b"json/plain"}, data=json.dumps(argument).encode())])


def principal(name: str | None) -> Principal | None:
    return Principal(type="jwt", name=name) if name else None


def started(by: str | None, continued: str = "") -> HistoryEvent:
    start = WorkflowExecutionStartedEventAttributes(identity="1@laptop", continued_execution_run_id=continued)
    return HistoryEvent(workflow_execution_started_event_attributes=start, principal=principal(by))


def signalled(name: str, argument: object, by: str | None = "ana") -> HistoryEvent:
    signal = WorkflowExecutionSignaledEventAttributes(signal_name=name, input=payloads(argument), identity="1@laptop")
    return HistoryEvent(workflow_execution_signaled_event_attributes=signal, principal=principal(by))


def accepted(update_id: str, name: str, argument: object) -> HistoryEvent:
    """The event of an update is written by the worker."""
    meta = Meta(update_id=update_id, identity="1@laptop")
    request = Request(meta=meta, input=Input(name=name, args=payloads(argument)))
    update = WorkflowExecutionUpdateAcceptedEventAttributes(accepted_request=request)
    return HistoryEvent(workflow_execution_update_accepted_event_attributes=update, principal=principal("the-worker"))


async def who_asked(cause: dict[str, Any], *events: HistoryEvent) -> dict[str, Any]:
    callers = Callers()
    for event in events:
        await callers.read(event, DataConverter.default)
    return callers.join({"cause": cause})["cause"]["who"]


UPDATE = {"type": "request", "request": "stop", "through": "update", "id": "u-1", "who": {"given": "ana"}}


async def test_who_submitted_is_in_the_first_start() -> None:
    later = started("the-worker", continued="run-1")
    assert await who_asked({"type": "submitted", "who": {}}, started("ana"), later) == ANA
    assert await who_asked({"type": "submitted", "who": {}}, later) == {}


async def test_a_signal_has_its_sender() -> None:
    cause = {"type": "request", "request": "stop", "through": "signal", "who": {"given": "ana"}, "why": "now"}
    others = signalled("stop", {"by": "ben"}, by="ben"), signalled("stop", {"by": "ana", "why": "now"})
    assert await who_asked(cause, *others) == {"given": "ana", **ANA}


async def test_an_update_is_authenticated_by_the_signal_that_announced_it() -> None:
    events = signalled("asked", ASKED), accepted("u-1", "stop", STOP)
    assert await who_asked(UPDATE, *events) == {"given": "ana", **ANA}


@pytest.mark.parametrize(
    "announced", [None, {**ASKED, "request": "suspend"}, {**ASKED, "argument": {}}, {**ASKED, "id": "u-2"}]
)
async def test_an_update_that_nobody_announced_is_claimed_only(announced: object) -> None:
    events = signalled("asked", announced), accepted("u-1", "stop", STOP), signalled("asked", ASKED, by="ben")
    assert await who_asked(UPDATE, *events) == {"given": "ana", "identity": "1@laptop"}


async def test_an_update_long_after_its_announcement_is_claimed_only() -> None:
    def at(event: HistoryEvent, seconds: int) -> HistoryEvent:
        event.event_time.FromSeconds(seconds)
        return event

    announced = at(signalled("asked", ASKED), 1000)
    in_time, late = (at(accepted("u-1", "stop", STOP), seconds) for seconds in (1120, 1121))
    assert await who_asked(UPDATE, announced, in_time) == {"given": "ana", **ANA}
    assert await who_asked(UPDATE, announced, late) == {"given": "ana", "identity": "1@laptop"}


async def test_a_termination_has_who_asked_for_it() -> None:
    closed = WorkflowExecutionTerminatedEventAttributes(identity="1@laptop", reason="enough")
    event = HistoryEvent(workflow_execution_terminated_event_attributes=closed, principal=principal("ana"))
    assert await who_asked({"type": "closed", "how": "terminated", "who": {}}, event) == ANA
