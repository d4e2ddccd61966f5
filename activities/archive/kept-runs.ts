import { errorMessage } from '../../contracts/error-message.ts';
import { archiveFolder, runKey } from '../../record/archive/archive-keys.ts';
import type { ArchiveStore } from '../../record/archive/archive-store.ts';
import { gzippedHistory } from '../../record/archive/gz-history.ts';
import { JobArchive } from '../../record/archive/job-archive.ts';
import { deletionPlaceKey } from '../../record/log/log-keys.ts';
import { firstRunOf } from '../../temporal/first-run.ts';
import { isAboutMissingRun } from '../../temporal/missing-run.ts';
import type { ArchiverDependencies } from './archiver-dependencies.ts';
import { type ContinuedRun, closedJobsOf, continuedRuns } from './closed-jobs.ts';
import { readHistory } from './job-chain.ts';
import { isStoreAway } from './store-away.ts';

type Dependencies = Pick<ArchiverDependencies, 'temporal' | 'store' | 'log' | 'now'>;

interface KeepOptions {
  readonly retentionMs: number;
  readonly signal: AbortSignal;
}

/**
 * Keeps the histories of runs that continued as new until their job is archived: the first runs of a long job expire while
 * it lives. Idempotent by the run's id.
 */
export class KeptRuns {
  /** Runs that need nothing more. */
  #settled: ReadonlySet<string> = new Set();

  async keep(dependencies: Dependencies, { retentionMs, signal }: KeepOptions): Promise<void> {
    if (!Number.isFinite(retentionMs)) return;
    const { temporal, log, now } = dependencies;
    const runs = await continuedRuns(temporal, new Date(now() - retentionMs / 4).toISOString());
    const settled = new Set<string>();
    for (const run of runs) {
      if (signal.aborted) return;
      try {
        if (!this.#settled.has(run.runId)) await settle(dependencies, run);
        settled.add(run.runId);
      } catch (error) {
        if (await isStoreAway(dependencies, error)) throw error;
        // One run must not keep all others from the archive. Visibility may show a run that Temporal has just deleted.
        if (isAboutMissingRun(error)) settled.add(run.runId);
        else log.warn({ ...nameOf(run), why: errorMessage(error) }, 'history of a run cannot be kept now');
      }
    }
    this.#settled = settled;
  }
}

const nameOf = ({ workflowId, runId }: ContinuedRun) => ({ workflowId, runId });

async function settle(dependencies: Dependencies, run: ContinuedRun): Promise<void> {
  const { temporal, store, log } = dependencies;
  const key = runKey(run.runId);
  const firstRunId = await firstRunOf(temporal, run);
  // Its archive has the history. Whoever wrote that may have ended before it could remove what was kept.
  if (await isArchived(dependencies, run, firstRunId)) return store.remove(key);
  if (await isThere(store, key)) return;
  const bytes = await gzippedHistory(await readHistory(dependencies, run));
  await store.create(key, bytes);
  log.info(nameOf(run), 'history of a run kept until its job ends');
}

/** Whether the job of a run has an archive, or had one that was deleted on purpose. */
async function isArchived(
  { temporal, store }: Dependencies,
  run: ContinuedRun,
  firstRunId: string,
): Promise<boolean> {
  for (const job of await closedJobsOf(temporal, [run.workflowId])) {
    const folder = archiveFolder({ ...job, firstRunId });
    if (await JobArchive.open(store, folder)) return true;
    if (await store.read(deletionPlaceKey(folder))) return true;
  }
  return false;
}

async function isThere(store: ArchiveStore, key: string): Promise<boolean> {
  for await (const found of store.list(key)) if (found === key) return true;
  return false;
}
