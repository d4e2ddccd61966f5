import type { LanePlace, LaneRequest } from '../../contracts/lane-request.ts';
import { readAmounts } from '../../contracts/pod-requests.ts';
import type { LaneEntry } from './lane-entry.ts';

/** A job in a lane, as its record says it. */
export interface JobInLane {
  /** Of the anchor. */
  readonly uid: string;
  readonly namespace: string;
  readonly job: string;
  readonly request: LaneRequest;
  readonly place: LanePlace;
  /** Of a job that has taken its place: its pods run. */
  readonly hasStarted: boolean;
  /** It has ended, and what is left of it has no work to lose. */
  readonly hasEnded?: true;
}

/** Returns what a job waits for, or has, in its lane. */
export function entryOfJob(
  { uid, namespace, job, request, place, hasStarted, hasEnded }: JobInLane,
  at: number,
): LaneEntry {
  const { lane, labels, priority, demand, runsForMs, savesFirst } = request;
  const { since, requeuedAt, yieldsTo, user, takenAt } = place;
  return {
    ...{ uid, namespace, job, lane, labels, priority, since, demand: readAmounts(demand) },
    ...(requeuedAt === undefined ? {} : { requeuedAt }),
    ...(yieldsTo === undefined ? {} : { yieldsTo }),
    ...(user === undefined ? {} : { user }),
    ...(runsForMs === undefined || hasEnded ? {} : { durationMs: runsForMs }),
    ...(hasEnded ? { hasEnded } : {}),
    ...(takenAt === undefined
      ? {}
      : {
          granted: {
            at: takenAt,
            ...(hasStarted ? { startedAt: takenAt } : {}),
            // It writes a checkpoint before it stops.
            ...(savesFirst ? { savedAt: at } : {}),
          },
        }),
  };
}
