import type { LanePlace, LaneRequest } from '../../contracts/lane-request.ts';
import { readAmounts } from '../../contracts/pod-requests.ts';
import type { LaneEntry } from './lane-entry.ts';

/** A job in a lane, as its anchor says it. */
export interface JobInLane {
  /** Of the anchor. */
  readonly uid: string;
  readonly namespace: string;
  readonly job: string;
  readonly phase: string;
  readonly request: LaneRequest;
  readonly place: LanePlace;
}

/** Returns what a job waits for, or has, in its lane. */
export function entryOfJob({ uid, namespace, job, phase, request, place }: JobInLane, at: number): LaneEntry {
  const { lane, labels, priority, demand, runsForMs, savesFirst } = request;
  const { since, requeuedAt, yieldsTo, user, takenAt } = place;
  const isRunning = phase === 'Running' || phase === 'Restarting';
  return {
    ...{ uid, namespace, job, lane, labels, priority, since, demand: readAmounts(demand) },
    ...(requeuedAt === undefined ? {} : { requeuedAt }),
    ...(yieldsTo === undefined ? {} : { yieldsTo }),
    ...(user === undefined ? {} : { user }),
    ...(runsForMs === undefined ? {} : { durationMs: runsForMs }),
    ...(takenAt === undefined
      ? {}
      : {
          granted: {
            at: takenAt,
            ...(isRunning ? { startedAt: takenAt } : {}),
            // It writes a checkpoint before it stops.
            ...(savesFirst ? { savedAt: at } : {}),
          },
        }),
  };
}
