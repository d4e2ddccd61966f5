import type { Client, WorkflowExecutionDescription } from '@temporalio/client';
import type { ClusterClient } from '../../cluster/client.ts';
import type { Home } from '../../contracts/home.ts';
import { CLEAN_UP_ORPHAN, type OrphanRequest, orphanIdOf } from '../../contracts/messages.ts';
import { wasAdmitted } from '../../contracts/status.ts';
import { isCleanedUpSince } from '../../temporal/cleaned-up-since.ts';
import { readClosedRun } from '../../temporal/closed-run.ts';
import { hasFirstRun } from '../../temporal/find-workflow.ts';
import { isOpen } from '../../temporal/open-workflows.ts';
import { findWorkflowOfAnchor } from '../../temporal/workflow-of-anchor.ts';
import { type AnchorFacts, isForeign } from './anchor-facts.ts';
import { readAnchorFacts } from './read-anchor-facts.ts';

interface OrphanOptions {
  readonly temporal: Client;
  readonly cluster: ClusterClient;
  readonly home: Home;
  readonly taskQueue: string;
  /** Called for an anchor that names a workflow which is not that of its job. */
  readonly misnamed: (anchor: AnchorFacts, workflowId: string) => void;
}

/**
 * `running`: its job’s workflow is running, whichever the anchor names. `superseded`: a later run of the workflow id is running, and takes over the name.
 * `over`: the job has ended, and its clean-up is done. `orphaned`: its workflow ended without clean-up, and a
 * clean-up was started. `foreign`: the anchor names a workflow of another job or installation.
 */
export type OrphanStatus = 'running' | 'superseded' | 'over' | 'orphaned' | 'foreign';

/**
 * Determines a job's state, and has its objects removed if nothing else will. A job records its final phase before its
 * workflow closes, so an anchor that is read after the workflow was seen closed is up to date. Of a workflow that was cut,
 * the phase says nothing: any user of the namespace can write it.
 */
export async function reconcileOrphan(tools: OrphanOptions, anchor: AnchorFacts): Promise<OrphanStatus> {
  const { named: last, running, firstRunId } = await findWorkflowOfAnchor(tools.temporal, anchor);
  if (running !== undefined) {
    if (running !== anchor.workflowId) tools.misnamed(anchor, running);
    return 'running';
  }
  if (last && isOpen(last.status.name)) return hasFirstRun(last, firstRunId) ? 'foreign' : 'superseded';
  const now = await readAnchorFacts(tools.cluster, anchor);
  if (!now || now.deleted) return 'over';
  if (isForeign(now, tools.home)) return now.final ? 'over' : 'foreign';
  if (now.final && !(await isCutWithoutCleanUp(tools, last, { ...now, firstRunId }))) return 'over';
  await startOrphanCleanUp(tools, now);
  return 'orphaned';
}

/** Whether a workflow ended without its own clean-up, and no orphan clean-up has completed since. */
async function isCutWithoutCleanUp(
  { temporal }: OrphanOptions,
  last: WorkflowExecutionDescription | undefined,
  { uid: anchorUid, namespace, name: anchorName, firstRunId }: AnchorFacts,
): Promise<boolean> {
  if (!last?.closeTime || !hasFirstRun(last, firstRunId) || !(await isCut(temporal, last))) return false;
  return !(await isCleanedUpSince(temporal, { namespace, anchorName, anchorUid }, last.closeTime));
}

async function isCut(temporal: Client, last: WorkflowExecutionDescription): Promise<boolean> {
  const { name } = last.status;
  if (name !== 'FAILED') return name === 'TERMINATED' || name === 'TIMED_OUT';
  const { outcome } = await readClosedRun(temporal, last);
  return !outcome || !wasAdmitted(outcome);
}

/** Idempotent by the workflow id: a running clean-up is used as it is. */
export async function startOrphanCleanUp(
  { temporal, taskQueue, home: { clusterId } }: Pick<OrphanOptions, 'temporal' | 'taskQueue' | 'home'>,
  { namespace, name, uid, workflowId }: Pick<AnchorFacts, 'namespace' | 'name' | 'uid' | 'workflowId'>,
): Promise<void> {
  const request: OrphanRequest = { namespace, anchorName: name, anchorUid: uid, clusterId, workflowId };
  await temporal.workflow.start(CLEAN_UP_ORPHAN, {
    workflowId: orphanIdOf(request),
    taskQueue,
    args: [request],
    workflowIdReusePolicy: 'ALLOW_DUPLICATE',
    workflowIdConflictPolicy: 'USE_EXISTING',
  });
}
