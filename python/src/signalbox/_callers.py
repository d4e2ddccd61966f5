"""Who asked, as the events of a job's histories tell: as claimed, and as Temporal's authorizer has checked."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any, TypedDict, cast

from . import _names as names

if TYPE_CHECKING:
    from temporalio.api.common.v1 import Payloads
    from temporalio.api.history.v1 import HistoryEvent
    from temporalio.converter import DataConverter

Caller = dict[str, Any]
"""`identity` of the client, and `authenticated`, what the server knows of the caller, as far as it is known."""

# No signal has this name: names of Temporal's own begin with two underscores.
_CANCELLATION = "__cancellation"


# An update that comes later may be that of somebody who read the announcement in the history.
_ANNOUNCED_SECONDS = 120


class _Announcement(TypedDict):
    request: object
    argument: object
    caller: Caller
    at: float


class Callers:
    """Joins entries of a ledger with the events that they stem from.

    A signal has no id that the workflow could know, so the nth signal of a name belongs to the nth such entry.
    """

    def __init__(self) -> None:
        self._updates: dict[str, Caller] = {}
        self._announced: defaultdict[str, list[_Announcement]] = defaultdict(list)
        self._signals: defaultdict[str, list[tuple[Any, Caller]]] = defaultdict(list)
        self._starter: Caller | None = None
        self._closer: Caller | None = None

    async def read(self, event: HistoryEvent, converter: DataConverter) -> None:
        """Take the next event; events of all runs, the oldest first."""
        if event.HasField("workflow_execution_started_event_attributes"):
            start = event.workflow_execution_started_event_attributes
            # A later run is started by the worker of the run before.
            if not start.continued_execution_run_id and self._starter is None:
                self._starter = _caller(event, start.identity)
        elif event.HasField("workflow_execution_cancel_requested_event_attributes"):
            cancelled = event.workflow_execution_cancel_requested_event_attributes
            self._signals[_CANCELLATION].append((None, _caller(event, cancelled.identity)))
        elif event.HasField("workflow_execution_terminated_event_attributes"):
            self._closer = _caller(event, event.workflow_execution_terminated_event_attributes.identity)
        elif event.HasField("workflow_execution_signaled_event_attributes"):
            await self._read_signal(event, converter)
        elif event.HasField("workflow_execution_update_accepted_event_attributes"):
            await self._read_update(event, converter)

    def join(self, entry: dict[str, Any]) -> dict[str, Any]:
        """Return the entry with what its event tells about who asked. Entries in the order of the ledger."""
        cause = entry["cause"]
        if "who" not in cause:
            return entry
        return {**entry, "cause": {**cause, "who": {**cause["who"], **(self._find(cause) or {})}}}

    async def _read_signal(self, event: HistoryEvent, converter: DataConverter) -> None:
        signal = event.workflow_execution_signaled_event_attributes
        argument = await _argument(signal.input, converter)
        if signal.signal_name != names.ASKED_SIGNAL:
            self._signals[signal.signal_name].append((argument, _caller(event, signal.identity)))
            return
        told = _fields(argument)
        update_id = told.get("id")
        if isinstance(update_id, str):
            request, announced = told.get("request"), told.get("argument")
            said = _Announcement(request=request, argument=announced, caller=_caller(event, ""), at=_time(event))
            self._announced[update_id].append(said)

    async def _read_update(self, event: HistoryEvent, converter: DataConverter) -> None:
        request = event.workflow_execution_update_accepted_event_attributes.accepted_request
        update_id = request.meta.update_id
        if not update_id or update_id in self._updates:
            return
        # Anybody may read an id in the history and use it for something else, so the whole request must be the same.
        asked = (request.input.name, await _argument(request.input.args, converter))
        announced = self._announced.pop(update_id, [])
        since = _time(event) - _ANNOUNCED_SECONDS
        fresh = [said for said in announced if said["at"] >= since]
        matching = [said["caller"] for said in fresh if (said["request"], said["argument"]) == asked]
        checked: Caller = matching[0] if matching else {}
        # The principal of this event is the worker's that accepted the update, so it is not used.
        self._updates[update_id] = {**_identified(request.meta.identity), **checked}

    def _find(self, cause: dict[str, Any]) -> Caller | None:
        if cause["type"] == "submitted":
            return self._starter
        if cause["type"] == "closed":
            return self._closer
        if cause["through"] == "update":
            return self._updates.get(cause.get("id", ""))
        name = _CANCELLATION if cause["through"] == "cancellation" else cause["request"]
        return self._next_of(self._signals[name], cause)

    @staticmethod
    def _next_of(calls: list[tuple[Any, Caller]], cause: dict[str, Any]) -> Caller | None:
        """Take the oldest call that may be the one of this entry. Those before it were never heard."""
        given, why = cause["who"].get("given"), cause.get("why")
        for position, (argument, caller) in enumerate(calls):
            if _says(argument, "by", given) and _says(argument, "why", why):
                del calls[: position + 1]
                return caller
        return None


def _fields(value: object) -> dict[str, object]:
    return cast("dict[str, object]", value) if isinstance(value, dict) else {}


def _says(argument: object, field: str, recorded: str | None) -> bool:
    """The workflow shortens long words."""
    said = _fields(argument).get(field)
    if not isinstance(said, str) or recorded is None:
        return True
    return said.startswith(recorded.removesuffix("…").rstrip())


def _caller(event: HistoryEvent, identity: str) -> Caller:
    principal = event.principal
    checked = {"authenticated": {"type": principal.type, "name": principal.name}} if principal.name else {}
    return {**_identified(identity), **checked}


def _time(event: HistoryEvent) -> float:
    return event.event_time.seconds + event.event_time.nanos / 1e9


def _identified(identity: str) -> Caller:
    return {"identity": identity} if identity else {}


async def _argument(payloads: Payloads, converter: DataConverter) -> Any:
    """Return the first argument; None if there is none or if it cannot be read."""
    try:
        values = await converter.decode(list(payloads.payloads[:1]))
    except Exception:  # noqa: BLE001 - anybody can send anything as an argument
        return None
    return values[0] if values else None
