import type { WorkflowExecutionStatusName } from '@temporalio/client';

/** A paused workflow can resume, and one that continued as new has not ended. */
const OPEN: ReadonlySet<WorkflowExecutionStatusName> = new Set(['RUNNING', 'PAUSED', 'CONTINUED_AS_NEW']);

/** Whether a workflow in this status has not ended. */
export const isOpen = (status: WorkflowExecutionStatusName) => OPEN.has(status);
