import type { JobHandle } from '../../client/handles/job-handle.ts';
import type { JobOutcome } from '../../contracts/status.ts';
import { type Lifetime, lifetimeOf } from '../print/lifetime.ts';

/** How a job ended, and when it was submitted and closed. */
export type JobEnd = JobOutcome & Lifetime;

/** Waits until a job has ended. */
export async function endOf(job: JobHandle, signal: AbortSignal): Promise<JobEnd> {
  const outcome = await job.wait({ signal });
  // An outcome is worth more than how long it took.
  const lifetime = await job.summary().then(lifetimeOf, (): Lifetime => ({}));
  return { ...outcome, ...lifetime };
}
