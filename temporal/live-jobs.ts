import type { WorkflowExecutionInfo } from '@temporalio/client';
import { SEARCH_ATTRIBUTES } from '../contracts/search-attributes.ts';
import { isFinal } from '../contracts/status.ts';
import { isOpen } from './open-workflows.ts';

type Described = Pick<WorkflowExecutionInfo, 'status' | 'typedSearchAttributes'>;

/** Returns the phase that the job's workflow recorded last. */
export const recordedPhase = ({ typedSearchAttributes }: Pick<Described, 'typedSearchAttributes'>) =>
  typedSearchAttributes.get(SEARCH_ATTRIBUTES.phase) ?? 'Pending';

/** Whether a job's outcome is decided, though its workflow is open: it is cleaned up, or its failed pods are held. */
const isEnding = (job: Described) => isOpen(job.status.name) && isFinal(recordedPhase(job));

/** Whether a job's outcome is not decided yet. */
export const isLive = (job: Described) => isOpen(job.status.name) && !isEnding(job);
