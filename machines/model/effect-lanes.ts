import type { Effect } from './job-events.ts';

/** Effects of one lane run one after the other; the lanes run side by side. */
const LANES = ['pods', 'hostLists', 'services', 'spares'] as const;

export type LaneName = (typeof LANES)[number];

/** The types of effects that run as activities. */
export type RunnableType = Exclude<Effect['type'], 'tryAgain'>;

export const laneOf = (effect: RunnableType): LaneName => BESIDE_PODS[effect] ?? 'pods';

const BESIDE_PODS: Readonly<Partial<Record<RunnableType, LaneName>>> = {
  publishHostList: 'hostLists',
  restoreServices: 'services',
  keepSpares: 'spares',
};

/** The lanes whose effect in progress is cancelled before this one starts. */
export function cancelledLanes(effect: RunnableType): readonly LaneName[] {
  if (REMOVALS.has(effect)) return LANES;
  const lane = laneOf(effect);
  // A spare must not take the place of a pod that is being made.
  return lane === 'pods' ? ['pods', 'spares'] : [lane];
}

/** Nothing may be written any more while these delete the pods of an attempt. */
const REMOVALS: ReadonlySet<RunnableType> = new Set(['suspend', 'cleanUp', 'drain', 'rollBack']);
