import { withPlace } from '../queue-place.ts';
import { type Rule, reason } from '../rule.ts';

/** What the lane of a job keeps it waiting for now. */
export const lanes: Rule = ({ cluster: { lane }, own }) => {
  if (!lane) return [];
  const { code, why, place } = lane;
  return [reason(code, withPlace(why, place), { place, since: own?.since })];
};
