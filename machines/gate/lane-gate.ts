import { grantOf } from '../model/lane-grant.ts';
import { evictionOf } from '../stopping/eviction.ts';
import type { Gate } from './gate.ts';

/** What time alone does not cure has its own reason. */
const OWN_REASONS = ['NeverFits', 'LaneFaulty'] as const;

/** The job's turn in its lane. It keeps what it was granted over restarts, until it is evicted, suspended or ends. */
export const laneGate: Gate = {
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
