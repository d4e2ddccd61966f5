import type { Client } from '@temporalio/client';
import { isAboutMissingRun } from './missing-run.ts';

type Answer = Awaited<ReturnType<Client['workflowService']['getWorkflowExecutionHistory']>>;
export type RunHistory = NonNullable<Answer['history']>;
export type RunEvent = NonNullable<RunHistory['events']>[number];

/** One run of a workflow, with its whole history. */
interface RecordedRun {
  readonly runId: string;
  readonly history: RunHistory;
}

/** The runs of a chain that Temporal still has, the oldest first. */
export interface RunChain {
  readonly runs: readonly RecordedRun[];
  /** The newest run whose history is gone: retention deletes the first runs of a long chain first. */
  readonly missing?: string;
}

/** Reads the histories of a chain of runs. `runId`: any run of it; default: the workflow's last run. */
export async function readRunChain(
  client: Client,
  { workflowId, runId }: { readonly workflowId: string; readonly runId?: string },
): Promise<RunChain> {
  const read = (id: string) => readRun(client, workflowId, id);
  const present = await read(runId ?? (await client.workflow.getHandle(workflowId).describe()).runId);
  const runs = [present];
  for (let next = nextRunOf(present); next; next = nextRunOf(runs.at(-1)!)) runs.push(await read(next));
  for (let before = previousRunOf(present); before; before = previousRunOf(runs[0]!)) {
    const run = await read(before).catch(unlessMissing);
    if (!run) return { runs, missing: before };
    runs.unshift(run);
  }
  return { runs };
}

async function readRun(client: Client, workflowId: string, runId: string): Promise<RecordedRun> {
  return { runId, history: await client.workflow.getHandle(workflowId, runId).fetchHistory() };
}

function unlessMissing(error: unknown): undefined {
  if (!isAboutMissingRun(error)) throw error;
}

/** Returns the run in which a workflow continued as new. */
const nextRunOf = ({ history }: Pick<RecordedRun, 'history'>): string | undefined =>
  history.events?.at(-1)?.workflowExecutionContinuedAsNewEventAttributes?.newExecutionRunId || undefined;

/** Returns the run that a run continues. */
export const previousRunOf = ({ history }: Pick<RecordedRun, 'history'>): string | undefined =>
  history.events?.[0]?.workflowExecutionStartedEventAttributes?.continuedExecutionRunId || undefined;
