import type { ApiError } from '../cluster/errors.ts';
import { formatAnchorRecord } from '../contracts/anchor.ts';
import { PODS } from '../contracts/kubernetes.ts';
import { anchorNameOf } from '../contracts/labels.ts';
import { UNFINISHED } from '../contracts/pod.ts';
import { endedAt } from '../contracts/status.ts';
import { timeOf } from '../language/time.ts';
import { patchAnchor } from './anchors/anchor-writes.ts';
import type { Refusals } from './deletion/delete-pods.ts';
import { endInLane } from './lane-places.ts';
import { type ObjectsToRemove, removeObjects } from './objects/remove-objects.ts';
import { type RecordStatusRequest, recordStatus } from './record-status.ts';
import type { Dependencies } from './support/dependencies.ts';
import type { EffectResult } from './support/effect.ts';
import { listOwned } from './support/owned.ts';
import { selectJob } from './support/select-attempt.ts';

interface CleanUpRequest extends Omit<ObjectsToRemove, 'force'> {
  /** The record of the end, for when nothing is left. The last entry of its timeline gets the time of that. */
  readonly record?: RecordStatusRequest;
}

/**
 * Deletes what the scope names. Returns the pods that still exist after a moment, and why objects could not be deleted:
 * such errors do not stop the rest. Writes the record of the end if there is nothing of this to report. Idempotent: it
 * deletes what exists.
 */
export async function cleanUp(dependencies: Dependencies, request: CleanUpRequest): Promise<EffectResult> {
  const { scope, record } = request;
  const refusals: Refusals = new Map();
  if (scope !== 'None') await announceEnd(dependencies, request);
  const done = await removeObjects(dependencies, request, refusals);
  await leaveLaneIfGone(dependencies, request, { ...done, isRefused: refusals.size > 0 });
  if (refusals.size > 0) return { ...done, refused: summarize([...refusals.values()]) };
  const hasNews = done.restored || [done.stuckPods, done.evidence].some((news = []) => news.length > 0);
  return record && !hasNews ? { ...done, ...(await recordEnd(dependencies, record)) } : done;
}

/** Pods that are kept, or do not go, hold what the lane of the job has granted. */
async function leaveLaneIfGone(
  dependencies: Dependencies,
  { job, anchorUid, scope }: CleanUpRequest,
  { stuckPods = [], isRefused }: Pick<EffectResult, 'stuckPods'> & { readonly isRefused: boolean },
): Promise<void> {
  if (job.lane === undefined) return;
  const isKept = async () => {
    const selection = { ...selectJob(job), fieldSelector: UNFINISHED };
    return (await listOwned(dependencies.cluster, PODS, selection, { anchorUid, job, most: 1 })).length > 0;
  };
  const isEmpty = stuckPods.length === 0 && !isRefused && (scope !== 'None' || !(await isKept()));
  await endInLane(dependencies, { job, anchorUid }, { isEmpty });
}

/** Returns nothing if the record could not be written: the workflow does it then, and tries for longer. */
async function recordEnd(
  dependencies: Dependencies,
  record: RecordStatusRequest,
): Promise<Pick<EffectResult, 'recordedAt'>> {
  // The clocks of Temporal, which timed the other entries, and of this machine may differ.
  const recordedAt = Math.max(Date.now(), Date.parse(record.status.timeline.at(-1)!.at));
  const status = endedAt(record.status, timeOf(recordedAt));
  return recordStatus(dependencies, { ...record, status }).then(
    () => ({ recordedAt }),
    () => ({}),
  );
}

/** Lets the watcher delay digests of the pods that are deleted now. Clean-up does not depend on it. */
async function announceEnd(dependencies: Dependencies, { job, anchorUid }: CleanUpRequest): Promise<void> {
  const anchor = { namespace: job.namespace, name: anchorNameOf(job.name), uid: anchorUid };
  const annotations = formatAnchorRecord({ isEnding: true });
  await patchAnchor(dependencies, anchor, { annotations }).catch(() => undefined);
}

const summarize = ([first, ...others]: readonly ApiError[]) =>
  `${first!.message}${others.length > 0 ? `; and ${others.length} more` : ''}`;
