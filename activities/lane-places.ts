import { CONFIG_MAPS, type ConfigMap } from '../contracts/kubernetes.ts';
import { ANNOTATIONS, anchorNameOf } from '../contracts/labels.ts';
import { formatLanePlace, type LanePlace, parseLanePlace } from '../contracts/lane-request.ts';
import type { TrainingJob } from '../contracts/training-job.ts';
import { patchAnchor } from './anchors/anchor-writes.ts';
import type { Dependencies } from './support/dependencies.ts';
import type { EffectResult } from './support/result.ts';
import { isTurnOver } from './support/turn.ts';

/** The place of a job in its lane is on its anchor: the leading watcher decides by all anchors, and jobs write their own. */

interface PlaceRequest {
  readonly job: TrainingJob;
  readonly anchorUid: string;
  readonly attempt: number;
}

export interface JoinLaneRequest extends PlaceRequest {
  /** Who submitted the job. */
  readonly user?: string;
  /** For whom its earlier attempt had to go. */
  readonly yieldsTo?: string;
}

/** Returns the place of a job that begins to wait with its first attempt. */
export const placeInLane = (user: string | undefined): LanePlace => ({ user, since: Date.now(), attempt: 1 });

/**
 * Puts an attempt into the lane of its job, and gives back what an earlier one had. The job keeps its place in the order.
 * Idempotent: an attempt that has its place keeps it.
 */
export async function joinLane(dependencies: Dependencies, request: JoinLaneRequest): Promise<EffectResult> {
  const { attempt, user, yieldsTo } = request;
  const known = await readPlace(dependencies, request);
  if (known?.attempt === attempt && known.takenAt === undefined) return UNCHANGED;
  const now = dependencies.cluster.now();
  const { takenAt, ...waiting } = known ?? { since: now, user };
  const givenBack = takenAt === undefined ? {} : { requeuedAt: now, yieldsTo };
  await writePlace(dependencies, request, { user, ...waiting, ...givenBack, attempt });
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
  const known = await readPlace(dependencies, request);
  if (known?.attempt === request.attempt && known.takenAt !== undefined) return true;
  if (isTurnOver(dependencies.cluster, request.until)) return false;
  const takenAt = dependencies.cluster.now();
  const { attempt } = request;
  const { yieldsTo: _, ...place } = known ?? { since: takenAt };
  await writePlace(dependencies, request, { ...place, attempt, takenAt });
  return true;
}

/** Leaves the lane. Idempotent. */
export const leaveLane = (dependencies: Dependencies, request: Omit<PlaceRequest, 'attempt'>) =>
  writePlace(dependencies, request, undefined);

const UNCHANGED: EffectResult = { resourceVersion: 0 };

async function readPlace(
  { cluster }: Dependencies,
  { job, anchorUid }: Omit<PlaceRequest, 'attempt'>,
): Promise<LanePlace | undefined> {
  const anchor: ConfigMap | undefined = await cluster.find(
    CONFIG_MAPS,
    job.namespace,
    anchorNameOf(job.name),
  );
  const isOwn = anchor?.metadata.uid === anchorUid;
  return isOwn ? parseLanePlace(anchor.metadata.annotations?.[ANNOTATIONS.lanePlace]) : undefined;
}

async function writePlace(
  dependencies: Dependencies,
  { job: { namespace, name }, anchorUid }: Omit<PlaceRequest, 'attempt'>,
  place: LanePlace | undefined,
): Promise<void> {
  const annotations = { [ANNOTATIONS.lanePlace]: place ? formatLanePlace(place) : null };
  await patchAnchor(dependencies, { namespace, name: anchorNameOf(name), uid: anchorUid }, { annotations });
}
