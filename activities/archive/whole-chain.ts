import { historyFromJSON } from '@temporalio/common/lib/proto-utils.js';
import { runKey } from '../../record/archive/archive-keys.ts';
import type { ArchiveStore } from '../../record/archive/archive-store.ts';
import { gunzipped } from '../../record/archive/gz-file.ts';
import { gzippedHistory } from '../../record/archive/gz-history.ts';
import { previousRunOf, type RecordedRun, type RunHistory, readRunChain } from '../../temporal/run-chain.ts';
import type { WorkflowRun } from '../../temporal/workflow-start.ts';
import type { ArchiverDependencies } from './archiver-dependencies.ts';
import { inStore } from './store-away.ts';

type Stores = Pick<ArchiverDependencies, 'temporal' | 'store'>;

/** The runs of a job, the oldest first. */
export interface WholeChain {
  readonly runs: readonly RecordedRun[];
  /** The newest run whose history is nowhere any more. */
  readonly missing?: string;
}

/** Reads all runs of a job: those that Temporal has deleted from what was kept of them. */
export async function readWholeChain({ temporal, store }: Stores, run: WorkflowRun): Promise<WholeChain> {
  const { runs, missing } = await readRunChain(temporal, run);
  const earlier: RecordedRun[] = [];
  for (let next = missing; next !== undefined; next = previousRunOf(earlier[0]!)) {
    const kept = await inStore({ store }, () => readKeptRun(store, next));
    if (!kept) return { runs: [...earlier, ...runs], missing: next };
    earlier.unshift(kept);
  }
  return { runs: [...earlier, ...runs] };
}

/** Keeps the history of a run that continued as new. Idempotent by the run's id. */
export async function keepRun(
  { temporal, store }: Stores,
  { workflowId, runId }: WorkflowRun,
): Promise<void> {
  if (await inStore({ store }, () => store.read(runKey(runId)))) return;
  const history: RunHistory = await temporal.workflow.getHandle(workflowId, runId).fetchHistory();
  const bytes = await gzippedHistory(history);
  await inStore({ store }, () => store.create(runKey(runId), bytes));
}

async function readKeptRun(store: ArchiveStore, runId: string): Promise<RecordedRun | undefined> {
  const bytes = await store.read(runKey(runId));
  return bytes && { runId, history: historyFromJSON(JSON.parse(await gunzipped(bytes))) };
}
