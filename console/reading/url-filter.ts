import type { ArchivedJobFilter, JobFilter } from '../../client/use-cases/find/job-filter.ts';
import { FILTERS, type FilterValues, type JobFilterName } from '../../contracts/filters.ts';
import { parseLabelPair } from '../../contracts/label-pair.ts';
import { keysOf } from '../../language/fields.ts';
import { parseMoment } from '../../language/moment.ts';
import { ProblemError } from '../http/problem-error.ts';

/** The filters that Temporal knows; the others are for the archive alone. */
export const URL_FILTERS: readonly JobFilterName[] = keysOf(FILTERS).filter(
  (name) => 'clauses' in FILTERS[name],
);

/** Reads the filters of an address: the same ones, by the same names, as `signalbox list` and the libraries have. */
export function filterOf(query: URLSearchParams): JobFilter {
  const given = URL_FILTERS.flatMap((name) => {
    const texts = query
      .getAll(name)
      .map((text) => text.trim())
      .filter(Boolean);
    return texts.length === 0 ? [] : [[name, READERS[FILTERS[name].takes](texts, name)] as const];
  });
  return Object.fromEntries(given) as ArchivedJobFilter;
}

type Reader = (texts: readonly string[], name: string) => unknown;

const first: Reader = ([text]) => text;

const READERS: Readonly<Record<keyof FilterValues, Reader>> = {
  text: first,
  kind: first,
  reason: first,
  phases: (texts) => texts.flatMap((text) => text.split(',')),
  labels: (texts, name) =>
    Object.fromEntries(texts.flatMap((text) => text.split(',')).map((text) => labelIn(text, name))),
  time: ([text], name) => momentIn(text!, name),
};

function labelIn(text: string, name: string): readonly [string, string] {
  const pair = parseLabelPair(text);
  if (pair) return pair;
  throw new ProblemError(400, `${name}: expected KEY=VALUE, got ${JSON.stringify(text)}.`);
}

/** A duration ago, or a time. `name`: of the field. */
export function momentIn(text: string, name: string): Date {
  const moment = parseMoment(text);
  if (moment === undefined)
    throw new ProblemError(
      400,
      `${name}: expected a day, a time like 2026-11-23T08:00:00Z or a duration ago like 2h, got ${JSON.stringify(text)}.`,
    );
  return typeof moment === 'number' ? new Date(Date.now() - moment) : moment;
}
