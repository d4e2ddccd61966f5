import type { JobHandle } from '../../client/handles/job-handle.ts';
import { pause } from '../../language/timers.ts';
import { note } from '../print/output.ts';

/** So long Temporal may remember a worker that was killed. */
const LOOK_AGAIN_MS = 5_000;

/** Says once, while a job is waited for, that no worker has taken it. Looks until one answers for it. */
export async function noteMissingWorker(
  job: Pick<JobHandle, 'workflowId' | 'status'>,
  signal: AbortSignal,
): Promise<void> {
  let isSaid = false;
  while (!signal.aborted) {
    const status = await job.status({ signal }).catch(() => undefined);
    if (signal.aborted || (status && status.recordedIn === undefined)) return;
    // With an anchor, a worker had taken it before.
    if (status?.recordedIn === 'temporal' && !isSaid) {
      note(`${job.workflowId}: no worker has taken the job yet. It starts when one does: signalbox up`);
      isSaid = true;
    }
    await pause(LOOK_AGAIN_MS, signal);
  }
}
