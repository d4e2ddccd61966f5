import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import type { ClusterClient } from '../cluster/client.ts';
import { CONFIG_MAPS } from '../contracts/kubernetes.ts';
import { SWEEP_JOB, type SweepRequest } from '../contracts/messages.ts';
import { type AnchorFacts, anchorFacts } from './anchor-facts.ts';

export interface OrphanTools {
  readonly temporal: Client;
  readonly cluster: ClusterClient;
  readonly taskQueue: string;
}

/**
 * `running`: its workflow lives. `superseded`: a later run of the workflow id lives, and takes the name over itself.
 * `over`: the job has ended in order. `swept`: its workflow ended without clean-up, and a sweep has been started.
 */
export type Fate = 'running' | 'superseded' | 'over' | 'swept';

/**
 * Finds out what became of a job, and has its objects swept if nobody else will. A job that ends in order records its
 * final phase before its workflow closes, so an anchor read after the workflow was seen closed tells the truth.
 */
export async function settle(tools: OrphanTools, anchor: AnchorFacts): Promise<Fate> {
  const run = await runOf(tools.temporal, anchor);
  if (run !== 'closed') return run;
  const now = await readAnchor(tools.cluster, anchor);
  if (!now || now.final || now.deleted) return 'over';
  await startSweep(tools, now);
  return 'swept';
}

async function runOf(temporal: Client, anchor: AnchorFacts): Promise<'running' | 'superseded' | 'closed'> {
  try {
    const { status, raw } = await temporal.workflow.getHandle(anchor.workflowId).describe();
    if (!OPEN.has(status.name)) return 'closed';
    const firstRunId = raw.workflowExecutionInfo?.firstRunId;
    const isOurs = !firstRunId || !anchor.firstRunId || firstRunId === anchor.firstRunId;
    return isOurs ? 'running' : 'superseded';
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return 'closed';
    throw error;
  }
}

const OPEN = new Set<string>(['RUNNING', 'PAUSED', 'CONTINUED_AS_NEW']);

async function readAnchor(cluster: ClusterClient, { namespace, name, uid }: AnchorFacts) {
  const anchor = await cluster.find(CONFIG_MAPS, namespace, name);
  const facts = anchor && anchorFacts(anchor);
  return facts?.uid === uid ? facts : undefined;
}

/** Idempotent by the workflow id: a sweep that runs is left to it. */
async function startSweep({ temporal, taskQueue }: OrphanTools, anchor: AnchorFacts): Promise<void> {
  const { namespace, name, uid, workflowId } = anchor;
  const request: SweepRequest = { namespace, anchorName: name, anchorUid: uid, workflowId };
  await temporal.workflow.start(SWEEP_JOB, {
    workflowId: `sweep/${namespace}/${name}/${uid}`,
    taskQueue,
    args: [request],
    workflowIdReusePolicy: 'ALLOW_DUPLICATE',
    workflowIdConflictPolicy: 'USE_EXISTING',
  });
}
