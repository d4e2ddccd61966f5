import type { JobContext } from '../model/job-context.ts';
import { evictionOf } from '../stopping/eviction.ts';
import type { Gate } from './gate.ts';

/** The job's turn in its lane. It keeps what it was granted over restarts, until it is evicted, suspended or ends. */
export const laneGate: Gate = {
  isHeld: ({ holdsPlace }) => holdsPlace === true,
  request: ({ attempt }) => ({ type: 'joinLane', attempt }),
  isOpen: (context) => grantOf(context) !== undefined && !evictionOf(context),
  causes: ({ digest, attempt }) => {
    const told = digest?.lane?.attempt === attempt ? digest.lane.message : undefined;
    return [
      { reason: 'WaitingInLane', message: `no pods yet: ${told ?? 'no watcher has decided about it yet'}` },
    ];
  },
  explainOpen: ({ digest }) => digest?.lane?.message ?? 'its lane lets it start',
};

/** Returns until when the attempt may take what its lane grants; undefined if that grants nothing, or did too long ago. */
export function grantOf({ digest, attempt, at, passedGrant }: JobContext): number | undefined {
  const { lane } = digest ?? {};
  if (lane?.attempt !== attempt || lane.until === undefined) return undefined;
  return at <= lane.until && lane.until !== passedGrant ? lane.until : undefined;
}
