import { formatAmounts } from '../../contracts/pod-requests.ts';
import type { QueuePlace } from '../../contracts/types.ts';
import { withPlace } from '../../explain/queue-place.ts';
import { withoutUndefined } from '../../language/fields.ts';
import type { LaneStanding } from './lanes-decision.ts';

/** Why a job waits, at which position, behind whom, and until when if that is known. */
export const standingText = (standing: LaneStanding): string =>
  withPlace(standing.sentence, lanePlace(standing));

/** Where a job is in the order of its lane. */
export const lanePlace = ({ lane, position, of, ahead, earliestStart }: LaneStanding): QueuePlace =>
  withoutUndefined({
    ...{ queue: 'lane' as const, name: lane, position, of },
    ahead: ahead.map(({ name, needs }) => ({ who: name, needs: formatAmounts(needs) })),
    earliestStart: earliestStart === undefined ? undefined : new Date(earliestStart).toISOString(),
  });
