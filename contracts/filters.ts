import { keysOf } from '../language/fields.ts';
import type { ReasonCode } from './reasons.ts';
import { ATTRIBUTE_NAMES } from './search-attribute-names.ts';
import { searchableLabels, searchableText } from './searchable.ts';
import { FINAL_PHASES, isFinal } from './status.ts';
import type { Phase } from './types.ts';
import { anyClause, attributeIs, quoted, quotedList } from './visibility-query.ts';

/** What of a listed job filters look at. */
interface ListedJob {
  readonly namespace: string;
  readonly name: string;
  readonly kind: string;
  readonly phase: Phase;
  readonly reason?: ReasonCode;
  readonly submittedBy?: string;
  readonly labels?: Readonly<Record<string, string>>;
  /** RFC 3339. */
  readonly startTime: string;
  readonly endTime?: string;
}

/** What filters take, once it has been read. */
export interface FilterValues {
  readonly text: string;
  readonly kind: string;
  readonly phases: readonly Phase[];
  readonly reason: ReasonCode;
  readonly labels: Readonly<Record<string, string>>;
  readonly time: Date;
}

export interface Filter<T extends keyof FilterValues = keyof FilterValues> {
  readonly takes: T;
  /** Completes `only jobs …`, for help and docs. */
  readonly only: string;
  /** The option of the command line. */
  readonly flag?: string;
  /** Conditions of the visibility store. Without them, the filter is for the archive alone. */
  readonly clauses?: (value: FilterValues[T]) => readonly string[];
  readonly matches: (job: ListedJob, value: FilterValues[T]) => boolean;
  /** A time as a bound. */
  readonly bound?: readonly ['startTime' | 'endTime', '>=' | '<'];
  /** Completes `No jobs …`. */
  readonly inWords: (value: FilterValues[T]) => string;
}

/** What chooses jobs of a list: one row a filter, for the libraries, the command line, the archive, `rpc` and docs. */
const ROWS = {
  namespace: {
    takes: 'text',
    only: 'of this namespace',
    // A job that ended before a worker saw it may show its namespace only in its workflow id.
    clauses: (namespace) => [
      anyClause([
        attributeIs(ATTRIBUTE_NAMES.namespace, namespace),
        `WorkflowId STARTS_WITH ${quoted(`job/${namespace}/`)}`,
      ]),
    ],
    matches: (job, namespace) => job.namespace === namespace,
    inWords: (namespace) => `in namespace ${namespace}`,
  },
  name: {
    takes: 'text',
    only: 'of this name',
    clauses: (name) => [attributeIs(ATTRIBUTE_NAMES.name, name)],
    matches: (job, name) => job.name === name,
    inWords: (name) => `called ${name}`,
  },
  kind: {
    takes: 'kind',
    only: 'of this kind',
    flag: '--kind <kind>',
    clauses: (kind) => [attributeIs(ATTRIBUTE_NAMES.kind, kind)],
    matches: (job, kind) => job.kind === kind,
    inWords: (kind) => `of kind ${kind}`,
  },
  labels: {
    takes: 'labels',
    only: 'with these labels',
    flag: '-l, --selector <key=value>',
    clauses: (labels) =>
      searchableLabels({ metadata: { labels } }).map((label) => attributeIs(ATTRIBUTE_NAMES.labels, label)),
    matches: (job, labels) => Object.entries(labels).every(([key, value]) => job.labels?.[key] === value),
    inWords: (labels) =>
      `with ${Object.entries(labels)
        .map((label) => label.join('='))
        .join(', ')}`,
  },
  submittedBy: {
    takes: 'text',
    only: 'that this user submitted',
    flag: '--submitted-by <user>',
    clauses: (user) => [attributeIs(ATTRIBUTE_NAMES.submittedBy, searchableText(user))],
    matches: (job, user) => job.submittedBy === user,
    inWords: (user) => `submitted by ${user}`,
  },
  since: {
    takes: 'time',
    only: 'submitted then or later',
    flag: '--since <time>',
    ...bound('startTime', '>='),
    clauses: (time) => [`StartTime >= ${quoted(time.toISOString())}`],
    inWords: (time) => `submitted since ${time.toISOString()}`,
  },
  until: {
    takes: 'time',
    only: 'submitted before then',
    flag: '--until <time>',
    ...bound('startTime', '<'),
    clauses: (time) => [`StartTime < ${quoted(time.toISOString())}`],
    inWords: (time) => `submitted before ${time.toISOString()}`,
  },
  endedSince: {
    takes: 'time',
    only: 'that ended then or later',
    ...bound('endTime', '>='),
    inWords: (time) => `ended since ${time.toISOString()}`,
  },
  endedBefore: {
    takes: 'time',
    only: 'that ended before then',
    ...bound('endTime', '<'),
    inWords: (time) => `ended before ${time.toISOString()}`,
  },
  phase: {
    takes: 'phases',
    only: 'in this phase',
    flag: '--phase <phase>',
    clauses: (phases) => [anyClause(phases.map(phaseClause))],
    matches: (job, phases) => phases.includes(job.phase),
    inWords: (phases) => `are ${phases.join(' or ')}`,
  },
  reason: {
    takes: 'reason',
    only: 'with this reason',
    flag: '--reason <code>',
    clauses: (reason) => [reasonClause(reason)],
    matches: (job, reason) => job.reason === reason,
    inWords: (reason) => `for the reason ${reason}`,
  },
} as const satisfies Readonly<Record<string, { [T in keyof FilterValues]: Filter<T> }[keyof FilterValues]>>;

export type JobFilterName = keyof typeof ROWS;

type Takes = { readonly [K in JobFilterName]: (typeof ROWS)[K]['takes'] };

export const FILTERS: { readonly [K in JobFilterName]: Filter<Takes[K]> } = ROWS;

/** Which jobs, by what was read of a filter. What is not given matches every job. */
export type ExactFilter = { readonly [K in JobFilterName]?: FilterValues[Takes[K]] };

/** Returns the conditions of the visibility store. */
export const filterClauses = (filter: ExactFilter): readonly string[] =>
  eachGiven(filter, ({ clauses }, value) => clauses?.(value) ?? []).flat();

export const matchesFilter = (job: ListedJob, filter: ExactFilter): boolean =>
  eachGiven(filter, ({ matches }, value) => matches(job, value)).every(Boolean);

/** Names all filters: `in namespace ml of kind PyTorchJob`. */
export const filterInWords = (filter: ExactFilter): string =>
  eachGiven(filter, ({ inWords }, value) => inWords(value)).join(' ');

function eachGiven<R>(
  filter: ExactFilter,
  ask: <T extends keyof FilterValues>(row: Filter<T>, value: FilterValues[T]) => R,
): R[] {
  const one = <K extends JobFilterName>(name: K): R[] => {
    const value = filter[name];
    return value === undefined ? [] : [ask<Takes[K]>(FILTERS[name], value)];
  };
  return keysOf(FILTERS).flatMap(one);
}

function bound(field: 'startTime' | 'endTime', is: '>=' | '<') {
  return {
    bound: [field, is],
    matches: (job: ListedJob, time: Date) => {
      const at = Date.parse(job[field] ?? '');
      return is === '<' ? at < time.getTime() : at >= time.getTime();
    },
  } as const;
}

/**
 * A terminated workflow keeps its last recorded phase, so Temporal's own status must match too. Each job matches one
 * phase.
 */
function phaseClause(phase: Phase): string {
  const recorded = attributeIs(ATTRIBUTE_NAMES.phase, phase);
  const statuses = ENDS[phase];
  if (statuses)
    return anyClause([recorded, `(ExecutionStatus IN (${quotedList(statuses)}) AND ${UNRECORDED_END})`]);
  return isFinal(phase) ? recorded : `(${recorded} AND ExecutionStatus = 'Running')`;
}

/** How Temporal closes workflows that cannot record their end. */
const ENDS: Readonly<Partial<Record<Phase, readonly string[]>>> = {
  Stopped: ['Terminated', 'Canceled', 'TimedOut'],
  Failed: ['Failed'],
};

const UNRECORDED_END = `(${ATTRIBUTE_NAMES.phase} IS NULL OR ${ATTRIBUTE_NAMES.phase} NOT IN (${quotedList(FINAL_PHASES)}))`;

/** The reason of a workflow that Temporal closed is only in its status. */
function reasonClause(reason: ReasonCode): string {
  const recorded = attributeIs(ATTRIBUTE_NAMES.reason, reason);
  const statuses = REASONS_OF_TEMPORAL[reason];
  return statuses ? anyClause([recorded, `ExecutionStatus IN (${quotedList(statuses)})`]) : recorded;
}

const REASONS_OF_TEMPORAL: Readonly<Partial<Record<ReasonCode, readonly string[]>>> = {
  Cancelled: ['Canceled'],
  WorkflowTerminated: ['Terminated', 'TimedOut'],
};
