"""Lists and counts jobs in Temporal's visibility store."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator, Mapping
from datetime import datetime
from typing import Any, cast

from temporalio.client import Client as TemporalClient
from temporalio.service import RPCError

from . import _names as names
from ._search import quoted, searchable_labels, searchable_text
from ._temporal import is_about_search_attributes
from .errors import RefusedError
from .models.filters import BOUNDS, CLAUSES, WORD_CLAUSES, WORDS, FilterOptions
from .summary import PHASES, JobSummary, told_summary_of

_OF_JOBS = f"WorkflowType = {quoted(names.TRAINING_JOB)} AND ExecutionStatus != 'ContinuedAsNew'"
_MOST_IN_A_PAGE = 500


async def list_jobs(temporal: TemporalClient, chosen: FilterOptions, limit: int | None) -> AsyncIterator[JobSummary]:
    """Yield live jobs first, then ended ones, newest first in each group, as the visibility store sorts them."""
    chosen = exact_filter(chosen)
    left = float("inf") if limit is None else limit
    if left < 1:
        return
    async for job in _found(temporal, chosen, limit):
        if not _matches(job, chosen):
            continue
        yield job
        left -= 1
        if left < 1:
            return


async def count_jobs(temporal: TemporalClient, chosen: FilterOptions) -> dict[str, int]:
    """Return the number of jobs by phase; phases without a job are left out."""
    counts = Counter([job.phase async for job in list_jobs(temporal, chosen, None)])
    return {phase: counts[phase] for phase in PHASES if counts[phase]}


def exact_filter(chosen: FilterOptions) -> FilterOptions:
    """Return a filter with its words in their usual case. Raises `RefusedError` for an unknown one."""
    exact: Any = dict(chosen)
    for name in WORDS.keys() & chosen.keys():
        value = exact[name]
        if value:
            exact[name] = _word(name, value) if isinstance(value, str) else [_word(name, one) for one in value]
    return cast("FilterOptions", exact)


def _word(name: str, given: str) -> str:
    for word in WORDS[name]:
        if word.lower() == given.lower():
            return word
    raise RefusedError(f"{name}: expected one of {', '.join(WORDS[name])}, got {given}.")


async def _found(temporal: TemporalClient, chosen: FilterOptions, limit: int | None) -> AsyncIterator[JobSummary]:
    page_size = min(limit or _MOST_IN_A_PAGE, _MOST_IN_A_PAGE)
    try:
        async for info in temporal.list_workflows(query_for(chosen), page_size=page_size):
            yield await told_summary_of(info)
    except RPCError as error:
        if not is_about_search_attributes(error):
            raise
        # The first worker registers the search attributes, so there was no worker yet.
        async for info in temporal.list_workflows(_OF_JOBS, page_size=page_size):
            yield await told_summary_of(info)


def _matches(job: JobSummary, chosen: FilterOptions) -> bool:
    """Filter what the query lets through: jobs without search attributes, and ids of a wrong namespace."""
    return all(_has(job, name, value) for name, value in _given(chosen))


def _has(job: JobSummary, name: str, value: Any) -> bool:
    if name in BOUNDS:
        field, compares = BOUNDS[name]
        at: datetime = getattr(job, field)
        bound: datetime = value.astimezone()
        return at >= bound if compares == ">=" else at < bound
    if isinstance(value, Mapping):
        return bool(value.items() <= job.labels.items())
    found = getattr(job, name)
    return found in ([value] if isinstance(value, str) else value)


def query_for(chosen: FilterOptions) -> str:
    """Return the query of Temporal's visibility store."""
    return " AND ".join([_OF_JOBS, *(clause for name, value in _given(chosen) for clause in _clauses(name, value))])


def _clauses(name: str, value: Any) -> list[str]:
    if isinstance(value, Mapping):
        return [_clause(name, label) for label in searchable_labels({"metadata": {"labels": value}})]
    if isinstance(value, datetime):
        return [_clause(name, value.astimezone().isoformat())]
    if isinstance(value, str):
        return [_clause(name, searchable_text(value))]
    return [f"({' OR '.join(_clause(name, one) for one in value)})"]


def _clause(name: str, value: str) -> str:
    return WORD_CLAUSES.get(name, {}).get(value) or CLAUSES[name].replace("{value}", quoted(value)[1:-1])


def _given(chosen: FilterOptions) -> list[tuple[str, Any]]:
    return [(name, value) for name, value in chosen.items() if value]
