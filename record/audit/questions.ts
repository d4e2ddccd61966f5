import { keysOf } from '../../language/fields.ts';
import type { TableName } from '../index/columns.ts';
import type { AuditFilter, BoundValue, FilterName } from './audit-filter.ts';

/** A question over all jobs: a table, what of it is asked, and which filters make sense. */
export interface Question {
  readonly table: TableName;
  /** What is left of the table before any filter. */
  readonly where?: string;
  readonly columns: readonly string[];
  /** What amounts of money follow from, if prices are given. */
  readonly priced?: 'device_uses';
  readonly order: string;
  /** The SQL that a filter means here, with a `?` for each time that its value is bound. */
  readonly filters: Readonly<Partial<Record<FilterName, string>>>;
}

export interface Statement {
  readonly sql: string;
  readonly values: readonly BoundValue[];
}

/** A name, with or without its namespace, or a workflow id; with @ and the beginning of a first run id, one job of these. */
function isJob(): string {
  const names = ['name', 'workflow_id', "namespace || '/' || name"];
  const isNamed = names.map((name) => `${name} = ?`).join(' OR ');
  const isRun = names.map((name) => `starts_with(${name} || '@' || first_run_id, ?)`).join(' OR ');
  return `(${isNamed} OR (contains(?, '@') AND (${isRun})))`;
}

const ofJob = {
  namespace: 'namespace = ?',
  kind: 'kind = ?',
  job: isJob(),
};

/** A name without a host also finds the name on any host. */
const isPerson = (column: string) =>
  `(${column} = ? OR (NOT contains(?, '@') AND split_part(${column}, '@', 1) = ?))`;
const by = (given: string) => `(${[given, 'authenticated_as', 'identity'].map(isPerson).join(' OR ')})`;
const isPart = (column: string) => `contains(lower(${column}), lower(?))`;
const between = (column: string) => ({ since: `${column} >= ?`, until: `${column} < ?` });
const onNode = "list_contains(string_split(nodes, ','), ?)";

const ENTRY_FILTERS = { ...ofJob, ...between('time'), rule: isPart('rule') };

export const QUESTIONS = {
  who: {
    table: 'entries',
    where: 'request IS NOT NULL',
    columns: [
      'time',
      'asked_by',
      'authenticated_as',
      'request',
      'namespace',
      'name',
      'first_run_id',
      'asked',
      'why',
      'refused',
    ],
    order: 'time DESC, workflow_id, seq DESC',
    filters: { ...ofJob, ...between('time'), by: by('asked_by'), request: 'request = ?' },
  },
  failures: {
    table: 'jobs',
    where: "phase = 'Failed'",
    columns: [
      ...[
        'ended',
        'namespace',
        'name',
        'first_run_id',
        'kind',
        'reason',
        'node',
        'pod',
        'exit_code',
        'attempts',
        'restarts',
      ],
      ...['rule', 'message'],
    ],
    order: 'ended DESC, workflow_id',
    filters: {
      ...{ ...ofJob, ...between('ended'), by: by('submitted_by') },
      ...{ reason: 'reason = ?', node: 'node = ?', rule: isPart('rule') },
    },
  },
  waits: {
    table: 'entries',
    where: 'wait_seconds IS NOT NULL',
    columns: [
      'time',
      'namespace',
      'name',
      'first_run_id',
      'kind',
      'attempt',
      'waiting_for',
      'wait_seconds',
      'message',
    ],
    order: 'wait_seconds DESC, time DESC, workflow_id',
    filters: { ...ofJob, ...between('time'), reason: 'waiting_for = ?', waited: 'wait_seconds >= ?' },
  },
  restarts: {
    table: 'entries',
    where: 'new_restarts IS NOT NULL',
    columns: [
      ...[
        'time',
        'namespace',
        'name',
        'first_run_id',
        'attempt',
        'new_restarts',
        'reason',
        'rule',
        'node',
        'pod',
        'exit_code',
      ],
      'message',
    ],
    order: 'time DESC, workflow_id, seq DESC',
    filters: { ...ENTRY_FILTERS, reason: 'reason = ?', node: onNode, restarted: 'new_restarts > 0' },
  },
  jobs: {
    table: 'jobs',
    columns: [
      ...[
        'submitted',
        'namespace',
        'name',
        'first_run_id',
        'kind',
        'phase',
        'reason',
        'submitted_by',
        'authenticated_as',
      ],
      ...[
        'attempts',
        'restarts',
        'gpus',
        'node',
        'longest_wait_for',
        'longest_wait_seconds',
        'total_seconds',
      ],
    ],
    order: 'submitted DESC, workflow_id',
    filters: {
      ...{ ...ofJob, ...between('submitted'), by: by('submitted_by'), phase: 'phase = ?' },
      ...{ reason: 'reason = ?', node: 'node = ?', rule: isPart('rule') },
      ...{ waited: 'longest_wait_seconds >= ?', restarted: '(restarts > 0 OR attempts > 1)' },
    },
  },
  cost: {
    table: 'jobs',
    where: 'device_uses IS NOT NULL',
    columns: [
      ...['submitted', 'namespace', 'name', 'first_run_id', 'kind', 'phase', 'submitted_by'],
      ...['authenticated_as', 'gpu_seconds', 'productive_gpu_seconds', 'unknown_gpu_seconds', 'restarts'],
    ],
    priced: 'device_uses',
    order: 'gpu_seconds DESC, submitted DESC, workflow_id',
    filters: {
      ...{ ...ofJob, by: by('submitted_by'), phase: 'phase = ?' },
      ...{ since: '(ended IS NULL OR ended >= ?)', until: 'submitted < ?' },
    },
  },
  entries: {
    table: 'entries',
    columns: [
      ...[
        'time',
        'namespace',
        'name',
        'first_run_id',
        'seq',
        'attempt',
        'from_state',
        'to_state',
        'cause',
        'request',
      ],
      ...['asked_by', 'reason', 'rule', 'node', 'message'],
    ],
    order: 'time DESC, workflow_id, seq DESC',
    filters: {
      ...{ ...ENTRY_FILTERS, by: by('asked_by'), phase: 'phase = ?', reason: 'reason = ?', node: onNode },
      ...{ request: 'request = ?', waited: 'wait_seconds >= ?', restarted: 'new_restarts > 0' },
    },
  },
} as const satisfies Record<string, Question>;

export type QuestionName = keyof typeof QUESTIONS;

/** How the rows of a question are wanted. */
interface QuestionOptions {
  readonly filter: AuditFilter;
  /** Counts rows by these columns of the table, which the caller has checked to be columns. */
  readonly count?: readonly string[];
  readonly limit?: number;
  /** Also asks for what amounts follow from. */
  readonly isPriced?: boolean;
}

/** Returns the statement of a question. Values of filters are bound; the text has no user input. */
export function statementOf(
  name: QuestionName,
  { filter, count, limit, isPriced }: QuestionOptions,
): Statement {
  const { table, where, columns: usual, priced, order, filters }: Question = QUESTIONS[name];
  const columns = isPriced && priced ? [...usual, priced] : usual;
  const given = keysOf(filters).filter((one) => isGiven(filter[one]));
  const conditions = [...(where ? [where] : []), ...given.map((one) => filters[one] ?? 'true')];
  const lines = [
    `SELECT ${count ? `${count.join(', ')}, count(*) AS count` : columns.join(', ')} FROM ${table}`,
    ...(conditions.length ? [`WHERE ${conditions.join(' AND ')}`] : []),
    ...(count ? ['GROUP BY ALL'] : []),
    `ORDER BY ${count ? `count DESC, ${count.join(', ')}` : order}`,
    ...(limit === undefined ? [] : ['LIMIT ?']),
  ];
  const values = given.flatMap((one) => boundIn(filters[one] ?? '', filter[one]));
  return { sql: lines.join(' '), values: limit === undefined ? values : [...values, limit] };
}

const isGiven = (value: AuditFilter[FilterName]): boolean => value !== undefined && value !== false;

/** Once for each place in the SQL; a switch has none. */
const boundIn = (sql: string, value: AuditFilter[FilterName]): BoundValue[] =>
  sql
    .split('?')
    .slice(1)
    .map(() => value as BoundValue);

/** Returns the filters that were given and that a question does not know. */
export const unknownFilters = (name: QuestionName, filter: AuditFilter): readonly FilterName[] =>
  keysOf(filter).filter((one) => isGiven(filter[one]) && !(one in QUESTIONS[name].filters));
