import type { LedgerCounts, LedgerEntry } from '../../../contracts/types.ts';
import type { PodLife } from '../../facts/pod-lives.ts';
import { ms } from '../../facts/times.ts';

/** What is counted, in the order of a pod's life. */
export const COUNTED = ['waiting', 'starting', 'restarting', 'running', 'succeeded', 'failed'] as const;
type Counted = (typeof COUNTED)[number];

/** How many pods were in which state from this time on. */
interface CountsAt {
  readonly at: number;
  readonly counts: Readonly<Record<Counted, number>>;
}

const NONE: Readonly<Record<Counted, number>> = {
  waiting: 0,
  starting: 0,
  restarting: 0,
  running: 0,
  succeeded: 0,
  failed: 0,
};

/** The counts that the job itself had, of all roles together. Entries without any leave them as they are. */
export const countsOfLedger = (entries: readonly LedgerEntry[]): CountsAt[] =>
  entries.flatMap(({ at, counts }) => (counts ? [{ at: ms(at), counts: sumOf(Object.values(counts)) }] : []));

const sumOf = (roles: readonly LedgerCounts[]): CountsAt['counts'] => {
  const sum = (count: keyof LedgerCounts) => roles.reduce((all, role) => all + (role[count] ?? 0), 0);
  return {
    waiting: sum('unscheduled'),
    // One that waits for its restart has a node, and is not ready.
    starting: sum('scheduled'),
    restarting: 0,
    running: sum('ready'),
    succeeded: sum('succeeded'),
    failed: sum('failed'),
  };
};

/** The counts that follow from the lives of pods. */
export function countsOfPods(lives: readonly PodLife[]): CountsAt[] {
  const changes = lives
    .flatMap(({ stretches }) => stretches)
    .flatMap(({ state, from, to }) => [
      { at: from, state, by: 1 },
      { at: to, state, by: -1 },
    ])
    .sort((a, b) => a.at - b.at);
  const points: CountsAt[] = [];
  let counts = NONE;
  for (const { at, state, by } of changes) {
    counts = { ...counts, [state]: counts[state] + by };
    if (points.at(-1)?.at === at) points.pop();
    points.push({ at, counts });
  }
  return points;
}

/** Leaves at most so many points: of those that a chart would draw into the same column, the last one. */
export function thinnedOut<T extends { readonly at: number }>(points: readonly T[], most: number): T[] {
  const first = points[0]?.at ?? 0;
  const width = ((points.at(-1)?.at ?? 0) - first) / most;
  const column = (at: number) => (width > 0 ? Math.floor((at - first) / width) : 0);
  return points.filter(({ at }, index) => {
    const next = points[index + 1];
    return !next || column(next.at) !== column(at);
  });
}
