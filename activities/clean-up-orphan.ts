import { formatAnchorRecord, parseAnchorRecord } from '../contracts/anchor.ts';
import type { CleanUpScope } from '../contracts/clean-up.ts';
import { CONFIG_MAPS, type ConfigMap } from '../contracts/kubernetes.ts';
import { LABELS } from '../contracts/labels.ts';
import type { OrphanRequest } from '../contracts/messages.ts';
import { REASONS } from '../contracts/reasons.ts';
import { parseRecordedStatus } from '../contracts/recorded-status.ts';
import { isFinal, withoutActive } from '../contracts/status.ts';
import { describeStuckPods, HOW_THEY_GO, type StuckPod } from '../contracts/stuck-pod.ts';
import type { TrainingJob } from '../contracts/training-job.ts';
import type { EvidenceSummary, JobStatus } from '../contracts/types.ts';
import { deleteAnchor } from './anchors/anchor-writes.ts';
import { type ClosedEnd, endOfClosed } from './anchors/end-of-closed.ts';
import { expiryOf } from './anchors/expiry-time.ts';
import { jobOfResource } from './anchors/job-of-resource.ts';
import { findWorkflowOf } from './anchors/workflow-of.ts';
import { writeStatus } from './anchors/write-status.ts';
import { cleanUp } from './clean-up.ts';
import { MOST_REPORTED } from './deletion/delete-pods.ts';
import { removeLaneRecord } from './lane-places.ts';
import { removeLeftOver } from './objects/remove-left-over.ts';
import type { Dependencies } from './support/dependencies.ts';
import type { EffectResult } from './support/effect.ts';
import { gangOfAnchor, recordedJob } from './support/recorded-job.ts';

export interface OrphanResult {
  /**
   * `unfinished`: something is left, and the orphan clean-up must run again. `recorded`: the job had ended properly, and only its
   * record was missing. `foreign`: the anchor belongs to another installation, which has the workflow.
   */
  readonly is: 'cleanedUp' | 'recorded' | 'alive' | 'gone' | 'foreign' | 'unfinished';
  /** What is left, or why it may not be deleted. */
  readonly why?: string;
  /** All pods that are left should have ended by now. */
  readonly isOverdue?: boolean;
}

interface OrphanCleanUp extends OrphanRequest {
  /** An earlier run deleted pods. */
  readonly again?: boolean;
  /** Stops waiting for pods that are not gone. */
  readonly givesUp?: boolean;
}

/**
 * Deletes the objects of a job whose workflow ended without clean-up, and records the end on the anchor once nothing is
 * left. A workflow that closed with an outcome has cleaned up: only its missing record is written. If the end is
 * already recorded, deletes what was created after it. If the anchor is gone, deletes what it has left.
 * Idempotent: it first checks that no workflow of the job is running and the anchor still the same.
 */
export async function removeOrphanedObjects(
  dependencies: Dependencies,
  request: OrphanCleanUp,
): Promise<OrphanResult> {
  const { cluster, temporal, installation } = dependencies;
  const { namespace, anchorName, anchorUid, workflowId } = request;
  const anchor = await cluster.find(CONFIG_MAPS, namespace, anchorName);
  if (anchor?.metadata.uid !== anchorUid) {
    await removeLeftOver(dependencies, request);
    await removeLaneRecord(dependencies, anchorUid);
    return { is: 'gone' };
  }
  const { isProven, running, firstRunId } = await findWorkflowOf(temporal, anchor, workflowId);
  // Any user can change label and run; what Temporal has of the workflow proves that the anchor is ours all the same.
  const isOurs = isProven || anchor.metadata.labels?.[LABELS.installation] === installation;
  if (!isOurs) return { is: 'foreign' };
  if (running !== undefined) return { is: 'alive' };
  const job = recordedJob(anchor) ?? (await jobOfResource(dependencies, anchor));
  const end = await endOfClosed(temporal, { workflowId, firstRunId });
  // After a terminated workflow there was no clean-up, whatever the anchor says: everybody may have written that.
  const scope = end?.isCut ? undefined : scopeOfEnded(anchor);
  if (job && scope) return removeLatePods(dependencies, request, { anchor, job, scope });
  if (end && !end.isCut && end.status.phase !== 'Stopped') {
    const ttlSeconds = job?.plan.runPolicy.ttlSecondsAfterFinished;
    const annotations = expiryOf(dependencies, { completionTime: end.status.completionTime, ttlSeconds });
    await writeStatus(dependencies, { anchor: identityOfAnchor(request), status: end.status, annotations });
    return { is: 'recorded' };
  }
  if (job) return removeAndRecord(dependencies, request, { anchor, job, end });
  // An anchor without a valid record has nothing worth keeping; what it alone owns is deleted with it.
  await deleteAnchor(dependencies, anchor.metadata);
  return { is: 'cleanedUp' };
}

/** Returns what clean-up deleted at the recorded end; undefined without a recorded end. */
function scopeOfEnded(anchor: ConfigMap): CleanUpScope | undefined {
  const { phase = '', cleanUp } = recordOn(anchor);
  return isFinal(phase) ? cleanUp : undefined;
}

const recordOn = ({ metadata }: ConfigMap) => parseAnchorRecord(metadata.annotations);

interface Remains {
  readonly anchor: ConfigMap;
  readonly job: TrainingJob;
  readonly scope: CleanUpScope;
}

/** Deletes pods that appeared after the clean-up of a job whose end is recorded. The record stays. */
async function removeLatePods(
  dependencies: Dependencies,
  request: OrphanCleanUp,
  remains: Remains,
): Promise<OrphanResult> {
  const { unfinished } = await remove(dependencies, request, remains);
  return unfinished ?? { is: 'cleanedUp' };
}

async function removeAndRecord(
  dependencies: Dependencies,
  request: OrphanCleanUp,
  { anchor, job, end }: Omit<Remains, 'scope'> & { readonly end: ClosedEnd | undefined },
): Promise<OrphanResult> {
  const scope = 'Everything';
  const { unfinished, evidence, stuckPods } = await remove(dependencies, request, { anchor, job, scope });
  const status = withEvidence(anchor, evidence);
  if (unfinished) {
    if (evidence.length > 0) await writeStatus(dependencies, { anchor: identityOfAnchor(request), status });
    return unfinished;
  }
  const replicaStatuses = withoutActive(status.replicaStatuses ?? {});
  const ended = { ...status, replicaStatuses, ...endWith(stuckPods, end?.status) };
  const { completionTime } = ended;
  const ttlSeconds = job.plan.runPolicy.ttlSecondsAfterFinished;
  const expiry = expiryOf(dependencies, { completionTime, ttlSeconds });
  const annotations = { ...expiry, ...formatAnchorRecord({ cleanUp: scope }) };
  await writeStatus(dependencies, { anchor: identityOfAnchor(request), status: ended, annotations });
  return { is: 'cleanedUp' };
}

async function remove(
  dependencies: Dependencies,
  { anchorUid, again, givesUp }: OrphanCleanUp,
  { anchor, job, scope }: Remains,
) {
  const request = { job, anchorUid, gang: gangOfAnchor(anchor), scope, again };
  const { evidence = [], stuckPods = [], refused } = await cleanUp(dependencies, request);
  return { evidence, stuckPods, unfinished: unfinished({ stuckPods: givesUp ? [] : stuckPods, refused }) };
}

function unfinished({
  stuckPods = [],
  refused,
}: Pick<EffectResult, 'stuckPods' | 'refused'>): OrphanResult | undefined {
  if (refused) return { is: 'unfinished', why: refused };
  if (stuckPods.length === 0) return undefined;
  return { is: 'unfinished', why: describeStuckPods(stuckPods), isOverdue: stuckPods.every(isLate) };
}

const identityOfAnchor = ({ namespace, anchorName: name, anchorUid: uid }: OrphanRequest) => ({
  namespace,
  name,
  uid,
});

const isLate = ({ until }: StuckPod) => until === undefined;

/** Returns the last recorded status, with the new evidence. */
function withEvidence({ data }: ConfigMap, taken: readonly EvidenceSummary[]): Partial<JobStatus> {
  const last = parseRecordedStatus(data?.status);
  const known = new Set(taken.map(({ uid }) => uid));
  const evidence = [...taken, ...(last.evidence ?? []).filter(({ uid }) => !known.has(uid))];
  return evidence.length > 0 ? { ...last, evidence: evidence.slice(0, MOST_REPORTED) } : last;
}

/** Returns the end that the workflow could not record: as Temporal has it, and which pods are left. */
function endWith(stuckPods: readonly StuckPod[], known: ClosedEnd['status'] = UNKNOWN): Partial<JobStatus> {
  const end = { ...known, completionTime: known.completionTime ?? new Date().toISOString() };
  if (stuckPods.length === 0 || !known.cause) return end;
  const message = `${known.cause.message} However, ${describeStuckPods(stuckPods)}; ${HOW_THEY_GO}.`;
  return { ...end, cause: { ...known.cause, message } };
}

/** Of a workflow that Temporal does not know any more. */
const UNKNOWN: ClosedEnd['status'] = {
  phase: 'Stopped',
  state: 'Stopped',
  cause: { reason: 'WorkflowTerminated', message: REASONS.WorkflowTerminated.sentence },
};
