import { JOB_KINDS } from '../../../client/manifests/kinds.ts';
import type { Filter, FilterValues, JobFilterName } from '../../../contracts/filters.ts';
import { REASON_CODES } from '../../../contracts/reasons.ts';
import { PHASES } from '../../../contracts/status.ts';
import { FILTERS_OF_ARCHIVES, FILTERS_OF_LISTS } from '../job-filters.ts';
import { assignment, docstring, header, optionalField, snakeCase } from './source.ts';

const IMPORTS = `
from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from typing_extensions import TypedDict
`;

type Row = readonly [JobFilterName, Filter];

/** Returns python/src/signalbox/models/filters.py: the filters of lists, with their conditions as data. */
export const pythonFilters = (): string =>
  `${header('contracts/filters.ts')}${IMPORTS}

${optionsClass('FilterOptions(TypedDict', 'Which jobs to list or count. What is not given matches every job. Phases, kinds and reasons may be in any case.', FILTERS_OF_LISTS)}

${optionsClass('ArchiveFilter(FilterOptions', 'Which archived jobs to list. What is not given matches every job.', FILTERS_OF_ARCHIVES)}

${assignment(
  'CLAUSES: Mapping[str, str]',
  byName(FILTERS_OF_LISTS, ([, row]) => clauseOf(row, PLACEHOLDER)),
)}${docstring('The condition of the visibility store, with a value as `{value}`.', '')}

${assignment('WORD_CLAUSES: Mapping[str, Mapping[str, str]]', byName(FILTERS_OF_LISTS, clausesOfWords))}${docstring('The conditions of values that have one of their own.', '')}

${assignment(
  'WORDS: Mapping[str, Sequence[str]]',
  byName(FILTERS_OF_LISTS, ([, { takes }]) => WORDS[takes]),
)}${docstring('The words that a filter takes, in any case.', '')}

${assignment('BOUNDS: Mapping[str, Sequence[str]]', byName(FILTERS_OF_LISTS, boundOf))}${docstring('Times: which time of a job, and how it compares with the value.', '')}
`;

function optionsClass(head: string, doc: string, rows: readonly Row[]): string {
  const fields = rows.map(
    ([name, { takes, only }]) =>
      `${optionalField(snakeCase(name), TYPES[takes])}\n${docstring(`Only jobs ${only}.`)}`,
  );
  return `class ${head}, total=False):\n${docstring(doc)}\n\n${fields.join('\n')}\n`;
}

const TYPES: Readonly<Record<keyof FilterValues, string>> = {
  text: 'str',
  kind: 'str',
  phases: 'str | Sequence[str]',
  reason: 'str',
  labels: 'Mapping[str, str]',
  time: 'datetime',
};

const byName = (rows: readonly Row[], of: (row: Row) => unknown): object =>
  Object.fromEntries(
    rows.map((row) => [snakeCase(row[0]), of(row)] as const).filter(([, value]) => value !== undefined),
  );

const PLACEHOLDER = '{value}';

/** Returns the condition for one word, text, or label. */
function clauseOf({ takes, clauses }: Filter, word: string): string {
  return ask(clauses as Ask).join(' AND ');

  function ask(of: Ask): readonly string[] {
    if (takes === 'phases') return of([word]);
    if (takes === 'labels') return of({ [word]: '' }).map((label) => label.replace(`${word}=`, word));
    return of(takes === 'time' ? { toISOString: () => word } : word);
  }
}

type Ask = (value: unknown) => readonly string[];

function clausesOfWords([, row]: Row): object | undefined {
  const words = WORDS[row.takes] ?? [];
  const own = words.filter(
    (word) => clauseOf(row, word) !== clauseOf(row, PLACEHOLDER).replace(PLACEHOLDER, word),
  );
  return own.length > 0 ? Object.fromEntries(own.map((word) => [word, clauseOf(row, word)])) : undefined;
}

const WORDS: Readonly<Partial<Record<keyof FilterValues, readonly string[]>>> = {
  kind: JOB_KINDS,
  phases: PHASES,
  reason: REASON_CODES,
};

const boundOf = ([, { bound }]: Row): readonly string[] | undefined =>
  bound && [snakeCase(bound[0]), bound[1]];
