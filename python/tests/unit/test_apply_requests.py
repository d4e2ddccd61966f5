from typing import Any, cast

import pytest

from signalbox import Job, RefusedError
from signalbox._apply import _Plan, _request

PLAN: dict[str, Any] = {
    "result": "changed",
    "workflowId": "job/ml/train",
    "isAdmitted": True,
    "requests": [
        {"update": "extendDeadline", "argument": {"seconds": 60}},
        {"update": "scale", "argument": {"role": "Worker", "replicas": 3}},
    ],
}


class OtherJob:
    """A job that refuses to be scaled."""

    def __init__(self) -> None:
        self.asked: list[object] = []

    async def extend_deadline(self, seconds: int, *, why: str | None) -> None:
        self.asked.append(("extend", seconds, why))

    async def scale(self, role: str, replicas: int, *, why: str | None) -> None:
        self.asked.append(("scale", role, replicas, why))
        raise RefusedError("The job refuses: it ends.")


async def test_requests_are_made_in_order_and_a_refusal_names_those_that_were_made_before() -> None:
    job = OtherJob()
    with pytest.raises(RefusedError) as refused:
        await _request(cast("Job", job), _Plan.model_validate(PLAN), "more")
    assert job.asked == [("extend", 60, "more"), ("scale", "Worker", 3, "more")]
    assert refused.value.message == "The job refuses: it ends. Done before: extendDeadline."
    assert refused.value.remedy is not None
    assert "apply it again" in refused.value.remedy
