from typing import Any

import pytest

from signalbox import Completed, Failed, Stopped
from signalbox.outcome import outcome_from

STATUS: dict[str, Any] = {
    "kind": "PyTorchJob",
    "name": "a",
    "namespace": "ml",
    "state": "x",
    "attempt": 1,
    "restarts": 0,
    "conditions": [],
    "replicaStatuses": {"Master": {"failed": 1}},
    "warnings": [],
    "timeline": [],
}
EVIDENCE = {"pod": "p", "uid": "u", "role": "master", "index": 0, "attempt": 1, "takenAt": "2026-11-23T00:00:00Z"}


def test_an_outcome_is_told_by_its_phase() -> None:
    assert isinstance(outcome_from({**STATUS, "phase": "Completed"}), Completed)
    assert outcome_from({**STATUS, "phase": "Running"}) is None
    assert outcome_from("Completed") is None


def test_a_failure_says_why_and_where() -> None:
    cause = {"reason": "PodFailed", "message": "p exited with code 3"}
    given = {**STATUS, "phase": "Failed", "cause": cause, "evidence": [{**EVIDENCE, "exitCode": 3, "ref": "file:///x"}]}
    outcome = outcome_from(given)
    assert isinstance(outcome, Failed)
    assert (outcome.reason, outcome.failure_class) == ("PodFailed", "program")
    assert [(failure.exit_code, failure.evidence) for failure in outcome.failures] == [(3, "file:///x")]
    assert outcome.remedy.startswith(f"`signalbox evidence {outcome.name} -n {outcome.namespace}` has its last lines.")
    filled_in = outcome_from({**given, "cause": {**cause, "remedy": "Exit code 3 is the program's own."}})
    assert isinstance(filled_in, Failed)
    assert filled_in.remedy == "Exit code 3 is the program's own."


@pytest.mark.parametrize(
    ("by", "why"),
    [("ana", "wrong data: all"), ("ana", None), (None, "late"), (None, None)],
)
def test_a_stop_says_by_whom_and_why(by: str | None, why: str | None) -> None:
    cause = {
        "reason": "StopRequested",
        "message": "stopped",
        **({"by": by} if by else {}),
        **({"why": why} if why else {}),
    }
    outcome = outcome_from({**STATUS, "phase": "Stopped", "cause": cause})
    assert isinstance(outcome, Stopped)
    assert (outcome.by, outcome.why) == (by, why)


def test_reasons_and_fields_of_later_versions_are_accepted() -> None:
    cause = {"reason": "NewReason", "message": "new", "more": 1}
    outcome = outcome_from({**STATUS, "phase": "Failed", "cause": cause, "later": True})
    assert isinstance(outcome, Failed)
    assert outcome.reason == "NewReason"
