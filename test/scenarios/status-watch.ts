import { setTimeout as delay } from 'node:timers/promises';
import { WorkerAwayError } from '../../client/errors/errors.ts';
import type { JobHandle } from '../../client/handles/job-handle.ts';
import type { KnownStatus } from '../../client/servers/recorded-status.ts';
import type { JobOutcome } from '../../contracts/status.ts';

/** Somebody who never lets a job out of sight: asks for its status, follows it, and waits for its end, all at once. */
export interface StatusWatch {
  /** What went wrong for them. */
  readonly complaints: readonly string[];
  readonly outcome: Promise<JobOutcome>;
  /** Resolves when the job has ended for them too. */
  leave(): Promise<void>;
}

const PAUSE_MS = 20;

/** `signal`: they turn away, however far the job has got. */
export function watchStatus(job: JobHandle, signal: AbortSignal): StatusWatch {
  const complaints: string[] = [];
  const complain = (error: unknown) => {
    if (!signal.aborted) complaints.push(String((error as Error).stack));
  };
  let ended = false;
  const asking = async () => {
    const isAhead = inOrder('status', complaints);
    while (!ended && !signal.aborted) {
      await job.status().then(isAhead, complain);
      await delay(PAUSE_MS);
    }
  };
  const watching = async () => {
    const isAhead = inOrder('watch', complaints);
    // On a busy machine a worker may not answer in time; the next change brings the status.
    const onInterrupted = (error: unknown) => error instanceof WorkerAwayError || complain(error);
    for await (const status of job.watch({ signal, onInterrupted })) isAhead(status);
  };
  const outcome = job.wait({ signal });
  const parts = [asking().catch(complain), watching().catch(complain), outcome.catch(complain)];
  return {
    complaints,
    outcome,
    leave: async () => {
      await outcome.catch(() => undefined);
      ended = true;
      await Promise.all(parts);
    },
  };
}

/**
 * A job does not go back: neither to an earlier attempt, nor to fewer restarts. A record may be older than what its worker
 * said before, and is told instead when the machine is too busy for the worker to answer.
 */
function inOrder(who: string, complaints: string[]): (status: KnownStatus) => void {
  let last = { attempt: 0, restarts: 0 };
  return ({ attempt, restarts, recordedIn }) => {
    if (recordedIn !== undefined) return;
    if (attempt < last.attempt || restarts < last.restarts) {
      complaints.push(`${who}: ${attempt}/${restarts} after ${last.attempt}/${last.restarts}`);
    }
    last = { attempt, restarts };
  };
}
