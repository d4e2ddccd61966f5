import { ApplicationFailure, type Client, WorkflowUpdateFailedError } from '@temporalio/client';
import { workflowIdOf } from '../../../contracts/labels.ts';
import { JOB_ENDED, type UPDATES } from '../../../contracts/messages.ts';
import type { Intervention } from '../../../contracts/types.ts';
import { isAboutNoWorkflow } from '../../servers/temporal-errors.ts';
import { KUBERNETES } from '../submit/job-of-resource.ts';

interface AskedOfResource {
  readonly namespace: string;
  readonly name: string;
  readonly runId: string;
  readonly request: (typeof UPDATES)['suspend' | 'resume' | 'stop'];
  /** Asked again under the same, it is done once. */
  readonly updateId: string;
  readonly why: string;
}

/** Asks something of the job of a custom resource; returns why it refuses, if it does. */
export async function askJobOfResource(
  client: Client,
  { namespace, name, runId, request, updateId, why }: AskedOfResource,
): Promise<string | undefined> {
  const workflowId = workflowIdOf({ namespace, name });
  const handle = client.workflow.getHandle(workflowId, undefined, { firstExecutionRunId: runId });
  const args: [Intervention] = [{ by: KUBERNETES, why }];
  try {
    await handle.executeUpdate<unknown, [Intervention]>(request, { args, updateId });
    return undefined;
  } catch (error) {
    if (isAboutNoWorkflow(error)) return ENDED;
    const cause = error instanceof WorkflowUpdateFailedError ? error.cause : undefined;
    if (!(cause instanceof ApplicationFailure)) throw error;
    return cause.type === JOB_ENDED ? ENDED : cause.message;
  }
}

const ENDED = 'the job has ended';
