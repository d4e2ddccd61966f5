import { workflowIdOf } from '../contracts/labels.ts';
import type { CallOptions } from './client-settings.ts';
import type { HandledJob } from './handled-job.ts';
import type { HandleContext } from './job-run.ts';
import { manifestHashOf } from './manifest-hash.ts';
import { retryWhileAway } from './retry-while-away.ts';
import { type Submission, submissionOf } from './submit.ts';
import { toClientError } from './temporal-errors.ts';
import { hasNoWorker } from './worker-presence.ts';

export type JobSubmission = Omit<Submission, 'workflowId' | 'hash'> & {
  readonly workflowId: string | undefined;
};

/** Starts a job, or finds it started, in the errors of this library. */
export async function submitJob(
  { temporal, temporalAddress: address }: Pick<HandleContext, 'temporal' | 'temporalAddress'>,
  submission: JobSubmission,
  options: CallOptions,
): Promise<HandledJob> {
  const workflowId = submission.workflowId ?? workflowIdOf(submission.manifest.metadata);
  const hash = manifestHashOf(submission.manifest);
  const submit = submissionOf(temporal, { ...submission, workflowId, hash });
  try {
    const [{ result, ...run }, warnings] = await Promise.all([
      retryWhileAway(temporal, options, submit),
      warningsOf(temporal, submission.taskQueue),
    ]);
    return { ...run, submission: result, warnings };
  } catch (error) {
    throw toClientError(error, { workflowId, address });
  }
}

/** Without a worker a job waits without an error. */
async function warningsOf(
  temporal: HandleContext['temporal'],
  taskQueue: string,
): Promise<readonly string[]> {
  const isAlone = await hasNoWorker(temporal, taskQueue).catch(() => false);
  return isAlone
    ? [`No worker asks for tasks of the queue ${taskQueue}; the job begins when one does: \`signalbox up\`.`]
    : [];
}
