from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from signalbox import RefusedError
from signalbox._runs import check_run, jobs_meant

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True)
class _Job:
    run_ids: Sequence[str]


NEWEST = _Job(("0c11d001-01", "0c11d009-02"))
BEFORE = _Job(("5f0c1a2b-03",))
OLDEST = _Job(("5f0c1aff-04",))


@pytest.mark.parametrize(
    ("run", "meant"),
    [
        ("-1", [BEFORE]),
        ("-2", [OLDEST]),
        ("-3", []),
        ("0c11d009", [NEWEST]),
        ("5f0c1a", [BEFORE, OLDEST]),
        ("5f0c1a2", [BEFORE]),
        ("ffffff", []),
    ],
)
def test_a_run_means_these_jobs(run: str, meant: list[_Job]) -> None:
    assert jobs_meant([NEWEST, BEFORE, OLDEST], run) == meant


@pytest.mark.parametrize("text", ["", "-0", "1", "5f0c", "newest", "5F0C1A"])
def test_what_is_no_run_is_refused(text: str) -> None:
    with pytest.raises(RefusedError, match="run: expected -1 for the job before the newest"):
        check_run(text)
