import type { JobHandle } from '../../client/job-handle.ts';
import type { JobOutcome, JobStatus } from '../../contracts/status.ts';
import { IncompleteError } from './milestone.ts';

/** A job as somebody sees it who follows it from its start to its end, through all runs of its workflow. */
export interface FollowedJob {
  /** The first status from now on for which this holds; throws `IncompleteError` if there is none within `limitMs`. */
  until(what: string, holds: (status: JobStatus) => boolean, limitMs: number): Promise<JobStatus>;
  readonly outcome: Promise<JobOutcome>;
}

export function follow(job: JobHandle): FollowedJob {
  let latest: JobStatus | undefined;
  const listeners = new Set<(status: JobStatus) => void>();
  const outcome = job.follow((status) => {
    latest = status;
    for (const listen of listeners) listen(status);
  });
  outcome.catch(() => undefined); // Whoever awaits it is told.
  return {
    outcome,
    until: (what, holds, limitMs) =>
      new Promise((resolve, reject) => {
        const found = (status: JobStatus) => {
          if (!holds(status)) return;
          clearTimeout(patience);
          listeners.delete(found);
          resolve(status);
        };
        const patience = setTimeout(() => {
          listeners.delete(found);
          const last = latest && `attempt ${latest.attempt}, ${latest.state}: ${latest.cause?.message}`;
          reject(new IncompleteError(`expected within ${limitMs / 1000} s: ${what}; it is at ${last}`));
        }, limitMs);
        listeners.add(found);
        if (latest) found(latest);
      }),
  };
}
