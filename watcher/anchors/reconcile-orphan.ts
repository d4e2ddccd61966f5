import type { Client } from '@temporalio/client';
import type { ClusterClient } from '../../cluster/client.ts';
import type { Home } from '../../contracts/home.ts';
import { CONFIG_MAPS } from '../../contracts/kubernetes.ts';
import { MEMO, SWEEP_JOB, type SweepRequest } from '../../contracts/messages.ts';
import { beganWith, findWorkflow } from '../../temporal/find-workflow.ts';
import { isOpen } from '../../temporal/open-workflows.ts';
import { type AnchorFacts, anchorFacts, isForeign } from './anchor-facts.ts';

export interface OrphanOptions {
  readonly temporal: Client;
  readonly cluster: ClusterClient;
  readonly home: Home;
  readonly taskQueue: string;
}

/**
 * `running`: its workflow lives. `superseded`: a later run of the workflow id lives, and takes the name over itself.
 * `over`: the job has ended in order. `swept`: its workflow ended without clean-up, and a sweep has been started.
 * `foreign`: the anchor names a workflow that is another job's, or is of another installation.
 */
export type OrphanStatus = 'running' | 'superseded' | 'over' | 'swept' | 'foreign';

/**
 * Finds out what became of a job, and has its objects swept if nobody else will. A job that ends in order records its
 * final phase before its workflow closes, so an anchor read after the workflow was seen closed tells the truth.
 */
export async function reconcileOrphan(tools: OrphanOptions, anchor: AnchorFacts): Promise<OrphanStatus> {
  const run = await runOf(tools.temporal, anchor);
  if (run !== 'closed') return run;
  const now = await readAnchor(tools.cluster, anchor);
  if (!now || now.final || now.deleted) return 'over';
  if (isForeign(now, tools.home)) return 'foreign';
  await startSweep(tools, now);
  return 'swept';
}

async function runOf(
  temporal: Client,
  anchor: AnchorFacts,
): Promise<'running' | 'superseded' | 'foreign' | 'closed'> {
  const last = await findWorkflow(temporal, anchor.workflowId);
  if (!last || !isOpen(last.status.name)) return 'closed';
  if (!beganWith(last, anchor.firstRunId)) return 'superseded';
  return (last.memo?.[MEMO.anchorUid] ?? anchor.uid) === anchor.uid ? 'running' : 'foreign';
}

async function readAnchor(cluster: ClusterClient, { namespace, name, uid }: AnchorFacts) {
  const anchor = await cluster.find(CONFIG_MAPS, namespace, name);
  const facts = anchor && anchorFacts(anchor);
  return facts?.uid === uid ? facts : undefined;
}

/** Idempotent by the workflow id: a sweep that runs is left to it. */
export async function startSweep(
  { temporal, taskQueue, home: { clusterId } }: OrphanOptions,
  { namespace, name, uid, workflowId }: AnchorFacts,
): Promise<void> {
  const request: SweepRequest = { namespace, anchorName: name, anchorUid: uid, clusterId, workflowId };
  await temporal.workflow.start(SWEEP_JOB, {
    workflowId: `sweep/${namespace}/${name}/${uid}`,
    taskQueue,
    args: [request],
    workflowIdReusePolicy: 'ALLOW_DUPLICATE',
    workflowIdConflictPolicy: 'USE_EXISTING',
  });
}
