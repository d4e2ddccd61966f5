import { createHash } from 'node:crypto';
import type { PageChoice, PageOfJobs } from '../../client/use-cases/find/page-of-jobs.ts';
import type { JobDetails } from '../../client/use-cases/observe/job-details.ts';
import type { LogSigns } from '../../client/use-cases/pods/silence.ts';
import { isFinal, PHASES } from '../../contracts/status.ts';
import type { Phase } from '../../contracts/types.ts';
import { ArchivedJobs, type ArchivedMatches, archivedPage, isInArchive } from './archived-jobs.ts';
import type { ListedJob } from './archived-row.ts';
import { Kept, type KeptValue } from './kept.ts';
import { PAGE_ANSWER_MS, type Servers } from './servers.ts';

/** A page of the list. */
export interface JobList extends PageOfJobs {
  /** Live ones first, then ended ones of Temporal, then those that only the archive has. */
  readonly jobs: readonly ListedJob[];
  readonly counts: Readonly<Partial<Record<Phase, number>>>;
  /** By workflow id: what the cluster and the logs of running jobs tell. */
  readonly details: ReadonlyMap<string, JobDetails>;
  readonly signs: ReadonlyMap<string, LogSigns>;
  /** Why those of the archive are missing. */
  readonly archiveProblem?: string;
  /** Changes with what the page shows. */
  readonly version: string;
}

const FRESH_MS = 2_000;
/** What the cluster tells is read less often, and waited for only briefly: the list itself must be quick. */
const DETAILS = { read: { server: 'cluster', what: 'details' }, freshMs: 5_000, most: 500 } as const;
const SIGNS = { read: { server: 'cluster', what: 'logs' }, freshMs: 15_000, most: 500 } as const;
const WAIT_MS = 400;

/** Lists, each read once for all who look at it, and less often the longer it takes Temporal. */
export class JobLists {
  readonly #servers: Servers;
  readonly #archived: ArchivedJobs;
  readonly #pages = new Kept<{ page: PageOfJobs; counts: JobList['counts'] }>({
    read: { server: 'temporal', what: 'list' },
    freshMs: FRESH_MS,
    most: 500,
  });
  readonly #details = new Kept<ReadonlyMap<string, JobDetails>>(DETAILS);
  readonly #signs = new Kept<ReadonlyMap<string, LogSigns>>(SIGNS);

  constructor(servers: Servers, temporalNamespace: string) {
    this.#servers = servers;
    this.#archived = new ArchivedJobs(servers, temporalNamespace);
  }

  /** `key`: the same for the same choice. */
  async read(choice: PageChoice): Promise<KeptValue<JobList>> {
    const key = JSON.stringify(choice);
    const [{ value, at, error }, archived] = await Promise.all([
      this.#pages.get(key, () => this.#pageOf(choice)),
      this.#archived.matching(choice),
    ]);
    const { page } = value;
    const [details, signs] = await Promise.all([this.#detailsOf(key, page), this.#signsOf(key, page)]);
    const whole =
      archived && 'jobs' in archived
        ? withArchived(value, archived, choice)
        : { ...page, counts: value.counts, archiveProblem: archived?.problem };
    const list = { ...whole, details, signs };
    return { value: { ...list, version: versionOf(list) }, at, error };
  }

  async #pageOf(choice: PageChoice) {
    const client = await this.#servers.client();
    const asking = { timeout: PAGE_ANSWER_MS };
    const [page, counts] = await Promise.all([
      isInArchive(choice.after) ? { jobs: [] } : client.listPage(choice, asking),
      client.countPage(choice, asking),
    ]);
    return { page, counts };
  }

  async #detailsOf(key: string, { jobs }: PageOfJobs): Promise<JobList['details']> {
    const live = jobs.filter(({ phase }) => !isFinal(phase));
    if (live.length === 0) return NOTHING;
    const read = async () => (await this.#servers.client()).details(live);
    return (await this.#details.getWithin(WAIT_MS, key, read)) ?? NOTHING;
  }

  async #signsOf(key: string, { jobs }: PageOfJobs): Promise<JobList['signs']> {
    const running = jobs.filter(({ phase }) => phase === 'Running');
    if (running.length === 0) return NOTHING;
    const read = async () => (await this.#servers.client()).logSigns(running);
    return (await this.#signs.getWithin(WAIT_MS, key, read)) ?? NOTHING;
  }
}

const NOTHING = new Map<string, never>();

/** After the last page of Temporal come the jobs that only the archive has. */
function withArchived(
  { page, counts }: { readonly page: PageOfJobs; readonly counts: JobList['counts'] },
  archived: ArchivedMatches,
  { after, size }: PageChoice,
): Pick<JobList, 'jobs' | 'next' | 'counts'> {
  const sums = PHASES.map((phase) => [phase, (counts[phase] ?? 0) + (archived.counts[phase] ?? 0)] as const);
  const all = { counts: Object.fromEntries(sums.filter(([, count]) => count > 0)) };
  if (page.next !== undefined) return { ...page, ...all };
  const from = isInArchive(after) ? { after } : {};
  const { jobs, next } = archivedPage(archived, { ...from, size: Math.max(0, size - page.jobs.length) });
  return { ...all, jobs: [...page.jobs, ...jobs], ...(next === undefined ? {} : { next }) };
}

const versionOf = ({ jobs, counts, details, signs }: Omit<JobList, 'version'>): string =>
  createHash('sha256')
    .update(JSON.stringify([jobs, counts, [...details], [...signs]]))
    .digest('base64url')
    .slice(0, 16);
