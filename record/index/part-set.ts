import type { IndexPart, LeafRange, PartPair } from './parts.ts';

/** Parts that cover each leaf once, from the first leaf of a range on. */
interface PartSet {
  readonly pairs: readonly PartPair[];
  /** How far they reach: all leaves before this one are covered. */
  readonly to: number;
}

/**
 * Chooses, of all parts that are there, those that reach furthest without a gap, and of those the fewest. While parts are
 * being merged, the same leaves are in several of them; a part counts only with that of the other table.
 */
export function choosePartSet(parts: readonly IndexPart[], within: LeafRange = ALL): PartSet {
  const reached = new Map<number, Reached>([[within.from, { count: 0 }]]);
  for (const pair of pairsOf(parts, within)) {
    const before = reached.get(pair.from);
    const known = reached.get(pair.to);
    if (before && (!known || before.count + 1 < known.count))
      reached.set(pair.to, { count: before.count + 1, by: pair });
  }
  const to = Math.max(...reached.keys());
  return { pairs: wayTo(to, reached), to };
}

const ALL: LeafRange = { from: 0, to: Number.MAX_SAFE_INTEGER };

interface Reached {
  /** Parts on the way. */
  readonly count: number;
  readonly by?: PartPair;
}

/** In the order of their first leaf: whatever leads to a leaf is known before what begins there. */
function pairsOf(parts: readonly IndexPart[], within: LeafRange): readonly PartPair[] {
  const inOrder = parts
    .filter(({ from, to }) => from >= within.from && to <= within.to)
    .sort((one, other) => one.from - other.from || one.to - other.to || (one.key < other.key ? -1 : 1));
  const entries = new Map(
    inOrder.filter(({ table }) => table === 'entries').map((part) => [rangeOf(part), part]),
  );
  return inOrder.flatMap((jobs) => {
    const pair = entries.get(rangeOf(jobs));
    return jobs.table === 'jobs' && pair ? [{ from: jobs.from, to: jobs.to, jobs, entries: pair }] : [];
  });
}

const rangeOf = ({ from, to }: LeafRange) => `${from}-${to}`;

function wayTo(to: number, reached: ReadonlyMap<number, Reached>): readonly PartPair[] {
  const by = reached.get(to)?.by;
  return by ? [...wayTo(by.from, reached), by] : [];
}
