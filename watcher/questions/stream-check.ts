import { errorMessage } from '../../language/error-message.ts';
import type { WatchedJob } from '../jobs/job.ts';

/** Compares what one stream has delivered of some jobs with what the API server has now. */
export interface StreamCheck {
  /** The stream's name, e.g. `v1/pods`. */
  readonly stream: string;
  /** Whether the digest of the job has anything of this stream. */
  concerns(job: WatchedJob): boolean;
  /** Finds the jobs, all of one namespace, of which the stream has not delivered everything. Throws without an answer. */
  findBehind(jobs: readonly WatchedJob[]): Promise<ReadonlySet<WatchedJob>>;
}

/** Why it is not known how a job is now. */
export interface Unproven {
  readonly stream: string;
  /** Absent if the stream is behind: it may still deliver what is missing. */
  readonly error?: string;
}

/** Runs all checks at once; finds the jobs of which the store does not prove to be up to date. */
export async function findUnproven(
  checks: readonly StreamCheck[],
  jobs: readonly WatchedJob[],
): Promise<ReadonlyMap<WatchedJob, Unproven>> {
  const found = await Promise.all(checks.map((check) => unprovenBy(check, jobs)));
  return new Map(found.flatMap((unproven) => [...unproven]));
}

async function unprovenBy(
  check: StreamCheck,
  jobs: readonly WatchedJob[],
): Promise<ReadonlyMap<WatchedJob, Unproven>> {
  const { stream } = check;
  const concerned = jobs.filter((job) => check.concerns(job));
  if (concerned.length === 0) return new Map();
  try {
    const behind = await check.findBehind(concerned);
    return new Map([...behind].map((job) => [job, { stream }]));
  } catch (error) {
    return new Map(concerned.map((job) => [job, { stream, error: errorMessage(error) }]));
  }
}
