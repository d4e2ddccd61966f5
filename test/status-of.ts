import type { JobHandle } from '../client/handles/job-handle.ts';
import type { JobStatus } from '../contracts/types.ts';
import { eventually } from './eventually.ts';

/** The status that a worker answers. On a busy machine `job.status()` may return the last record, which is older. */
export const statusOf = (job: JobHandle): Promise<JobStatus> =>
  eventually('a worker answers', async () => {
    const status = await job.status();
    return status.recordedIn === undefined && status;
  });
