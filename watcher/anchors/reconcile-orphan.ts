import type { Client } from '@temporalio/client';
import type { ClusterClient } from '../../cluster/client.ts';
import type { Home } from '../../contracts/home.ts';
import { CONFIG_MAPS } from '../../contracts/kubernetes.ts';
import { MEMO, SWEEP_JOB, type SweepRequest } from '../../contracts/messages.ts';
import { findWorkflow, hasFirstRun } from '../../temporal/find-workflow.ts';
import { isOpen } from '../../temporal/open-workflows.ts';
import { type AnchorFacts, anchorFacts, isForeign } from './anchor-facts.ts';

export interface OrphanOptions {
  readonly temporal: Client;
  readonly cluster: ClusterClient;
  readonly home: Home;
  readonly taskQueue: string;
}

/**
 * `running`: its workflow is running. `superseded`: a later run of the workflow id is running, and takes over the name.
 * `over`: the job has ended properly. `swept`: its workflow ended without clean-up, and a sweep was started. `foreign`:
 * the anchor names a workflow of another job or installation.
 */
export type OrphanStatus = 'running' | 'superseded' | 'over' | 'swept' | 'foreign';

/**
 * Determines a job's state, and sweeps its objects if nothing else will. A job records its final phase before its
 * workflow closes, so an anchor that is read after the workflow was seen closed is up to date.
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
  if (!hasFirstRun(last, anchor.firstRunId)) return 'superseded';
  return (last.memo?.[MEMO.anchorUid] ?? anchor.uid) === anchor.uid ? 'running' : 'foreign';
}

async function readAnchor(cluster: ClusterClient, { namespace, name, uid }: AnchorFacts) {
  const anchor = await cluster.find(CONFIG_MAPS, namespace, name);
  const facts = anchor && anchorFacts(anchor);
  return facts?.uid === uid ? facts : undefined;
}

/** Idempotent by the workflow id: a running sweep is used as it is. */
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
