import { errorMessage } from '../../language/error-message.ts';
import { ArchiveError } from '../../record/archive/archive-errors.ts';
import { archiveFolder, runKey } from '../../record/archive/archive-keys.ts';
import { historyInSealed, sealedRun } from '../../record/archive/archive-seal.ts';
import { gzippedHistory } from '../../record/archive/gz-history.ts';
import { sealOf } from '../../record/log/seal-of.ts';
import { isAboutMissingRun } from '../../temporal/missing-run.ts';
import { originOf } from '../../temporal/run-origin.ts';
import type { ArchiverDependencies } from './archiver-dependencies.ts';
import { type ContinuedRun, closedJobsOf, continuedRuns } from './closed-jobs.ts';
import { readHistory } from './job-chain.ts';
import { ownRecordIn } from './own-record.ts';
import { isStoreAway } from './store-away.ts';

type Dependencies = Pick<ArchiverDependencies, 'temporal' | 'store' | 'ready' | 'log' | 'now'>;

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
        else log.warn({ ...idsOfRun(run), why: errorMessage(error) }, 'history of a run cannot be kept now');
      }
    }
    this.#settled = settled;
  }
}

const idsOfRun = ({ workflowId, runId }: ContinuedRun) => ({ workflowId, runId });

async function settle(dependencies: Dependencies, run: ContinuedRun): Promise<void> {
  const { temporal, store, log } = dependencies;
  const key = runKey(run.runId);
  const { firstRunId } = await originOf(temporal, run);
  // Its archive has the history. The worker that wrote that may have ended before it could remove what was kept.
  if (await isArchived(dependencies, run, firstRunId)) return store.remove(key);
  const seal = sealOf(await dependencies.ready());
  const there = await store.read(key);
  if (there && historyInSealed(seal, run.runId, there)) return;
  const history = await gzippedHistory(await readHistory(dependencies, run));
  // In the place of what others wrote there without a right to it.
  await store.replace(key, sealedRun(seal, run.runId, history));
  log.info(idsOfRun(run), 'history of a run kept until its job ends');
}

/** Whether the job of a run has an archive, or had one that was deleted on purpose. */
async function isArchived(
  dependencies: Dependencies,
  run: ContinuedRun,
  firstRunId: string,
): Promise<boolean> {
  for (const job of await closedJobsOf(dependencies.temporal, [run.workflowId])) {
    const folder = archiveFolder({ ...job, firstRunId });
    if (await ownRecordIn(dependencies, folder).catch(unlessOfArchive)) return true;
  }
  return false;
}

/** A file of others there, or a damaged one, does not have the history. */
function unlessOfArchive(error: unknown): undefined {
  if (!(error instanceof ArchiveError)) throw error;
}
