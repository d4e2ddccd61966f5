import { type CleanUpScope, parseCleanUpScope } from '../contracts/clean-up.ts';
import type { EvidenceSummary } from '../contracts/evidence.ts';
import { CONFIG_MAPS, type ConfigMap } from '../contracts/kubernetes.ts';
import { ANNOTATIONS, LABELS } from '../contracts/labels.ts';
import { describeLeft, HOW_THEY_GO, type LeftPod } from '../contracts/left-pod.ts';
import type { SweepRequest } from '../contracts/messages.ts';
import { REASONS } from '../contracts/reasons.ts';
import { isFinal, type JobStatus } from '../contracts/status.ts';
import type { GangProvider, TrainingJob } from '../contracts/training-job.ts';
import { GANG_ADAPTERS } from '../gang/registry.ts';
import { deleteAnchor } from './anchors/anchor-writes.ts';
import { isRunning } from './anchors/claim-name.ts';
import { expiryOf } from './anchors/expiry-time.ts';
import { type Ending, outcomeOfClosed } from './anchors/outcome-of-closed.ts';
import { writeStatus } from './anchors/write-status.ts';
import { cleanUp } from './clean-up.ts';
import { MOST_TOLD } from './deletion/delete-pods.ts';
import type { Dependencies } from './support/dependencies.ts';
import { recordedJob } from './support/recorded-job.ts';
import type { EffectResult } from './support/result.ts';

export interface Swept {
  /**
   * `unfinished`: something is left, so that it has to be done again. `recorded`: the job had ended in order, and only its
   * record was missing. `foreign`: the anchor belongs to another installation, so that its workflow is not to be found here.
   */
  readonly is: 'swept' | 'recorded' | 'alive' | 'gone' | 'foreign' | 'unfinished';
  /** What is left, or why it may not be removed. */
  readonly why?: string;
  /** Of pods that are left: all of them should have ended by now. */
  readonly isOverdue?: boolean;
}

export interface SweepAttempt extends SweepRequest {
  /** It was done before. */
  readonly again?: boolean;
  /** Pods that do not go are not waited for any more. */
  readonly givesUp?: boolean;
}

/**
 * Removes the objects of a job whose workflow ended without doing so, and notes on the anchor how it ended once nothing
 * is left. A workflow that closed with an outcome did clean up; only its record is missing, and is made up for. Of a job
 * whose end is on record it removes what came after that.
 * Idempotent: it first looks again whether the job is really dead, and still the same one.
 */
export async function sweepJob(dependencies: Dependencies, request: SweepAttempt): Promise<Swept> {
  const { cluster, temporal, installation } = dependencies;
  const { namespace, anchorName, anchorUid, workflowId } = request;
  const anchor = await cluster.find(CONFIG_MAPS, namespace, anchorName);
  if (anchor?.metadata.uid !== anchorUid) return { is: 'gone' };
  if (anchor.metadata.labels?.[LABELS.installation] !== installation) return { is: 'foreign' };
  const firstRunId = anchor.metadata.annotations?.[ANNOTATIONS.firstRunId];
  if (await isRunning(temporal, { workflowId, firstRunId })) return { is: 'alive' };
  const job = recordedJob(anchor);
  const scope = scopeOfEnded(anchor);
  if (job && scope) return removeLate(dependencies, request, { anchor, job, scope });
  const ending = await outcomeOfClosed(temporal, { workflowId, firstRunId });
  if (ending && ending.phase !== 'Stopped') {
    const ttlSeconds = job?.plan.runPolicy.ttlSecondsAfterFinished;
    const annotations = expiryOf(dependencies, { completionTime: ending.completionTime, ttlSeconds });
    await writeStatus(dependencies, { anchor: identityOf(request), status: ending, annotations });
    return { is: 'recorded' };
  }
  if (job) return removeAndRecord(dependencies, request, { anchor, job, ending });
  // An anchor whose record is not of its own job says nothing worth keeping; what it owns goes with it.
  await deleteAnchor(dependencies, anchor.metadata);
  return { is: 'swept' };
}

/** What the end that is on record removed; undefined for a job without one. */
function scopeOfEnded({ metadata: { annotations = {} } }: ConfigMap): CleanUpScope | undefined {
  const isEnded = isFinal(annotations[ANNOTATIONS.phase] ?? '');
  return isEnded ? parseCleanUpScope(annotations[ANNOTATIONS.cleanUp]) : undefined;
}

interface Remains {
  readonly anchor: ConfigMap;
  readonly job: TrainingJob;
  readonly scope: CleanUpScope;
}

/** The job has ended in order, and its record stands. Pods that came after its clean-up go as they would have then. */
async function removeLate(
  dependencies: Dependencies,
  request: SweepAttempt,
  remains: Remains,
): Promise<Swept> {
  const { unfinished } = await remove(dependencies, request, remains);
  return unfinished ?? { is: 'swept' };
}

async function removeAndRecord(
  dependencies: Dependencies,
  request: SweepAttempt,
  { anchor, job, ending }: Omit<Remains, 'scope'> & { readonly ending: Ending | undefined },
): Promise<Swept> {
  const scope = 'Everything';
  const { unfinished, evidence, left } = await remove(dependencies, request, { anchor, job, scope });
  const status = withEvidence(anchor, evidence);
  if (unfinished) {
    if (evidence.length > 0) await writeStatus(dependencies, { anchor: identityOf(request), status });
    return unfinished;
  }
  const end = { ...status, ...endOf(left), ...ending };
  const expiry = expiryOf(dependencies, { ttlSeconds: job.plan.runPolicy.ttlSecondsAfterFinished });
  const annotations = { ...expiry, [ANNOTATIONS.cleanUp]: scope };
  await writeStatus(dependencies, { anchor: identityOf(request), status: end, annotations });
  return { is: 'swept' };
}

async function remove(
  dependencies: Dependencies,
  { anchorUid, again, givesUp }: SweepAttempt,
  { anchor, job, scope }: Remains,
) {
  const request = { job, anchorUid, gang: gangOf(anchor), scope, again };
  const { evidence = [], left = [], refused } = await cleanUp(dependencies, request);
  return { evidence, left, unfinished: unfinished({ left: givesUp ? [] : left, refused }) };
}

function unfinished({ left = [], refused }: Pick<EffectResult, 'left' | 'refused'>): Swept | undefined {
  if (refused) return { is: 'unfinished', why: refused };
  if (left.length === 0) return undefined;
  return { is: 'unfinished', why: describeLeft(left), isOverdue: left.every(isLate) };
}

const identityOf = ({ namespace, anchorName: name, anchorUid: uid }: SweepRequest) => ({
  namespace,
  name,
  uid,
});

const isLate = ({ until }: LeftPod) => until === undefined;

/** The last status that the job recorded, with the evidence that it had not heard of. */
function withEvidence({ data }: ConfigMap, taken: readonly EvidenceSummary[]): Partial<JobStatus> {
  const last = JSON.parse(data?.status ?? '{}') as Partial<JobStatus>;
  const known = new Set(taken.map(({ uid }) => uid));
  const evidence = [...taken, ...(last.evidence ?? []).filter(({ uid }) => !known.has(uid))];
  return evidence.length > 0 ? { ...last, evidence: evidence.slice(0, MOST_TOLD) } : last;
}

/** The end that the job could not write itself. */
function endOf(left: readonly LeftPod[]): Partial<JobStatus> {
  const { sentence } = REASONS.WorkflowTerminated;
  const message = left.length > 0 ? `${sentence} But ${describeLeft(left)}; ${HOW_THEY_GO}.` : sentence;
  const cause = { reason: 'WorkflowTerminated', message } as const;
  return { phase: 'Stopped', state: 'Stopped', cause, completionTime: new Date().toISOString() };
}

function gangOf({ metadata }: ConfigMap): GangProvider {
  const chosen = metadata.annotations?.[ANNOTATIONS.gang] ?? '';
  return chosen in GANG_ADAPTERS ? (chosen as GangProvider) : 'none';
}
