import { placeText } from '../queue-place.ts';
import { type Rule, reason } from '../rule.ts';

/** What the lane of a job keeps it waiting for now. */
export const lanes: Rule = ({ cluster: { lane }, own }) => {
  if (!lane) return [];
  const { code, why, place } = lane;
  const sentence = [why, place && placeText(place)].filter(Boolean).join('; ');
  return [reason(code, sentence, { place, since: own?.since })];
};
