import type { LaneRecord } from '../../contracts/lane-record.ts';
import { addAmounts, formatAmounts, multiplyAmounts, ONE_POD } from '../../contracts/pod-requests.ts';
import type { JobInLane } from '../../queue/lanes/entry-of-job.ts';
import type { WatchedJob } from '../jobs/job.ts';
import { sumOfRequests } from '../pods/requested.ts';
import type { JobStore } from '../store/job-store.ts';

/** A job in a lane, and what is known of its anchor. */
export interface FollowedRecord {
  readonly record: LaneRecord;
  /** Undefined: its anchor was not seen, or is gone. */
  readonly job: WatchedJob | undefined;
}

export const recordedJobs = (records: Iterable<LaneRecord>, jobs: JobStore): FollowedRecord[] =>
  [...records].map((record) => ({
    record,
    job: jobs.job({ namespace: record.namespace, uid: record.anchorUid }),
  }));

/**
 * Returns the job as its lane sees it; undefined if it neither waits nor holds anything. What decides about others is in the
 * record. Its anchor and pods, which others may write, say only that it does not want to start, or how little is left.
 */
export function inLane({ record, job }: FollowedRecord): JobInLane | undefined {
  const { namespace, job: name, anchorUid: uid, request, place, hasEnded } = record;
  if (!place) return undefined;
  const known = { uid, namespace, job: name, place };
  if (hasEnded) {
    const left = leftOf(job);
    return left && { ...known, request: { ...request, demand: left }, hasStarted: true, hasEnded };
  }
  if (place.takenAt === undefined && !wantsToStart(job)) return undefined;
  return { ...known, request, hasStarted: (job?.states.ready ?? 0) > 0 };
}

const wantsToStart = (job: WatchedJob | undefined): boolean =>
  job?.anchor !== undefined && !job.anchor.final && !job.anchor.deleted;

/** Returns what pods of an ended job still have; undefined if none is left. */
function leftOf(job: WatchedJob | undefined) {
  const pods = unendedPods(job);
  if (pods.length === 0) return undefined;
  return formatAmounts(addAmounts(sumOfRequests(pods), multiplyAmounts(ONE_POD, pods.length)));
}

export const hasUnendedPods = (job: WatchedJob | undefined): boolean => unendedPods(job).length > 0;

const unendedPods = (job: WatchedJob | undefined) =>
  [...(job?.pods.values() ?? [])].filter(({ state }) => !HAVE_ENDED.has(state));

const HAVE_ENDED: ReadonlySet<string> = new Set(['succeeded', 'failed']);
