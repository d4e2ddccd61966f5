import type { Who } from '../../explain/codes.ts';

interface LaneReason {
  /** Who can end the wait. */
  readonly who: Who;
  readonly meaning: string;
}

/** Why a job of a lane waits, in order of rank: exactly one applies. Codes that `why` has, too, mean the same there. */
export const LANE_REASONS = {
  QueueClosed: { who: 'administrator', meaning: 'The lane does not exist, or the namespace may not use it.' },
  LaneFaulty: {
    who: 'administrator',
    meaning: 'The configuration of the lane, or of its pool, has a fault.',
  },
  NeverFits: {
    who: 'you',
    meaning: 'The job needs more than the pool has, or more than a limit or cap of the lane.',
  },
  LanePaused: { who: 'administrator', meaning: 'Somebody has paused the lane, or drains it.' },
  CapacityUnknown: { who: 'administrator', meaning: 'What the pool of the lane has is not known.' },
  BackingOff: { who: 'nobody', meaning: 'The job is not granted anything before a time.' },
  CapReached: {
    who: 'nobody',
    meaning: 'Jobs of the same user, or with the same value of a label, have as much as the lane allows.',
  },
  LimitReached: { who: 'nobody', meaning: 'The jobs of the lane have as much as its limit allows.' },
  CapacityBeingFreed: { who: 'nobody', meaning: 'Other jobs were stopped to make room for this one.' },
  WaitingForTurn: { who: 'nobody', meaning: 'Jobs that come first wait, and this one would delay them.' },
  WaitingForRoom: { who: 'nobody', meaning: 'The job is the next of its lane, and too little is free.' },
} as const satisfies Readonly<Record<string, LaneReason>>;

export type LaneReasonCode = keyof typeof LANE_REASONS;
