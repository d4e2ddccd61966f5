import { type Client, WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import type { SubmissionResult } from '../../servers/client-settings.ts';
import { isTransientTemporalError } from '../../servers/temporal-errors.ts';
import { type EndingJob, type FoundRun, findSubmission } from './find-submission.ts';
import { type StartedJob, startJob } from './start-job.ts';

/** What is submitted, and as what. */
export interface Submission extends Omit<StartedJob, 'reusePolicy'> {
  /** Run a completed job again. */
  readonly rerun: boolean;
  /** A completed job with this manifest is the same, whatever its key. */
  readonly acceptsCompleted?: boolean;
}

export interface Submitted extends FoundRun {
  readonly state: 'submitted';
  readonly result: SubmissionResult;
}

/** Another client may start a job between look and start; after each such round some client's job has started. */
const ROUNDS = 5;

/**
 * Returns a function that submits a job, and may be called again after an error. Submitting the same manifest twice, or
 * with the same key, has no effect; another manifest with the same name is rejected while the first job is live. While an
 * ended one is cleaned up, that job is returned, and nothing is started. The server resolves races: the start states the
 * condition it relies on.
 */
export function submissionOf(client: Client, submission: Submission): () => Promise<Submitted | EndingJob> {
  let lostAfter: { readonly runId: string | undefined } | undefined;
  return async () => {
    for (let round = 1; ; round++) {
      const found = await findSubmission(client, submission);
      if (found.state === 'ending') return found;
      if (found.state === 'same') {
        const isOurs = lostAfter !== undefined && lostAfter.runId !== found.run.runId;
        return { ...found.run, state: 'submitted', result: isOurs ? 'started' : found.result };
      }
      try {
        const runId = await startJob(client, { ...submission, reusePolicy: found.reusePolicy });
        const { workflowId } = submission;
        return { state: 'submitted', workflowId, runId, firstRunId: runId, result: 'started' };
      } catch (error) {
        // The server may have started the job, and only its answer was lost.
        if (isTransientTemporalError(error)) lostAfter = { runId: found.lastRunId };
        if (!(error instanceof WorkflowExecutionAlreadyStartedError) || round === ROUNDS) throw error;
      }
    }
  };
}
