import type { Effect } from './job-events.ts';

/** Effects of one lane run one after the other; the lanes run side by side. */
export const LANES = ['pods', 'hostLists'] as const;

export type LaneName = (typeof LANES)[number];

/** The types of effects that run as activities. */
export type RunnableType = Exclude<Effect['type'], 'tryAgain'>;

export const laneOf = (effect: RunnableType): LaneName =>
  effect === 'publishHostList' ? 'hostLists' : 'pods';

/** The lanes whose effect in progress is cancelled before this one starts. */
export const cancelledLanes = (effect: RunnableType): readonly LaneName[] =>
  REMOVALS.has(effect) ? ['pods', 'hostLists'] : [laneOf(effect)];

/** Nothing may be written any more while these delete the pods of an attempt. */
const REMOVALS: ReadonlySet<RunnableType> = new Set(['suspend', 'cleanUp', 'drain']);
