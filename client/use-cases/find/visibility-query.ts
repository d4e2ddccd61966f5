import { type ExactFilter, filterClauses } from '../../../contracts/filters.ts';
import { workflowIdOf } from '../../../contracts/labels.ts';
import { TRAINING_JOB } from '../../../contracts/messages.ts';
import { ATTRIBUTE_NAMES } from '../../../contracts/search-attribute-names.ts';
import { anyClause, attributeIs, quoted } from '../../../contracts/visibility-query.ts';
import type { JobName } from '../../servers/job-name.ts';

/** All jobs, by what Temporal itself records. */
export const OF_JOBS = `WorkflowType = ${quoted(TRAINING_JOB)} AND ExecutionStatus != 'ContinuedAsNew'`;

/** Returns the query for all runs of a workflow id, also those that were continued. */
export const runsOfIdQuery = (workflowId: string): string =>
  `WorkflowType = ${quoted(TRAINING_JOB)} AND WorkflowId = ${quoted(workflowId)}`;

/** Returns the query for all runs of jobs with this name, whatever their workflow ids. */
export function runsOfNameQuery({ name, namespace }: JobName): string {
  const named = `(${attributeIs(ATTRIBUTE_NAMES.name, name)} AND ${attributeIs(ATTRIBUTE_NAMES.namespace, namespace)})`;
  const ofUsualId = `WorkflowId = ${quoted(workflowIdOf({ name, namespace }))}`;
  return `WorkflowType = ${quoted(TRAINING_JOB)} AND ${anyClause([named, ofUsualId])}`;
}

/** Returns the query of the visibility store for jobs that match a filter. */
export const queryFor = (filter: ExactFilter): string => [OF_JOBS, ...filterClauses(filter)].join(' AND ');
