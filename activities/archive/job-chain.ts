import { runKey } from '../../record/archive/archive-keys.ts';
import { historyInSealed } from '../../record/archive/archive-seal.ts';
import { parseHistory } from '../../record/archive/gz-history.ts';
import { sealOf } from '../../record/log/seal-of.ts';
import { isAboutMissingRun } from '../../temporal/missing-run.ts';
import { previousRunOf, type RunHistory } from '../../temporal/run-chain.ts';
import type { WorkflowRun } from '../../temporal/workflow-start.ts';
import type { ArchiverDependencies } from './archiver-dependencies.ts';

type Stores = Pick<ArchiverDependencies, 'temporal' | 'store' | 'ready'>;

/** The runs of a job, the oldest first. Their histories are read one by one: those of all may not fit into memory. */
export interface JobChain {
  readonly runs: readonly ChainRun[];
  /** The newest run whose history is nowhere any more. */
  readonly missing?: string;
}

export interface ChainRun {
  readonly runId: string;
  load(): Promise<RunHistory>;
}

/** Finds all runs of a job, from its last one: those that Temporal has deleted in what was kept of them. */
export async function findChain(stores: Stores, { workflowId, runId }: WorkflowRun): Promise<JobChain> {
  const runs: ChainRun[] = [];
  for (let next: string | undefined = runId; next !== undefined; ) {
    const run: WorkflowRun = { workflowId, runId: next };
    const begun = await beginningOf(stores, run);
    if (!begun) return { runs, missing: next };
    runs.unshift({ runId: next, load: () => loadRun(stores, run) });
    next = previousRunOf({ history: begun });
  }
  return { runs };
}

/** The chain of a job that never continued as new, with its history. */
export function chainOfOne(runId: string, history: RunHistory): JobChain {
  return { runs: [{ runId, load: async () => history }] };
}

export const readHistory = (
  { temporal }: Pick<Stores, 'temporal'>,
  { workflowId, runId }: WorkflowRun,
): Promise<RunHistory> => temporal.workflow.getHandle(workflowId, runId).fetchHistory();

/** Returns the first event of a run, which names the run before. */
async function beginningOf(stores: Stores, run: WorkflowRun): Promise<RunHistory | undefined> {
  const { workflowService, options } = stores.temporal;
  try {
    const { history } = await workflowService.getWorkflowExecutionHistory({
      namespace: options.namespace,
      execution: run,
      maximumPageSize: 1,
    });
    return history ?? {};
  } catch (error) {
    if (!isAboutMissingRun(error)) throw error;
    return keptRun(stores, run);
  }
}

async function loadRun(stores: Stores, run: WorkflowRun): Promise<RunHistory> {
  try {
    return await readHistory(stores, run);
  } catch (error) {
    if (!isAboutMissingRun(error)) throw error;
    const kept = await keptRun(stores, run);
    if (kept) return kept;
    throw new Error(`Temporal deleted the history of run ${run.runId} while it was read`, { cause: error });
  }
}

/** Files of others there are ignored. */
async function keptRun(
  { store, ready }: Pick<Stores, 'store' | 'ready'>,
  { runId }: WorkflowRun,
): Promise<RunHistory | undefined> {
  const bytes = await store.read(runKey(runId));
  const history = bytes && historyInSealed(sealOf(await ready()), runId, bytes);
  return history && parseHistory(history);
}
