import type { LaneStanding } from './lanes-decision.ts';

/** Why a job waits, at which position, behind whom, and until when if that is known. */
export function standingText({ sentence, lane, position, of, ahead, earliestStart }: LaneStanding): string {
  const parts = [
    sentence,
    position === undefined ? undefined : `position ${position} of ${of} in lane ${lane}`,
    ahead.length > 0 ? `ahead: ${ahead.map(({ name }) => name).join(', ')}` : undefined,
    earliestStart === undefined ? undefined : `it can start at ${new Date(earliestStart).toISOString()}`,
  ];
  return parts.filter(Boolean).join('; ');
}
