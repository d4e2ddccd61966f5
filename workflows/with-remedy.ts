import { workflowInfo } from '@temporalio/workflow';
import { jobArguments } from '../contracts/job-arguments.ts';
import { remedyOfCause } from '../contracts/remedies.ts';
import type { JobStatus } from '../contracts/types.ts';

/** Adds what helps with the cause of a status: clients in all languages read it there. */
export function withRemedy<Status extends JobStatus>(status: Status): Status {
  const { cause } = status;
  if (!cause || status.phase === 'Completed') return status;
  return {
    ...status,
    cause: { ...cause, remedy: remedyOfCause(cause, jobArguments(status, workflowInfo().workflowId)) },
  };
}
