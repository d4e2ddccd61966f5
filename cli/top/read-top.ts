import type { SignalboxClient } from '../../client/handles/client.ts';
import type { JobSummary } from '../../client/servers/summary.ts';
import type { JobDetails } from '../../client/use-cases/observe/job-details.ts';
import type { LogSigns } from '../../client/use-cases/pods/silence.ts';
import type { ExactFilter } from '../../contracts/filters.ts';
import { messageOfCause } from '../../contracts/message-of-cause.ts';
import { isFinal } from '../../contracts/status.ts';
import type { Phase } from '../../contracts/types.ts';
import { allOf } from '../../language/all-of.ts';
import { withoutUndefined } from '../../language/fields.ts';
import { keyOf, type TopJob } from './top-job.ts';

type TopClient = Pick<SignalboxClient, 'list' | 'count' | 'details' | 'logSigns' | 'job'>;

export interface ListedTop {
  readonly jobs: readonly JobSummary[];
  readonly counts: Readonly<Partial<Record<Phase, number>>>;
}

/** Lists jobs, and counts them where the list is cut. */
export async function listTop(client: TopClient, filter: ExactFilter, limit: number): Promise<ListedTop> {
  const jobs = await allOf(client.list({ ...filter, limit: limit + 1 }));
  if (jobs.length > limit) return { jobs: jobs.slice(0, limit), counts: await client.count(filter) };
  const counts: Partial<Record<Phase, number>> = {};
  for (const { phase } of jobs) counts[phase] = (counts[phase] ?? 0) + 1;
  return { jobs, counts };
}

/** How long what the cluster told of a live job is good for, on the screen and elsewhere. What has changed is asked at once. */
const DETAILS_MS = { seen: 5_000, other: 20_000 } as const;
/** A log is read this often at most. */
const SIGNS_MS = 15_000;
/** Only a worker knows the words of what a job waits for: it is asked when the reason changes, and then so often. */
const CAUSE_MS = 30_000;
const CAUSE_ANSWER_MS = 3_000;
const AT_ONCE = 4;

type Cause = NonNullable<TopJob['cause']>;

interface Known<T> {
  readonly value: T | undefined;
  readonly state: string;
  readonly at: number;
}

/** Remembers what the cluster tells of jobs, and asks it for what is new: all live jobs, and those on the screen. */
export class TopFacts {
  readonly #client: TopClient;
  readonly #now: () => number;
  #details = new Map<string, Known<JobDetails>>();
  #signs = new Map<string, Known<LogSigns>>();
  #causes = new Map<string, Known<Cause>>();

  constructor(client: TopClient, now: () => number = Date.now) {
    this.#client = client;
    this.#now = now;
  }

  with(jobs: readonly JobSummary[]): TopJob[] {
    return jobs.map((job) => {
      const details = this.#details.get(keyOf(job))?.value;
      const signs = job.phase === 'Running' ? this.#signs.get(keyOf(job))?.value : undefined;
      const cause = isWaiting(job) ? this.#causes.get(keyOf(job))?.value : undefined;
      return { ...job, ...withoutUndefined({ details, signs, cause }) };
    });
  }

  /** Asks about these jobs; `seen` are the keys of those that are on the screen. */
  async refresh(jobs: readonly JobSummary[], seen: ReadonlySet<string>): Promise<void> {
    const newest = newestOfEachId(jobs);
    const wanted = newest.filter((job) => !isFinal(job.phase) || seen.has(keyOf(job)));
    const due = wanted.filter((job) => {
      const ms = DETAILS_MS[seen.has(keyOf(job)) ? 'seen' : 'other'];
      return this.#isDue(this.#details.get(keyOf(job)), job, ms);
    });
    this.#details = await this.#asked(this.#details, jobs, due, (some) => this.#client.details(some));
    const running = newest.filter((job) => job.phase === 'Running' && seen.has(keyOf(job)));
    const silent = running.filter((job) => this.#isDue(this.#signs.get(keyOf(job)), job, SIGNS_MS));
    this.#signs = await this.#asked(this.#signs, jobs, silent, (some) => this.#client.logSigns(some));
    const waiting = newest.filter((job) => isWaiting(job) && seen.has(keyOf(job)));
    const unsaid = waiting.filter((job) => this.#isDue(this.#causes.get(keyOf(job)), job, CAUSE_MS));
    this.#causes = await this.#asked(this.#causes, jobs, unsaid, (some) => causesOf(this.#client, some));
  }

  #isDue(known: Known<unknown> | undefined, job: JobSummary, ms: number): boolean {
    if (known?.state !== stateOf(job)) return true;
    return !isFinal(job.phase) && this.#now() - known.at >= ms;
  }

  /** Forgets jobs that are no longer listed. */
  async #asked<T>(
    known: ReadonlyMap<string, Known<T>>,
    jobs: readonly JobSummary[],
    due: readonly JobSummary[],
    ask: (jobs: readonly JobSummary[]) => Promise<ReadonlyMap<string, T>>,
  ): Promise<Map<string, Known<T>>> {
    const answers = due.length > 0 ? await ask(due) : new Map<string, T>();
    const listed = new Set(jobs.map(keyOf));
    const kept = [...known].filter(([key]) => listed.has(key));
    const at = this.#now();
    const fresh = due.map((job): [string, Known<T>] => {
      // What the cluster did not tell in time is what was known before.
      const value = answers.get(job.workflowId) ?? known.get(keyOf(job))?.value;
      return [keyOf(job), { value, state: stateOf(job), at }];
    });
    return new Map([...kept, ...fresh]);
  }
}

const isWaiting = ({ phase }: JobSummary) => phase !== 'Running' && !isFinal(phase);

/** Those that are not known at once are left out. */
async function causesOf(
  client: Pick<TopClient, 'job'>,
  jobs: readonly JobSummary[],
): Promise<ReadonlyMap<string, Cause>> {
  const { default: pMap } = await import('p-map');
  const asked = await pMap(
    jobs,
    async ({ workflowId }) => {
      const status = client.job({ workflowId }).status({ timeout: CAUSE_ANSWER_MS });
      const { cause } = await status.catch(() => ({ cause: undefined }));
      return cause ? [[workflowId, { reason: cause.reason, message: messageOfCause(cause) }] as const] : [];
    },
    { concurrency: AT_ONCE },
  );
  return new Map(asked.flat());
}

const stateOf = ({ phase, reason, attempt }: JobSummary): string => `${phase} ${reason} ${attempt}`;

/** The cluster has one record of a name. */
function newestOfEachId(jobs: readonly JobSummary[]): JobSummary[] {
  const newest = new Map<string, JobSummary>();
  for (const job of jobs) {
    const other = newest.get(job.workflowId);
    if (!other || other.startTime < job.startTime) newest.set(job.workflowId, job);
  }
  return [...newest.values()];
}
