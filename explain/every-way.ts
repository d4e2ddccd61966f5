import type { Around } from './around.ts';
import type { Packed, Wanted } from './pack.ts';
import { type State, spotsFor } from './spot-rules.ts';
import { type Group, groupsOf, type Spot, spotsOf } from './spots.ts';

/** What is known of pods whose places were not tried. */
export const UNTRIED: Pick<Packed, 'fits' | 'placed'> = { fits: 'unknown', placed: 0 };

/** How many nodes are looked at, over all that is tried. */
const MOST_TRIED = 50_000;

/**
 * Tries all ways in which a scheduler may place pods one after the other, as long as these are few. They fit if all of them always
 * find a place, and do not if some never do; where it depends on which nodes are chosen first it is not known.
 */
export function everyWay(wanted: readonly Wanted[], around: Around): Pick<Packed, 'fits' | 'placed'> {
  const groups = groupsOf(
    wanted.filter(({ pods }) => pods > 0),
    around,
  );
  if (!groups) return UNTRIED;
  const all = groups.reduce((sum, { pods }) => sum + pods, 0);
  const spots = spotsOf(groups, around);
  const ends = new Set<number>();
  const seen = new Set<string>();
  const open: State[] = [
    { placed: spots.map(() => groups.map(() => 0)), left: groups.map(({ pods }) => pods) },
  ];
  for (let state = open.pop(); state; state = open.pop()) {
    if (seen.size * spots.length > MOST_TRIED) return UNTRIED;
    const more = stepsOf(state, groups, spots);
    if (more.length === 0) ends.add(all - state.left.reduce((sum, pods) => sum + pods, 0));
    for (const next of more) {
      const key = keyOf(next, spots);
      if (!seen.has(key)) open.push(next);
      seen.add(key);
    }
  }
  const most = Math.max(...ends);
  return { fits: most < all ? 'no' : ends.size === 1 ? 'yes' : 'unknown', placed: most };
}

/** The states that follow when one pod more gets a place; one for each of those that are alike. */
function stepsOf(state: State, groups: readonly Group[], spots: readonly Spot[]): State[] {
  return groups.flatMap((group) => {
    if (state.left[group.index] === 0) return [];
    const mayTake = spotsFor(group, { state, groups, spots });
    const tried = new Set<string>();
    return spots.flatMap((spot, index): State[] => {
      const print = `${spot.print} ${state.placed[index]!.join()}`;
      if (tried.has(print) || !mayTake(spot, index)) return [];
      tried.add(print);
      return [
        {
          placed: state.placed.with(index, plus(state.placed[index]!, group.index, 1)),
          left: plus(state.left, group.index, -1),
        },
      ];
    });
  });
}

const plus = (all: readonly number[], index: number, more: number): number[] =>
  all.with(index, all[index]! + more);

const keyOf = ({ placed }: State, spots: readonly Spot[]): string =>
  spots
    .map(({ print }, index) => `${print} ${placed[index]!.join()}`)
    .sort()
    .join('|');
