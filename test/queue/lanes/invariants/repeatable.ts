import { isDeepStrictEqual } from 'node:util';
import type { Check, Moment } from '../world.ts';

/** The same state gives the same decision, in any order, and to a new leader that reads it from JSON. */
export const decisionsAreRepeatable: Check = ({ state, decision, afterwards, decide }) => {
  const broken: string[] = [];
  const again = decide({ ...state, entries: state.entries.toReversed() });
  if (!isDeepStrictEqual(asData(again), asData(decision)))
    broken.push('I7: another order gives another decision');
  const { grants, yields } = decide(afterwards);
  for (const { uid } of grants) broken.push(`I7: ${uid} starts once it is decided again`);
  for (const { uid } of yields) broken.push(`I7: ${uid} gives back once it is decided again`);
  return broken;
};

const asData = ({ grants, yields, standings, lanes }: Moment['decision']) => ({
  ...{ grants, yields, lanes },
  standings: [...standings].sort(([a], [b]) => (a < b ? -1 : 1)),
});
