"""Options that a method does not have are refused before anything is asked."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import pytest

from signalbox import Client
from signalbox._known_options import refuse_unknown_options
from signalbox._options import LogOptions
from signalbox.job import Job

NO_SERVER: Any = SimpleNamespace()
MANIFEST = {"apiVersion": "kubeflow.org/v1", "kind": "PyTorchJob", "metadata": {"name": "train"}, "spec": {}}


def test_an_option_that_a_method_does_not_have_is_named() -> None:
    refuse_unknown_options("logs", {"tail_lines": 3, "all_pods": True}, LogOptions)
    with pytest.raises(TypeError, match=r"logs\(\) has no option tail_line \(did you mean tail_lines\?\); its options"):
        refuse_unknown_options("logs", {"tail_line": 3}, LogOptions)


@pytest.mark.parametrize(
    ("method", "wrong", "meant"),
    [
        ("submit", "keey", "key"),
        ("submit_and_wait", "keey", "key"),
        ("apply", "dry_rum", "dry_run"),
        ("sweep", "at_mots", "at_most"),
        ("count", "phse", "phase"),
    ],
)
async def test_a_call_with_a_slip_starts_nothing(method: str, wrong: str, meant: str) -> None:
    call = getattr(Client(NO_SERVER), method)
    given = () if method == "count" else (MANIFEST,)
    with pytest.raises(TypeError, match=rf"\(did you mean {meant}\?\)"):
        await call(*given, **{wrong: 1})


async def test_a_slip_in_a_rerun_in_a_list_or_in_many_submissions_is_refused() -> None:
    client = cast("Any", Client(NO_SERVER))
    with pytest.raises(TypeError, match=r"did you mean new_name\?"):
        await client.rerun("train", new_nam="train-2")
    with pytest.raises(TypeError, match=r"did you mean phase\?"):
        _ = [job async for job in client.list(phse="Failed")]
    with pytest.raises(TypeError, match=r"did you mean key\?"):
        _ = [attempt async for attempt in client.submit_many([MANIFEST], keey="a")]


async def test_a_slip_in_an_intervention_is_refused() -> None:
    job = cast("Any", Job(cast("Any", SimpleNamespace(temporal=None)), "job/ml/a"))
    with pytest.raises(TypeError, match=r"stop\(\) has no option whyy \(did you mean why\?\)"):
        await job.stop(whyy="wrong data")
    with pytest.raises(TypeError, match=r"retry_now\(\) has no option whyy"):
        await job.retry_now(whyy="fixed")


def test_a_slip_in_the_settings_of_a_client_is_refused() -> None:
    with pytest.raises(TypeError, match=r"did you mean task_queue\?"):
        cast("Any", Client)(NO_SERVER, task_queu="a")
