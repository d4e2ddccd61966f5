"""What a job was built from, as the histories of its workflow's runs have it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from . import _names as names
from ._fields import fields_of
from ._last_applied import without_last_applied
from ._policy_text import with_policy_text

if TYPE_CHECKING:
    from temporalio.api.common.v1 import Payloads
    from temporalio.api.history.v1 import HistoryEvent
    from temporalio.converter import DataConverter

_AMENDING = frozenset({names.SCALE_UPDATE, names.AMEND_POLICY_UPDATE})


@dataclass(frozen=True)
class RecordedRevision:
    """What an amendment made of a job."""

    number: int
    replicas: Mapping[str, int]
    """All roles, by name."""
    policy: str | None
    """Text of the policy document, if an amendment replaced the manifest's."""


@dataclass(frozen=True)
class RecordedSource:
    """A job's manifest as submitted, and what amendments made of it."""

    manifest: Any
    namespace: str | None
    """None for a job that was never admitted."""
    revisions: Sequence[RecordedRevision]
    """From revision 2 on, as far as the histories still have them."""

    def at_revision(self, revision: int) -> Any | None:
        """Return the manifest with the sizes and the policy of a revision; None if it is not on record."""
        if revision == 1:
            return self.manifest
        found = next((one for one in self.revisions if one.number == revision), None)
        if found is None:
            return None
        resized = _with_replicas(self.manifest, found.replicas)
        return resized if found.policy is None else with_policy_text(resized, found.policy)


async def recorded_source(histories: Sequence[Sequence[HistoryEvent]], converter: DataConverter) -> RecordedSource:
    """Read the source of a job from the events of its runs, the oldest run first."""
    revisions: dict[int, RecordedRevision] = {}
    manifest: Any = None
    namespace: str | None = None
    for events in histories:
        run = _Run(events, converter)
        manifest, settings, amended = await run.read()
        namespace = settings.get("namespace", namespace)
        revisions.update((one.number, one) for one in amended)
    revisions.pop(1, None)
    return RecordedSource(manifest, namespace, [revisions[number] for number in sorted(revisions)])


class _Run:
    def __init__(self, events: Sequence[HistoryEvent], converter: DataConverter) -> None:
        self._events = events
        self._converter = converter

    async def read(self) -> tuple[Any, Mapping[str, Any], list[RecordedRevision]]:
        """Return the manifest, the settings of the admission and the revisions that this run tells of."""
        start = self._events[0].workflow_execution_started_event_attributes
        manifest, *carried = await self._decoded(start.input)
        revisions: list[RecordedRevision] = []
        settings: dict[str, Any] = {}
        if carried:
            settings = carried[0]["terms"]["settings"]
            context = carried[0]["job"]["context"]
            revisions = [_revision_of(planned) for planned in (context, context.get("amended")) if planned]
        for _, _, value in await self._results(frozenset({"admit", "admitStopped"})):
            settings = settings or fields_of(fields_of(value).get("settings"))
        for index, scheduled, value in await self._results(frozenset({"amend"})):
            if not self._was_refused(index, scheduled):
                revisions.append(_revision_of(value))
        return without_last_applied(manifest), settings, revisions

    async def _results(self, activities: frozenset[str]) -> list[tuple[int, int, Any]]:
        """Return results of activities, with the places of their events and the ids of those that scheduled them."""
        scheduled = {
            event.event_id
            for event in self._events
            if event.activity_task_scheduled_event_attributes.activity_type.name in activities
        }
        found: list[tuple[int, int, Any]] = []
        for index, event in enumerate(self._events):
            if not event.HasField("activity_task_completed_event_attributes"):
                continue
            done = event.activity_task_completed_event_attributes
            if done.scheduled_event_id in scheduled:
                values = await self._decoded(done.result)
                found.append((index, done.scheduled_event_id, values[0] if values else None))
        return found

    def _was_refused(self, index: int, scheduled: int) -> bool:
        """Whether the update of this amendment refused it then: the job may have started to run meanwhile.

        An update that came after the amendment was begun has another one; it may be refused at once.
        """
        for event in self._events[index + 1 :]:
            if not event.HasField("workflow_execution_update_completed_event_attributes"):
                continue
            answered = event.workflow_execution_update_completed_event_attributes
            is_earlier = answered.accepted_event_id <= scheduled
            if is_earlier and self._request_of(answered.accepted_event_id) in _AMENDING:
                return answered.outcome.HasField("failure")
        return False

    def _request_of(self, accepted_event_id: int) -> str:
        for event in self._events:
            if event.event_id == accepted_event_id:
                accepted = event.workflow_execution_update_accepted_event_attributes
                return accepted.accepted_request.input.name
        return ""

    async def _decoded(self, payloads: Payloads) -> list[Any]:
        return await self._converter.decode(list(payloads.payloads))


def _revision_of(planned: Mapping[str, Any]) -> RecordedRevision:
    revision = planned["revision"]
    replicas = {role["name"]: role["replicas"] for role in planned["plan"]["roles"]}
    return RecordedRevision(revision["number"], replicas, revision.get("policy"))


def _with_replicas(manifest: Any, replicas: Mapping[str, int]) -> Any:
    """Return the manifest with other sizes, by role name in any case."""
    sizes = {name.lower(): size for name, size in replicas.items()}
    spec = fields_of(manifest["spec"])
    field = next((key for key in spec if key.endswith("ReplicaSpecs")), None)
    roles = fields_of(spec[field] if field else spec)
    resized = {
        key: {**role, "replicas": sizes[key.lower()]} if key.lower() in sizes else role for key, role in roles.items()
    }
    return {**manifest, "spec": {**spec, field: resized} if field else resized}
