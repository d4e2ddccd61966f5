from datetime import datetime, timedelta, timezone

import pytest

from signalbox import RefusedError
from signalbox._list import _matches, exact_filter, query_for
from signalbox._search import searchable_labels, searchable_text
from signalbox.models.filters import FilterOptions
from signalbox.summary import JobSummary


def test_labels_are_searched_as_pairs_and_what_a_store_refuses_is_left_out() -> None:
    labels = {"team": "vision", "app": "x", "bad": "a\nb", "long": "x" * 300, "number": 3}
    assert searchable_labels({"metadata": {"labels": labels}}) == ["app=x", "team=vision"]


def test_a_keyword_has_no_control_characters_and_255_at_most() -> None:
    assert searchable_text("ana\n@host") == "ana@host"
    assert len(searchable_text("x" * 300)) == 255


SINCE = datetime(2026, 11, 23, tzinfo=timezone.utc)


def test_a_filter_is_a_query() -> None:
    query = query_for({"name": "it's", "phase": "Running", "labels": {"a": "b"}, "since": SINCE})
    assert "JobName = 'it\\'s'" in query
    assert "JobPhase = 'Running' AND ExecutionStatus = 'Running'" in query
    assert "JobLabels = 'a=b'" in query
    assert f"StartTime >= '{SINCE.astimezone().isoformat()}'" in query


def test_several_phases_are_one_condition_and_a_closed_workflow_with_an_end_keeps_it() -> None:
    query = query_for({"phase": ["Running", "Stopped"]})
    assert "((JobPhase = 'Running' AND ExecutionStatus = 'Running') OR (JobPhase = 'Stopped' OR" in query
    assert "JobPhase NOT IN ('Completed', 'Failed', 'Stopped')" in query


def test_a_text_is_searched_as_it_is_recorded_and_labels_that_a_store_refuses_are_left_out() -> None:
    query = query_for({"submitted_by": "ana\n@host", "labels": {"bad": "a\nb", "team": "vision"}})
    assert "JobSubmittedBy = 'ana@host'" in query
    assert query.count("JobLabels") == 1


JOB = JobSummary(
    workflow_id="job/ml/resnet",
    run_id="run",
    kind="PyTorchJob",
    name="resnet",
    namespace="ml",
    phase="Failed",
    attempt=1,
    labels={"team": "vision"},
    start_time=SINCE,
)


@pytest.mark.parametrize(
    ("chosen", "matches"),
    [
        ({}, True),
        ({"name": "resnet", "namespace": None}, True),
        ({"namespace": "other"}, False),
        ({"phase": ["Failed", "Stopped"]}, True),
        ({"phase": "Running"}, False),
        ({"labels": {"team": "vision"}}, True),
        ({"labels": {"team": "nlp"}}, False),
        ({"since": SINCE, "until": SINCE + timedelta(seconds=1)}, True),
        ({"since": SINCE + timedelta(seconds=1)}, False),
        ({"until": SINCE}, False),
    ],
)
def test_jobs_are_filtered_where_no_search_attributes_are_registered_yet(
    chosen: FilterOptions,
    *,
    matches: bool,
) -> None:
    assert _matches(JOB, chosen) is matches


def test_phases_kinds_and_reasons_may_be_in_any_case() -> None:
    exact = exact_filter({"kind": "pytorchjob", "phase": ["RUNNING", "failed"], "reason": "nodelost", "name": "A"})
    assert exact == {"kind": "PyTorchJob", "phase": ["Running", "Failed"], "reason": "NodeLost", "name": "A"}
    assert exact_filter({"phase": "stopped", "kind": None}) == {"phase": "Stopped", "kind": None}


@pytest.mark.parametrize("chosen", [{"phase": "Ended"}, {"phase": ["Running", "Ended"]}])
def test_an_unknown_word_is_refused(chosen: FilterOptions) -> None:
    with pytest.raises(RefusedError, match=r"phase: expected one of Pending, .*Stopped, got Ended\."):
        exact_filter(chosen)
