"""The lines and the errors of logs, without a cluster."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import yaml
from kubernetes import client as kubernetes

from signalbox._log_pods import has_rank, no_pods, not_started
from signalbox._log_stream import ContainerRun, lines_of

CASES = Path(__file__).parents[3] / "test" / "cases"
TORN = "bar 1\rbar 2\r\nnext\na\u2028b\u0085c\vd\fe\n\nno newline at the end"
"""As in test/cases/python-log-lines."""
LINES = ["bar 1\rbar 2\r", "next", "a\u2028b\u0085c\vd\fe", "", "no newline at the end"]


async def lines_in(*chunks: bytes) -> list[str]:
    """Read a log that arrives in these chunks."""
    answer = SimpleNamespace(stream=lambda **_: iter(chunks), close=lambda: None)
    api = SimpleNamespace(read_namespaced_pod_log=lambda *_args, **_options: answer)
    return [line async for line in lines_of(api, ContainerRun("ml", "pod", "train"))]


async def test_a_line_ends_at_a_line_feed_only() -> None:
    assert await lines_in(TORN.encode()) == LINES
    assert await lines_in(*(bytes([byte]) for byte in TORN.encode())) == LINES
    assert await lines_in() == []


async def test_a_log_of_torn_characters_keeps_its_lines() -> None:
    manifest = yaml.safe_load((CASES / "python-log-lines" / "torn.yaml").read_text())
    [container] = manifest["spec"]["pytorchReplicaSpecs"]["Worker"]["template"]["spec"]["containers"]
    command = [sys.executable, *container["command"][1:]]
    log = subprocess.run(command, check=True, capture_output=True).stdout  # noqa: ASYNC221
    assert await lines_in(log) == await lines_in(*(log[at : at + 4_099] for at in range(0, len(log), 4_099)))
    assert await lines_in(log) == [
        "début — 训练 🚀 Ωμέγα",
        "torn \ufffd",
        "\ufffd latin1 \ufffdt\ufffd nul[\0] \ufffd\ufffd end",
        "\x1b[31mred\x1b[0m \x1b]0;title\x07 \x1b[2J bell\x07",
        "".join(f"\rstep={step} loss=0.{step}" for step in range(5)),
        "L" * 300_000,
        "crlf line\r",
        "\u2028linesep\x85nel\vvt\fff",
        "no newline at the end",
    ]


def a_job(phase: str) -> Any:
    return SimpleNamespace(name="train", phase=phase, has_ended=phase == "Failed")


def a_pod(phase: str, **download: Any) -> Any:
    state = kubernetes.V1ContainerState(**download)
    status = kubernetes.V1ContainerStatus(
        name="download", image="a", image_id="", ready=False, restart_count=0, state=state
    )
    return kubernetes.V1Pod(
        metadata=kubernetes.V1ObjectMeta(name="train-worker-0"),
        spec=kubernetes.V1PodSpec(node_name="a-node", containers=[]),
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
    assert error.message == "train-worker-0 has not started yet: its init container download runs; train is Starting."
    assert "follow=True waits for it" in (error.remedy or "")


@pytest.mark.parametrize(
    ("reason", "message", "sentence"),
    [
        ("ImagePullBackOff", "no such tag", "the image cannot be pulled (ImagePullBackOff: no such tag)"),
        ("RunContainerError", None, "the container cannot be started"),
        ("Odd", None, "its container waits with Odd"),
    ],
)
def test_a_pod_says_why_its_container_waits(reason: str, message: str | None, sentence: str) -> None:
    waiting = kubernetes.V1ContainerStateWaiting(reason=reason, message=message)
    error = not_started(a_job("Starting"), [a_pod("Pending", waiting=waiting)])
    assert error.message == f"train-worker-0 has not started yet: {sentence}; train is Starting."


def test_a_pod_says_that_it_has_no_node() -> None:
    unplaced = kubernetes.V1PodCondition(type="PodScheduled", status="False", message="0/2 nodes are available.")
    pod = kubernetes.V1Pod(
        metadata=kubernetes.V1ObjectMeta(name="train-worker-0"),
        spec=kubernetes.V1PodSpec(containers=[]),
        status=kubernetes.V1PodStatus(phase="Pending", conditions=[unplaced]),
    )
    assert "yet: it has no node yet (0/2 nodes are available); train" in not_started(a_job("Pending"), [pod]).message


def test_pods_that_are_gone_are_not_said_to_be_kept_by_the_policy_in_force() -> None:
    error = no_pods(a_job("Failed"))
    assert "cleanPodPolicy" not in f"{error.message} {error.remedy}"


def test_a_rank_is_that_of_the_variable_by_which_the_kind_tells_it() -> None:
    env = [kubernetes.V1EnvVar(name="RANK", value="2")]
    containers = [kubernetes.V1Container(name="proxy"), kubernetes.V1Container(name="train", env=env)]
    pod = kubernetes.V1Pod(spec=kubernetes.V1PodSpec(containers=containers))
    assert [rank for rank in (None, 1, 2, 12) if has_rank(pod, rank)] == [None, 2]
