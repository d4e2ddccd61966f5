import { isAlreadyExists, unlessGoneOrReplaced } from '../cluster/errors.ts';
import { CONFIG_MAPS } from '../contracts/kubernetes.ts';
import {
  type LaneRecord,
  laneRecordData,
  laneRecordName,
  parseLaneRecord,
  renderLaneRecord,
} from '../contracts/lane-record.ts';
import type { LanePlace } from '../contracts/lane-request.ts';
import type { TrainingJob } from '../contracts/training-job.ts';
import { laneRequestOf } from '../resources/lane.ts';
import type { Dependencies } from './support/dependencies.ts';
import type { EffectRequest, EffectResult } from './support/effect.ts';
import { isTurnOver } from './support/turn.ts';

/** The place of a job in its lane is in its record: the leading watcher decides by all records, and jobs write their own. */

interface JobInLane {
  readonly job: TrainingJob;
  readonly anchorUid: string;
}

interface PlaceRequest extends JobInLane {
  readonly attempt: number;
}

/** With who submitted the job, and when in epoch milliseconds. */
type JoinLaneRequest = Omit<EffectRequest<'joinLane'>, 'gang'> & {
  readonly user?: string;
  readonly submittedAt?: number;
};

/**
 * Puts an attempt into the lane of its job, and gives back what an earlier one had. The job keeps its place in the order if
 * that had to go for others. Idempotent: an attempt that has its place keeps it.
 */
export async function joinLane(dependencies: Dependencies, request: JoinLaneRequest): Promise<EffectResult> {
  const { attempt, user, yieldsTo, submittedAt } = request;
  const now = dependencies.cluster.now();
  const first: LanePlace = { attempt, user, since: attempt === 1 ? (submittedAt ?? now) : now };
  const known = await recordWith(dependencies, request, first);
  if (!known) return UNCHANGED;
  const { takenAt, ...place } = known.place ?? first;
  if (known.place?.attempt === attempt && takenAt === undefined) return UNCHANGED;
  const isUnused = takenAt !== undefined && yieldsTo === undefined;
  const given = takenAt === undefined ? {} : isUnused ? { since: now } : { requeuedAt: now, yieldsTo };
  await writeRecord(dependencies, request, { place: { user, ...place, ...given, attempt } });
  return UNCHANGED;
}

/**
 * Takes what the lane has granted to an attempt. Returns false if that is over. Idempotent: what is taken stays taken, and
 * watchers count it from then on.
 */
export async function takePlace(
  dependencies: Dependencies,
  request: PlaceRequest & { readonly until: number },
): Promise<boolean> {
  const { attempt, until } = request;
  const known = await readRecord(dependencies, request);
  if (known?.place?.attempt === attempt && known.place.takenAt !== undefined) return true;
  if (isTurnOver(dependencies.cluster, until)) return false;
  const takenAt = dependencies.cluster.now();
  const { yieldsTo: _, ...before } = known?.place ?? { since: takenAt };
  const place = { ...before, attempt, takenAt };
  if (known || (await recordWith(dependencies, request, place)))
    await writeRecord(dependencies, request, { place });
  return true;
}

/** Leaves the lane, e.g. while the job is suspended. Idempotent. */
export const leaveLane = (dependencies: Dependencies, request: JobInLane): Promise<void> =>
  writeRecord(dependencies, request, { place: null });

/** Writes what a new revision of a job asks of its lane. Idempotent. */
export async function askLane(dependencies: Dependencies, request: JobInLane): Promise<void> {
  const asked = laneRequestOf(request.job);
  if (asked) await writeRecord(dependencies, request, { request: asked });
}

/** The job has ended: watchers count what its pods still have. Removes its record if none is left. Idempotent. */
export async function endInLane(
  dependencies: Dependencies,
  request: JobInLane,
  { isEmpty }: { readonly isEmpty: boolean },
): Promise<void> {
  if (request.job.lane === undefined) return;
  if (isEmpty) await removeLaneRecord(dependencies, request.anchorUid);
  else await writeRecord(dependencies, request, { hasEnded: true });
}

/** Removes what is left in a lane of a job whose anchor is gone. Idempotent. */
export async function removeLaneRecord(
  { cluster, lanesReference: lanes }: Dependencies,
  anchorUid: string,
): Promise<void> {
  if (!lanes) return;
  await cluster.delete(CONFIG_MAPS, lanes.namespace, laneRecordName(anchorUid)).catch(unlessGoneOrReplaced);
}

const UNCHANGED: EffectResult = { resourceVersion: 0 };

/** Returns the record of a job; undefined if there was none, and one with this place was made. */
async function recordWith(
  dependencies: Dependencies,
  { job, anchorUid }: JobInLane,
  place: LanePlace,
): Promise<LaneRecord | undefined> {
  const { cluster, lanesReference: lanes } = dependencies;
  const request = laneRequestOf(job);
  if (!lanes || !request)
    throw new Error(
      `job ${job.namespace}/${job.name} is in a lane, and this worker has none (SIGNALBOX_LANES)`,
    );
  const record = { namespace: job.namespace, job: job.name, anchorUid, request, place };
  try {
    await cluster.create(CONFIG_MAPS, renderLaneRecord(record, lanes));
    return undefined;
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
  }
  // Whatever cannot be read is written anew.
  return (await readRecord(dependencies, { job, anchorUid })) ?? { ...record, place: undefined };
}

async function readRecord(
  { cluster, lanesReference: lanes }: Dependencies,
  { anchorUid }: JobInLane,
): Promise<LaneRecord | undefined> {
  const found = lanes && (await cluster.find(CONFIG_MAPS, lanes.namespace, laneRecordName(anchorUid)));
  return found && parseLaneRecord(found, lanes);
}

async function writeRecord(
  { cluster, lanesReference: lanes }: Dependencies,
  { anchorUid }: JobInLane,
  changes: Parameters<typeof laneRecordData>[0],
): Promise<void> {
  if (!lanes) return;
  const target = { namespace: lanes.namespace, name: laneRecordName(anchorUid) };
  await cluster.patch(CONFIG_MAPS, target, { data: laneRecordData(changes) }).catch(unlessGoneOrReplaced);
}
