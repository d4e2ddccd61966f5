import { FILTERS, type Filter, type FilterValues, type JobFilterName } from '../../contracts/filters.ts';

/** Returns client/use-cases/find/job-filter.ts: the filters of lists as public types. */
export const jobFilters = (): string =>
  [
    `// Generated from contracts/filters.ts by \`npm run docs\`.

import type { ReasonCode } from '../../../contracts/reasons.ts';
import type { Phase } from '../../../contracts/types.ts';
`,
    publicType(
      'Which jobs to list. What is not given matches every job. Phases, kinds and reasons may be in any letter case.',
      `interface JobFilter {
${fieldsOf(FILTERS_OF_LISTS)}
  /** List at most this many. */
  readonly limit?: number;
  /** How many are fetched at a time; default: 500. */
  readonly pageSize?: number;
}`,
    ),
    publicType(
      'Which archived jobs to list.',
      `interface ArchivedJobFilter extends Omit<JobFilter, 'pageSize'> {
${fieldsOf(FILTERS_OF_ARCHIVES)}
}`,
    ),
    publicType('A word in its usual or in lower case.', 'type AnyCase<T extends string> = T | Lowercase<T>;'),
  ].join('\n');

const publicType = (doc: string, type: string): string =>
  `/**\n * ${doc}\n *\n * @public\n */\nexport ${type}\n`;

type Row = readonly [JobFilterName, Filter];

const ROWS = Object.entries(FILTERS) as unknown as readonly Row[];

export const FILTERS_OF_LISTS: readonly Row[] = ROWS.filter(([, { clauses }]) => clauses);

export const FILTERS_OF_ARCHIVES: readonly Row[] = ROWS.filter(([, { clauses }]) => !clauses);

const fieldsOf = (rows: readonly Row[]): string =>
  rows
    .map(([name, { takes, only }]) => {
      const { type, hint = '' } = TYPES[takes];
      return `  /** Only jobs ${only}${hint}. */\n  readonly ${name}?: ${type};`;
    })
    .join('\n');

interface TypeOfValue {
  readonly type: string;
  readonly hint?: string;
}

const TYPES: Readonly<Record<keyof FilterValues, TypeOfValue>> = {
  text: { type: 'string' },
  kind: { type: 'string', hint: ', e.g. `PyTorchJob`' },
  phases: { type: 'AnyCase<Phase> | readonly AnyCase<Phase>[]', hint: ', or one of several' },
  reason: { type: 'AnyCase<ReasonCode>', hint: ', e.g. `NodeLost`' },
  labels: { type: 'Readonly<Record<string, string>>', hint: ' in metadata.labels' },
  time: { type: 'Date | string', hint: '; text is RFC 3339' },
};
