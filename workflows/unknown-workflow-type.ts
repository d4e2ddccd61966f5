import { ApplicationFailure, workflowInfo } from '@temporalio/workflow';
import { TRAINING_JOB } from '../contracts/messages.ts';
import { withoutStack } from './job-failures.ts';

/**
 * Runs instead of a workflow whose type does not exist. A misspelt type, or a kind of job instead of it, fails at once. Any
 * other type may be one of a newer version, so its workflow waits for a worker that knows it.
 */
export async function unknownWorkflowType(): Promise<never> {
  const { workflowType } = workflowInfo();
  const message = `workflow type: expected ${TRAINING_JOB}, got ${JSON.stringify(workflowType)}; jobs of all kinds have this type`;
  if (!isMistake(workflowType)) throw new TypeError(`this worker has no workflow of type ${workflowType}`);
  throw withoutStack(ApplicationFailure.nonRetryable(message, 'UnknownWorkflowType'));
}

const isMistake = (type: string) =>
  type.toLowerCase().replaceAll(/[^a-z]/g, '') === TRAINING_JOB.toLowerCase() || KIND.test(type);

/** Kubernetes writes kinds like this, and no workflow's type begins with a capital letter. */
const KIND = /^[A-Z][A-Za-z]*Job$/;
