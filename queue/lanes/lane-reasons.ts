/** Why a job of a lane waits, in order of rank: exactly one applies. Codes of `contracts/reasons.ts` mean the same here. */
export const LANE_REASONS = [
  ...(['QueueClosed', 'LaneFaulty', 'NeverFits', 'LanePaused', 'CapacityUnknown', 'BackingOff'] as const),
  ...(['CapReached', 'LimitReached', 'CapacityBeingFreed', 'WaitingForTurn', 'WaitingForRoom'] as const),
] as const;

export type LaneReasonCode = (typeof LANE_REASONS)[number];
