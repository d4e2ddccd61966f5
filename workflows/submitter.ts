import { workflowInfo } from '@temporalio/workflow';
import { MEMO } from '../contracts/messages.ts';
import { SEARCH_ATTRIBUTES } from '../contracts/search-attributes.ts';
import { findScheduledStart } from './scheduled-start.ts';

/**
 * Returns who submitted the job: whom its start names, else the schedule or the workflow that started it, else `startedBy`, the identity
 * of the client that did. Temporal's own tools take a process and a host for that.
 */
export function findSubmitter(startedBy: string | undefined): string | undefined {
  const { memo, typedSearchAttributes, parent } = workflowInfo();
  const named = memo?.[MEMO.submittedBy] ?? typedSearchAttributes.get(SEARCH_ATTRIBUTES.submittedBy);
  if (typeof named === 'string') return named;
  const scheduled = findScheduledStart();
  if (scheduled) return `schedule ${scheduled.scheduleId}`;
  return parent ? `workflow ${parent.workflowId}` : startedBy?.replace(PROCESS_AND_HOST, 'unknown@$1');
}

/** The SDKs' default, e.g. `966@laptop@` of Go and `966@laptop` of TypeScript. */
const PROCESS_AND_HOST = /^\d+@([^@]+)@?$/;
