import { workflowIdOf } from '../../../contracts/labels.ts';
import { TRAINING_JOB } from '../../../contracts/messages.ts';
import type { ReasonCode } from '../../../contracts/reasons.ts';
import { SEARCH_ATTRIBUTES } from '../../../contracts/search-attributes.ts';
import { searchableLabels, searchableText } from '../../../contracts/searchable.ts';
import { FINAL_PHASES, isFinal, type Phase } from '../../../contracts/status.ts';
import { quoted } from '../../../temporal/quoted.ts';
import type { JobName } from '../../servers/job-name.ts';
import type { ExactFilter } from './job-filter.ts';

/** All jobs, by what Temporal itself records. */
export const OF_JOBS = `WorkflowType = ${quoted(TRAINING_JOB)} AND ExecutionStatus != 'ContinuedAsNew'`;

/** Returns the query for all runs of a workflow id, also those that were continued. */
export const runsOfIdQuery = (workflowId: string): string =>
  `WorkflowType = ${quoted(TRAINING_JOB)} AND WorkflowId = ${quoted(workflowId)}`;

/** Returns the query for all runs of jobs with this name, whatever their workflow ids. */
export function runsOfNameQuery({ name, namespace }: JobName): string {
  const named = `(${equals(SEARCH_ATTRIBUTES.name, name)} AND ${equals(SEARCH_ATTRIBUTES.namespace, namespace)})`;
  const ofUsualId = `WorkflowId = ${quoted(workflowIdOf({ name, namespace }))}`;
  return `WorkflowType = ${quoted(TRAINING_JOB)} AND ${anyOf([named, ofUsualId])}`;
}

/** Returns the query of the visibility store for jobs that match a filter. */
export function queryFor(filter: ExactFilter): string {
  const { namespace, name, kind, phases, reason, submittedBy, labels, since, until } = filter;
  const clauses = [
    OF_JOBS,
    namespace === undefined ? '' : namespaceClause(namespace),
    name === undefined ? '' : equals(SEARCH_ATTRIBUTES.name, name),
    kind === undefined ? '' : equals(SEARCH_ATTRIBUTES.kind, kind),
    phases.length === 0 ? '' : anyOf(phases.map(phaseClause)),
    reason === undefined ? '' : reasonClause(reason),
    submittedBy === undefined ? '' : equals(SEARCH_ATTRIBUTES.submittedBy, searchableText(submittedBy)),
    ...searchableLabels({ metadata: { labels } }).map((label) => equals(SEARCH_ATTRIBUTES.labels, label)),
    since === undefined ? '' : `StartTime >= ${quoted(since.toISOString())}`,
    until === undefined ? '' : `StartTime < ${quoted(until.toISOString())}`,
  ];
  return clauses.filter(Boolean).join(' AND ');
}

/** A job that ended before a worker saw it may show its namespace only in its workflow id. */
const namespaceClause = (namespace: string) =>
  anyOf([
    equals(SEARCH_ATTRIBUTES.namespace, namespace),
    `WorkflowId STARTS_WITH ${quoted(`job/${namespace}/`)}`,
  ]);

/**
 * A terminated workflow keeps its last recorded phase, so Temporal's own status must match too. Each job matches one
 * phase.
 */
function phaseClause(phase: Phase): string {
  const recorded = equals(SEARCH_ATTRIBUTES.phase, phase);
  const statuses = ENDS[phase];
  if (statuses)
    return anyOf([recorded, `(ExecutionStatus IN (${quotedList(statuses)}) AND ${UNRECORDED_END})`]);
  return isFinal(phase) ? recorded : `(${recorded} AND ExecutionStatus = 'Running')`;
}

/** How Temporal closes workflows that cannot record their end. */
const ENDS: Readonly<Partial<Record<Phase, readonly string[]>>> = {
  Stopped: ['Terminated', 'Canceled', 'TimedOut'],
  Failed: ['Failed'],
};

const UNRECORDED_END = `(${SEARCH_ATTRIBUTES.phase.name} IS NULL OR ${SEARCH_ATTRIBUTES.phase.name} NOT IN (${quotedList(FINAL_PHASES)}))`;

/** The reason of a workflow that Temporal closed is only in its status. */
function reasonClause(reason: ReasonCode): string {
  const recorded = equals(SEARCH_ATTRIBUTES.reason, reason);
  const statuses = REASONS_OF_TEMPORAL[reason];
  return statuses ? anyOf([recorded, `ExecutionStatus IN (${quotedList(statuses)})`]) : recorded;
}

const REASONS_OF_TEMPORAL: Readonly<Partial<Record<ReasonCode, readonly string[]>>> = {
  Cancelled: ['Canceled'],
  WorkflowTerminated: ['Terminated', 'TimedOut'],
};

const anyOf = (clauses: readonly string[]) => `(${clauses.join(' OR ')})`;

const equals = ({ name }: { readonly name: string }, value: string) => `${name} = ${quoted(value)}`;

function quotedList(values: readonly string[]): string {
  return values.map(quoted).join(', ');
}
