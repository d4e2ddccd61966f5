import { workflowIdOf } from '../contracts/labels.ts';
import { untilCleanedUp } from './clean-up.ts';
import type { CleanUpOptions } from './client-settings.ts';
import type { HandledJob } from './handled-job.ts';
import type { HandleContext } from './job-run.ts';
import { manifestHashOf } from './manifest-hash.ts';
import { retryWhileAway } from './retry-while-away.ts';
import { type Submission, type Submitted, submissionOf } from './submit.ts';
import { toClientError } from './temporal-errors.ts';
import { hasNoWorker } from './worker-presence.ts';

export type JobSubmission = Omit<Submission, 'workflowId' | 'hash'> & {
  readonly workflowId: string | undefined;
};

/**
 * Starts a job, or finds it started, in the errors of this library. If the last job of the name has ended and is still
 * being cleaned up, waits for that first.
 */
export async function submitJob(
  { temporal, temporalAddress: address }: Pick<HandleContext, 'temporal' | 'temporalAddress'>,
  submission: JobSubmission,
  options: CleanUpOptions,
): Promise<HandledJob> {
  const workflowId = submission.workflowId ?? workflowIdOf(submission.manifest.metadata);
  const hash = manifestHashOf(submission.manifest);
  try {
    const [{ state, result, ...run }, warnings] = await Promise.all([
      submitInTurn(temporal, { ...submission, workflowId, hash }, options),
      warningsOf(temporal, submission.taskQueue),
    ]);
    return { ...run, submission: result, warnings };
  } catch (error) {
    throw toClientError(error, { workflowId, address });
  }
}

async function submitInTurn(
  temporal: HandleContext['temporal'],
  submission: Submission,
  options: CleanUpOptions,
): Promise<Submitted> {
  const submit = submissionOf(temporal, submission);
  for (;;) {
    const found = await retryWhileAway(temporal, options, submit);
    if (found.state === 'submitted') return found;
    await untilCleanedUp(temporal, found.job, options);
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
