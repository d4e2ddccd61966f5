import { workflowIdOf } from '../../contracts/labels.ts';
import { ArchiveError } from './archive-errors.ts';
import { idFolder, type NamedArchive, nameFolder, parseNameKey } from './archive-keys.ts';
import type { ArchiveStore } from './archive-store.ts';
import type { ArchivedJob } from './archived-job.ts';
import { JobArchive } from './job-archive.ts';

/** A job by its name, or by its workflow id; the one that closed last, or the one with this run. */
export type ArchivedJobChoice = { readonly runId?: string } & (
  | { readonly namespace: string; readonly name: string }
  | { readonly workflowId: string }
);

export interface ArchiveFilter {
  readonly namespace?: string;
  readonly name?: string;
  /** Jobs that closed at or after this time, and before that one. */
  readonly closedSince?: Date;
  readonly closedBefore?: Date;
  readonly matches?: (job: ArchivedJob) => boolean;
  readonly limit?: number;
  /** Called for an archive that cannot be read, which is left out then. Without it, the first one fails the listing. */
  readonly unreadable?: (error: ArchiveError) => void;
}

export interface Archive {
  readonly store: ArchiveStore;
  find(wanted: ArchivedJobChoice): Promise<JobArchive | undefined>;
  /** Returns all jobs of a name or a workflow id, the newest first. */
  all(wanted: ArchivedJobChoice): Promise<readonly JobArchive[]>;
  /** Yields archives, those of jobs that closed last first. */
  list(filter?: ArchiveFilter): AsyncGenerator<JobArchive>;
  close(): void;
}

/** Opens an archive to read it. Asks no server but the store. */
export const archiveIn = (store: ArchiveStore): Archive => ({
  store,
  find: async (wanted) => (await findArchives(store, wanted))[0],
  all: (wanted) => findArchives(store, wanted),
  list: (filter = {}) => listArchives(store, filter),
  close: () => store.close(),
});

async function findArchives(store: ArchiveStore, wanted: ArchivedJobChoice): Promise<JobArchive[]> {
  const found = await archivesOf(store, wanted);
  const { runId } = wanted;
  const fitting = found.filter(
    ({ job }) =>
      (!('workflowId' in wanted) || job.workflowId === wanted.workflowId) &&
      (runId === undefined || job.firstRunId === runId || job.runs.some((run) => run.runId === runId)),
  );
  return fitting.sort(byClosed);
}

/** There are few archives of one name. */
async function archivesOf(store: ArchiveStore, wanted: ArchivedJobChoice): Promise<JobArchive[]> {
  const folders: string[] = [];
  for await (const folder of foldersOf(store, wanted)) folders.push(folder);
  return openAll(store, folders);
}

async function* foldersOf(store: ArchiveStore, wanted: ArchivedJobChoice): AsyncGenerator<string> {
  const job = 'workflowId' in wanted ? jobOfDefaultId(wanted.workflowId) : wanted;
  if (job) yield* (await namedIn(store, nameFolder(job))).map(({ folder }) => folder);
  if (!('workflowId' in wanted)) return;
  for await (const key of store.list(idFolder(wanted.workflowId))) {
    const content = await store.read(key);
    if (content) yield Buffer.from(content).toString('utf8').trim();
  }
}

function jobOfDefaultId(workflowId: string): { namespace: string; name: string } | undefined {
  const [, namespace, name] = /^job\/([^/]+)\/([^/]+)$/.exec(workflowId) ?? [];
  if (namespace === undefined || name === undefined) return undefined;
  return workflowIdOf({ namespace, name }) === workflowId ? { namespace, name } : undefined;
}

async function* listArchives(store: ArchiveStore, filter: ArchiveFilter): AsyncGenerator<JobArchive> {
  const named = (await namedIn(store, nameFolder(filter))).filter(({ day }) => isInDays(day, filter));
  // Programs run this with Node 20, which has no Map.groupBy.
  const days = new Map<string, string[]>();
  for (const { day, folder } of named) {
    const folders = days.get(day);
    if (folders) folders.push(folder);
    else days.set(day, [folder]);
  }
  let left = filter.limit ?? Number.POSITIVE_INFINITY;
  for (const [, folders] of [...days].sort(byDay).reverse()) {
    for (const archive of (await openAll(store, folders, filter.unreadable)).sort(byClosed)) {
      if (!fits(archive.job, filter)) continue;
      if (left-- <= 0) return;
      yield archive;
    }
  }
}

async function namedIn(store: ArchiveStore, folder: string): Promise<NamedArchive[]> {
  const found: NamedArchive[] = [];
  for await (const key of store.list(folder)) {
    const named = parseNameKey(key);
    if (named) found.push(named);
  }
  return found;
}

/** Reads some at a time; leaves out those that are not finished. */
const AT_ONCE = 16;

async function openAll(
  store: ArchiveStore,
  folders: readonly string[],
  unreadable?: ArchiveFilter['unreadable'],
): Promise<JobArchive[]> {
  const opened: JobArchive[] = [];
  const open = (folder: string) =>
    JobArchive.open(store, folder).catch((error: unknown) => {
      if (!unreadable || !(error instanceof ArchiveError)) throw error;
      unreadable(error);
    });
  for (let start = 0; start < folders.length; start += AT_ONCE) {
    const some = await Promise.all(folders.slice(start, start + AT_ONCE).map(open));
    opened.push(...some.filter((archive) => archive !== undefined));
  }
  return opened;
}

const isInDays = (day: string, { closedSince, closedBefore }: ArchiveFilter): boolean =>
  (!closedSince || day >= closedSince.toISOString().slice(0, 10)) &&
  (!closedBefore || day <= closedBefore.toISOString().slice(0, 10));

function fits(job: ArchivedJob, { name, closedSince, closedBefore, matches }: ArchiveFilter): boolean {
  const closed = Date.parse(job.closed);
  return (
    (name === undefined || job.name === name) &&
    (!closedSince || closed >= closedSince.getTime()) &&
    (!closedBefore || closed < closedBefore.getTime()) &&
    (!matches || matches(job))
  );
}

const byDay = ([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number =>
  one < other ? -1 : 1;

const byClosed = (one: JobArchive, other: JobArchive): number =>
  Date.parse(other.job.closed) - Date.parse(one.job.closed);
