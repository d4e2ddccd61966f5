"""Lanes, with the answers of a made-up Temporal server and a made-up API server."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from kubernetes.client.exceptions import ApiException
from test_rpc import Server, context_of

from signalbox import RefusedError, lanes

PLAN = {"namespace": "sys", "name": "lanes", "patch": {"metadata": {"resourceVersion": "7"}}}


def lane(name: str, *waiting: str) -> dict[str, Any]:
    amounts: dict[str, dict[str, str]] = {"used": {}, "share": {}, "borrowed": {}}
    given = {"lane": name, "pool": "gpus", "state": "open", "weight": 1, "priority": 0}
    job = {"namespace": "ml", "priority": 0, "since": "2026-11-28T09:00:00Z", "needs": {}}
    jobs = [{**job, "name": one} for one in waiting]
    return {**given, **amounts, "running": [], "waiting": jobs}


async def test_the_lanes_of_all_pages_are_one_answer() -> None:
    def page(name: str, *unknown: str) -> dict[str, Any]:
        return {"asOf": "2026-11-28T09:00:00Z", "lanes": [lane(name)], "unknown": unknown}

    async def answer(request: dict[str, Any]) -> object:
        if request.get("cursor") is None:
            return {"result": [page("a", "nodes"), page("b", "nodes")], "cursor": "next"}
        return {"result": [page("c", "pods")]}

    found = await lanes.Lanes(context_of(Server(answer))).list()
    assert [one.lane for one in found.lanes] == ["a", "b", "c"]
    assert found.unknown == ["nodes", "pods"]


async def test_the_parts_of_a_lane_are_one_lane() -> None:
    async def answer(request: dict[str, Any]) -> object:
        def page(*waiting: str) -> dict[str, Any]:
            return {"asOf": "2026-11-28T09:00:00Z", "lanes": [lane("a", *waiting)], "unknown": []}

        if request.get("cursor") is None:
            return {"result": [page("first", "second")], "cursor": "next"}
        return {"result": [page("third"), page("fourth")]}

    found = await lanes.Lanes(context_of(Server(answer))).list()
    assert [[job.name for job in one.waiting] for one in found.lanes] == [["first", "second", "third", "fourth"]]


class Api:
    """Answers patches of ConfigMaps with these statuses, then takes them."""

    def __init__(self, *statuses: int) -> None:
        self.patches: list[Any] = []
        self._statuses = list(statuses)

    def patch_namespaced_config_map(self, name: str, namespace: str, patch: object) -> None:
        self.patches.append((namespace, name, patch))
        if self._statuses:
            raise ApiException(status=self._statuses.pop(0), reason="no")


async def pause(api: Api, monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    async def answer(_request: object) -> object:
        return {"result": PLAN}

    monkeypatch.setattr(lanes, "connect_cluster", lambda *_: api)
    server = Server(answer)
    await lanes.Lanes(context_of(server)).pause("research", why="new drivers")
    return [SimpleNamespace(**argument["arguments"]) for _, argument, _ in server.started]


async def test_a_lane_is_paused_by_the_patch_that_the_engine_plans(monkeypatch: pytest.MonkeyPatch) -> None:
    api = Api()
    [asked] = await pause(api, monkeypatch)
    assert (asked.lane, asked.closing) == ("research", {"as": "paused", "why": "new drivers"})
    assert api.patches == [("sys", "lanes", PLAN["patch"])]


async def test_a_patch_is_planned_again_when_somebody_else_has_written(monkeypatch: pytest.MonkeyPatch) -> None:
    assert len(await pause(Api(409, 409), monkeypatch)) == 3


@pytest.mark.parametrize(("statuses", "tries"), [((403,), 1), ((409,) * 9, 5)])
async def test_what_the_cluster_refuses_is_an_error(
    statuses: tuple[int, ...], tries: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    api = Api(*statuses)
    with pytest.raises(RefusedError, match=r"ConfigMap sys/lanes: \d+ no"):
        await pause(api, monkeypatch)
    assert len(api.patches) == tries
