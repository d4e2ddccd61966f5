import { exactFilter } from '../../client/use-cases/find/exact-filter.ts';
import type { PageChoice } from '../../client/use-cases/find/page-of-jobs.ts';
import { matchesFilter } from '../../contracts/filters.ts';
import { FINAL_PHASES } from '../../contracts/status.ts';
import type { Phase } from '../../contracts/types.ts';
import { compareText } from '../../language/compare-text.ts';
import { errorMessage } from '../../language/error-message.ts';
import { unlessLate } from '../../language/timers.ts';
import { archivedJobRows } from '../../record/index/job-rows.ts';
import { LISTED_COLUMNS, type ListedJob, type ListedRow, listedJobOf } from './archived-row.ts';
import { Kept } from './kept.ts';
import type { Servers } from './servers.ts';

/** The jobs of a list that Temporal no longer has; those that ended last first. */
export interface ArchivedMatches {
  readonly jobs: readonly ListedJob[];
  readonly counts: Readonly<Partial<Record<Phase, number>>>;
}

/** Why a list is without them. */
export interface ArchiveProblem {
  readonly problem: string;
}

/** What has just ended is in Temporal. */
const ROWS = {
  read: { server: 'archive', what: 'index' },
  ...({ freshMs: 20_000, most: 1, stretches: true } as const),
} as const;
const MATCHES = { read: { server: 'archive', what: 'list' }, freshMs: 10_000, most: 50 } as const;
/** A page waits so long for the archive, and then shows what Temporal has. */
const WAIT_MS = 1_500;
/** The visibility store is written after the workflow. */
const LAG_MS = 10_000;

/**
 * The jobs of the archive that Temporal no longer has, from the archive's index: read once for all who look at lists, and of
 * the index only the parts that are new.
 */
export class ArchivedJobs {
  readonly #servers: Servers;
  readonly #temporalNamespace: string;
  readonly #rows = new Kept<readonly ListedJob[]>(ROWS);
  readonly #matches = new Kept<ArchivedMatches | undefined>(MATCHES);
  readonly #parts = new Map<string, readonly ListedRow[]>();

  constructor(servers: Servers, temporalNamespace: string) {
    this.#servers = servers;
    this.#temporalNamespace = temporalNamespace;
  }

  /** Returns undefined without an archive. */
  async matching({
    filter,
    namespaces,
  }: Pick<PageChoice, 'filter' | 'namespaces'>): Promise<ArchivedMatches | ArchiveProblem | undefined> {
    if (!this.#servers.hasArchive) return undefined;
    const key = JSON.stringify([filter, namespaces]);
    const matches = this.#matches.get(key, () => this.#match({ filter, namespaces }));
    const read = matches.catch((error: unknown) => ({ value: { problem: errorMessage(error) } }));
    const found = await unlessLate(read, WAIT_MS);
    return found ? found.value : { problem: 'It is still being read; its jobs follow.' };
  }

  async #match({ filter, namespaces }: Pick<PageChoice, 'filter' | 'namespaces'>) {
    const archive = await this.#servers.archive();
    if (!archive) return undefined;
    const { value: rows } = await this.#rows.get('', () => this.#read(archive.recorded.store));
    const exact = await exactFilter(filter);
    const jobs = rows.filter(
      (job) => (namespaces?.includes(job.namespace) ?? true) && matchesFilter(job, exact),
    );
    return { jobs, counts: countsOf(jobs) };
  }

  async #read(store: Parameters<typeof archivedJobRows>[0]): Promise<readonly ListedJob[]> {
    const now = Date.now();
    const known = await this.#endedInTemporal();
    const jobs: ListedJob[] = [];
    const reading = { columns: LISTED_COLUMNS, parts: this.#parts, warn: () => undefined };
    for await (const row of archivedJobRows(store, reading)) {
      const isOwn = row.temporal_namespace === this.#temporalNamespace;
      const isOld = (row.archived?.getTime() ?? 0) < now - LAG_MS;
      const job = isOwn && isOld && !known.has(row.run_id ?? '') ? listedJobOf(row) : undefined;
      if (job) jobs.push(job);
    }
    return jobs.sort(byEnd);
  }

  async #endedInTemporal(): Promise<ReadonlySet<string>> {
    const runs = new Set<string>();
    const client = await this.#servers.client();
    for await (const { runId } of client.list({ phase: [...FINAL_PHASES] })) runs.add(runId);
    return runs;
  }
}

const countsOf = (jobs: readonly ListedJob[]): ArchivedMatches['counts'] => {
  const counts: Partial<Record<Phase, number>> = {};
  for (const { phase } of jobs) counts[phase] = (counts[phase] ?? 0) + 1;
  return counts;
};

const byEnd = (one: ListedJob, other: ListedJob): number =>
  compareText(other.endTime ?? '', one.endTime ?? '') || compareText(other.runId, one.runId);

const WORD = 'archived';

/** Whether the address of a page goes on in the archive. */
export const isInArchive = (after: string | undefined): after is string =>
  after !== undefined && after.split('.')[0] === WORD;

/** So many jobs that follow the place; `after`: `next` of the page before, or none for the first ones. */
export function archivedPage(
  { jobs }: ArchivedMatches,
  { after = WORD, size }: { readonly after?: string; readonly size: number },
): { readonly jobs: readonly ListedJob[]; readonly next?: string } {
  const [, ended, runId] = /^archived\.(\d{1,16})\.([\w-]{1,64})$/.exec(after) ?? [];
  const place = { endTime: ended && new Date(Number(ended)).toISOString(), runId: runId ?? '' } as ListedJob;
  const from = ended === undefined ? 0 : jobs.findIndex((job) => byEnd(place, job) < 0);
  const shown = from < 0 ? [] : jobs.slice(from, from + size);
  const hasMore = from >= 0 && from + size < jobs.length;
  const last = shown.at(-1);
  if (!hasMore) return { jobs: shown };
  return { jobs: shown, next: last ? `${WORD}.${Date.parse(last.endTime!)}.${last.runId}` : WORD };
}
