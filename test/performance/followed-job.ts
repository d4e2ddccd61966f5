import { setTimeout as delay } from 'node:timers/promises';
import type { JobHandle } from '../../client/handles/job-handle.ts';
import type { JobOutcome } from '../../contracts/status.ts';
import type { JobStatus } from '../../contracts/types.ts';
import { IncompleteError } from './milestone.ts';

/** A job as somebody sees it who follows it from its start to its end, through all runs of its workflow. */
export interface FollowedJob {
  /** The first status from now on for which this holds; throws `IncompleteError` if there is none within `limitMs`. */
  until(what: string, holds: (status: JobStatus) => boolean, limitMs: number): Promise<JobStatus>;
  /** Its outcome; throws `IncompleteError` if there is none within `limitMs`. */
  end(limitMs: number): Promise<JobOutcome>;
}

export function follow(job: JobHandle): FollowedJob {
  let latest: JobStatus | undefined;
  const listeners = new Set<(status: JobStatus) => void>();
  const watching = async () => {
    for await (const status of job.watch()) {
      latest = status;
      for (const listen of listeners) listen(status);
    }
    return job.wait();
  };
  const outcome = watching();
  outcome.catch(() => undefined); // Whoever waits for the end is told.
  const place = () => latest && `attempt ${latest.attempt}, ${latest.state}: ${latest.cause?.message}`;
  return {
    end: async (limitMs) => {
      const over = new AbortController();
      const tooLong = delay(limitMs, undefined, { signal: over.signal }).then(() => {
        throw new IncompleteError(`expected within ${limitMs / 1000} s: its end; it is at ${place()}`);
      });
      try {
        return await Promise.race([outcome, tooLong]);
      } finally {
        over.abort();
        tooLong.catch(() => undefined);
      }
    },
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
          reject(new IncompleteError(`expected within ${limitMs / 1000} s: ${what}; it is at ${place()}`));
        }, limitMs);
        listeners.add(found);
        if (latest) found(latest);
      }),
  };
}
