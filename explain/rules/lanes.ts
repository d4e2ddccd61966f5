import { type Rule, reason } from '../rule.ts';

/** The lane of a job that is not submitted: one that is has been told, as a cause of its own. */
export const lanes: Rule = ({ cluster: { lane } }) => (lane ? [reason(lane.code, lane.message)] : []);
