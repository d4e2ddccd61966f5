import type { GateName } from '../../contracts/training-job.ts';
import type { Cause } from '../../contracts/types.ts';
import { createGroupEffect } from '../attempt/effects.ts';
import { canNeverFit, unreadGroups } from '../gang/group-view.ts';
import type { Effect } from '../model/effects.ts';
import type { JobContext } from '../model/job-context.ts';
import { grantOf } from '../model/lane-grant.ts';
import { evictionOf } from '../stopping/eviction.ts';

/** What a job waits for before it has pods. It decides by the newest digest. */
interface Gate {
  /** Whether the job need not ask again. */
  isHeld(context: JobContext): boolean;
  /** Returns the effect that asks for admission; repeated when the job has other sizes. */
  request(context: JobContext): Effect;
  isOpen(context: JobContext): boolean;
  /** Returns why it is not open, the most important cause first. */
  causes(context: JobContext): readonly Cause[];
  /** Says that it has opened. */
  explainOpen(context: JobContext): string;
}

/** The group of a gang scheduler that plans with it before there are pods. */
const groupGate: Gate = {
  isHeld: () => false,
  request: createGroupEffect,
  isOpen: (context) => context.digest?.gang?.admitted === true && !evictionOf(context),
  causes: (context) => {
    const said = context.digest?.gang?.message ?? unreadGroups(context);
    const why = said ?? 'the gang scheduler has not reported on the group yet';
    const reason = canNeverFit(context) ? 'NeverFits' : 'WaitingForGang';
    return [{ reason, message: `no pods yet: ${why}` }];
  },
  explainOpen: ({ digest }) => digest?.gang?.message ?? 'the scheduler has admitted the group',
};

/** What time alone does not cure has its own reason. */
const OWN_REASONS = ['NeverFits', 'LaneFaulty'] as const;

/** The job's turn in its lane. It keeps what it was granted over restarts, until it is evicted, suspended or ends. */
const laneGate: Gate = {
  isHeld: ({ holdsPlace }) => holdsPlace === true,
  request: ({ attempt, yieldsTo }) => ({
    type: 'joinLane',
    attempt,
    ...(yieldsTo === undefined ? {} : { yieldsTo }),
  }),
  isOpen: (context) => grantOf(context) !== undefined && !evictionOf(context),
  causes: ({ digest, attempt }) => {
    const told = digest?.lane?.attempt === attempt ? digest.lane : undefined;
    const reason = OWN_REASONS.find((one) => one === told?.reason) ?? 'WaitingInLane';
    const why = told?.message ?? 'no watcher has decided about it yet';
    return [{ reason, message: `no pods yet: ${why}` }];
  },
  explainOpen: ({ digest }) => digest?.lane?.message ?? 'its lane lets it start',
};

const GATES: Readonly<Record<GateName, Gate>> = { group: groupGate, lane: laneGate };

/** Returns undefined for a job whose pods may be created at once. */
export const gateOf = ({ gate }: JobContext): Gate | undefined => gate && GATES[gate];
