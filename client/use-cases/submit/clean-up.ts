import type { Client, WorkflowExecutionDescription } from '@temporalio/client';
import type { JobStatus } from '../../../contracts/types.ts';
import { formatDuration } from '../../../language/duration.ts';
import { timeoutSignal } from '../../../language/timers.ts';
import { recordedPhase } from '../../../temporal/live-jobs.ts';
import type { CleanUpOptions } from '../../servers/client-settings.ts';
import { watchStatus } from '../../servers/watch-status.ts';
import { nameHeld, nameNotFree } from './name-taken.ts';

/** As long as a new job waits for pods that an earlier one of its name has left, in milliseconds. */
const DEFAULT_TIMEOUT_MS = 600_000;

/** The state in which failed pods are kept after the outcome is decided. */
const HOLDING = 'Finishing.Holding';

/**
 * Waits until an ended job has been cleaned up, which makes its name free. Throws `NameTakenError` if that takes too
 * long, or if its failed pods are held, which only a user ends.
 */
export async function untilCleanedUp(
  client: Client,
  job: WorkflowExecutionDescription,
  { cleanUpTimeout = DEFAULT_TIMEOUT_MS, cleanUpSignal, onCleanUp, signal }: CleanUpOptions,
): Promise<void> {
  const limit = timeoutSignal(cleanUpTimeout);
  let phase: string = recordedPhase(job);
  let why = '';
  onCleanUp?.(sentenceOfCleanUp(job, phase, why));
  try {
    const either = AbortSignal.any([signal, cleanUpSignal, limit].filter((one) => one !== undefined));
    const run = { workflowId: job.workflowId, runId: job.runId };
    for await (const status of watchStatus(client, run, { signal: either })) {
      if (status.state === HOLDING) throw nameHeld(job, status);
      if (why === whyOf(status)) continue;
      phase = status.phase;
      why = whyOf(status);
      if (!hasEnded(status)) onCleanUp?.(sentenceOfCleanUp(job, phase, why));
    }
  } catch (error) {
    if (error !== limit.reason) throw error;
    throw nameNotFree(job, { phase, why, waited: formatDuration(cleanUpTimeout) });
  }
}

const whyOf = ({ cause }: JobStatus) => cause?.message ?? '';

const hasEnded = ({ state, phase }: JobStatus) => state === phase;

const sentenceOfCleanUp = ({ workflowId }: WorkflowExecutionDescription, phase: string, why: string) =>
  `${workflowId} has ended, ${phase}, and is being cleaned up; the new job starts after that${why && ` (${why})`}`;
