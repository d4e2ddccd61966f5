import type { Client } from '@temporalio/client';
import { workflowIdOf } from '../../../contracts/labels.ts';
import { manifestHashOf } from '../../../contracts/manifest-hash.ts';
import { translated } from '../../servers/ask.ts';
import type { CleanUpOptions } from '../../servers/client-settings.ts';
import type { SubmittedJob } from '../../servers/job-id.ts';
import type { ClientPorts, TemporalPort } from '../../servers/ports.ts';
import { retryWhileAway } from '../../servers/retry-while-away.ts';
import { hadNoWorker } from '../../servers/worker-presence.ts';
import { untilCleanedUp } from './clean-up.ts';
import { type Submission, type Submitted, submissionOf } from './submit.ts';

type JobSubmission = Omit<Submission, 'workflowId' | 'hash' | 'taskQueue' | 'submittedBy'> & {
  readonly workflowId: string | undefined;
};

type SubmittingPorts = TemporalPort & Pick<ClientPorts, 'taskQueue' | 'user'>;

/**
 * Starts a job, or finds it started. If the last job of the name has ended and is still being cleaned up, waits for that
 * first.
 */
export function submitJob(
  ports: SubmittingPorts,
  submission: JobSubmission,
  options: CleanUpOptions,
): Promise<SubmittedJob> {
  const { temporal, taskQueue, user: submittedBy } = ports;
  const workflowId = submission.workflowId ?? workflowIdOf(submission.manifest.metadata);
  const hash = manifestHashOf(submission.manifest);
  return translated({ ports, workflowId }, async () => {
    const [{ state, result, ...run }, warnings] = await Promise.all([
      submitInTurn(temporal, { ...submission, workflowId, hash, taskQueue, submittedBy }, options),
      warningsOfSubmission(temporal, taskQueue),
    ]);
    return { ...run, submission: result, warnings };
  });
}

async function submitInTurn(
  temporal: Client,
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
async function warningsOfSubmission(temporal: Client, taskQueue: string): Promise<readonly string[]> {
  const isAlone = await hadNoWorker(temporal, taskQueue).catch(() => false);
  return isAlone
    ? [`No worker is polling task queue ${taskQueue}; the job starts when one does: \`signalbox up\`.`]
    : [];
}
