import { withPlace } from '../queue-place.ts';
import { type Rule, waitReason } from '../rule.ts';

/** What the lane of a job keeps it waiting for now. */
export const lanes: Rule = ({ cluster: { lane }, own }) => {
  if (!lane) return [];
  const { code, why, place } = lane;
  return [waitReason(code, withPlace(why, place), { place, since: own?.since })];
};
