from datetime import datetime, timezone

from signalbox._list import query_for
from signalbox._search import searchable_labels, searchable_text


def test_labels_are_searched_as_pairs_and_what_a_store_refuses_is_left_out() -> None:
    labels = {"team": "vision", "app": "x", "bad": "a\nb", "long": "x" * 300, "number": 3}
    assert searchable_labels({"metadata": {"labels": labels}}) == ["app=x", "team=vision"]


def test_a_keyword_has_no_control_characters_and_255_at_most() -> None:
    assert searchable_text("ana\n@host") == "ana@host"
    assert len(searchable_text("x" * 300)) == 255


def test_a_filter_is_a_query() -> None:
    since = datetime(2026, 11, 23, tzinfo=timezone.utc)
    query = query_for({"name": "it's", "phase": "Running", "labels": {"a": "b"}, "since": since})
    assert "JobName = 'it\\'s'" in query
    assert "JobPhase = 'Running' AND ExecutionStatus = 'Running'" in query
    assert "JobLabels = 'a=b'" in query
    assert "StartTime >= '2026-11-23T00:00:00+00:00'" in query
