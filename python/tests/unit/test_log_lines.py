"""The lines and the errors of logs, without a cluster."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from kubernetes import client as kubernetes

from signalbox._log_pods import has_rank
from signalbox._log_stream import lines_in
from signalbox._logs import log_choice
from signalbox._no_log import no_pods, not_started

TORN = "bar 1\rbar 2\r\nnext\na\u2028b\u0085c\vd\fe\n\nno newline at the end"
"""As in test/cases/python-log-lines."""
LINES = ["bar 1\rbar 2\r", "next", "a\u2028b\u0085c\vd\fe", "", "no newline at the end"]


def test_a_line_ends_at_a_line_feed_only() -> None:
    assert lines_in(TORN.encode()) == LINES
    assert lines_in(*(bytes([byte]) for byte in TORN.encode())) == LINES
    assert lines_in(b"") == []


def test_an_option_that_logs_does_not_have_is_told() -> None:
    assert log_choice({"tail_lines": 3, "all_pods": True}).tail_lines == 3
    with pytest.raises(TypeError, match=r"logs\(\) has no option tail_line \(did you mean tail_lines\?\); its options"):
        log_choice({"tail_line": 3})


def a_job(phase: str) -> Any:
    return SimpleNamespace(name="train", phase=phase, has_ended=phase == "Failed")


def a_pod(phase: str, **download: Any) -> Any:
    state = kubernetes.V1ContainerState(**download)
    status = kubernetes.V1ContainerStatus(
        name="download", image="a", image_id="", ready=False, restart_count=0, state=state
    )
    return kubernetes.V1Pod(
        metadata=kubernetes.V1ObjectMeta(name="train-worker-0"),
        status=kubernetes.V1PodStatus(phase=phase, init_container_statuses=[status]),
    )


def test_a_failed_init_container_is_named_and_nothing_is_said_to_wait() -> None:
    pod = a_pod("Failed", terminated=kubernetes.V1ContainerStateTerminated(exit_code=9))
    error = not_started(a_job("Failed"), [pod])
    assert error.message == (
        "train-worker-0 failed before its program began: init container download failed with code 9; train is Failed."
    )
    assert error.remedy == '`job.logs(container="download")` reads that container. `job.evidence()` says more.'


def test_a_pod_that_waits_says_so() -> None:
    error = not_started(a_job("Starting"), [a_pod("Pending", running=kubernetes.V1ContainerStateRunning())])
    assert error.message == "train-worker-0 has not started yet; train is Starting."
    assert "follow=True waits for it" in (error.remedy or "")


def test_pods_that_are_gone_are_not_said_to_be_kept_by_the_policy_in_force() -> None:
    error = no_pods(a_job("Failed"))
    assert "cleanPodPolicy" not in f"{error.message} {error.remedy}"


def test_a_rank_is_that_of_the_variable_by_which_the_kind_tells_it() -> None:
    env = [kubernetes.V1EnvVar(name="RANK", value="2")]
    containers = [kubernetes.V1Container(name="proxy"), kubernetes.V1Container(name="train", env=env)]
    pod = kubernetes.V1Pod(spec=kubernetes.V1PodSpec(containers=containers))
    assert [rank for rank in (None, 1, 2, 12) if has_rank(pod, rank)] == [None, 2]
