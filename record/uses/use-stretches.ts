import { isFinal } from '../../contracts/status.ts';
import type { LedgerEntry, Phase } from '../../contracts/types.ts';
import { countUpTo } from '../../language/count-up-to.ts';
import { intervalsOf, staysInState } from '../facts/intervals.ts';
import { type ProgressPoint, progressPointsOf } from './progress-points.ts';
import { readPointsOf } from './read-steps.ts';
import { type RestartFact, restartFactsOf } from './restart-causes.ts';
import type { Use } from './uses.ts';

/** A time in which the devices of a job had one use. */
export interface UseStretch {
  readonly from: number;
  readonly to: number;
  readonly use: Use;
  readonly attempt: number;
  /** The restart because of which they had it. */
  readonly restart?: RestartFact;
}

/** Cuts the time of a job, from its first entry to its end or to `until`, by what its devices were used for. */
export function useStretchesOf(entries: readonly LedgerEntry[], until: number): readonly UseStretch[] {
  const restarts = restartFactsOf(entries);
  const because = becauseOf(restarts);
  const running: Running[] = [];
  const others: UseStretch[] = [];
  const intervals = intervalsOf(entries, until, staysInState);
  for (const [index, { from, to, entries: own }] of intervals.entries()) {
    const { to: state, attempt } = own[0];
    const next = intervals[index + 1]?.entries[0];
    if (state === 'Running') running.push({ from, to, attempt, endsWith: next });
    else if (!isFinal(state as Phase) && to > from)
      others.push({ from, to, attempt, use: useOfState(state), ...because(from, state) });
  }
  const points = [...progressPointsOf(entries), ...readPointsOf(entries, running, restarts)].sort(
    (a, b) => a.at - b.at,
  );
  return [...others, ...runningStretches(running, points, restarts)].sort((a, b) => a.from - b.from);
}

/** A time in state `Running`. */
interface Running {
  readonly from: number;
  readonly to: number;
  readonly attempt: number;
  /** The entry that ended it; absent if it goes on. */
  readonly endsWith: LedgerEntry | undefined;
}

function useOfState(state: string): Use {
  const [top, inner] = state.split('.');
  if (inner === 'Holding') return 'held';
  return BY_STATE[top!] ?? 'finishing';
}

const BY_STATE: Readonly<Record<string, Use>> = {
  Pending: 'gang',
  Starting: 'starting',
  Restarting: 'restarting',
};

/** What a job that ends or rests does is nobody's fault. Asked in the order of time, so that each restart is passed once. */
function becauseOf(
  restarts: readonly RestartFact[],
): (at: number, state: string) => Pick<UseStretch, 'restart'> {
  let next = 0;
  return (at, state) => {
    while (next < restarts.length && restarts[next]!.at <= at) next += 1;
    const restart = restarts[next - 1];
    const isOver = !restart || at >= (restart.ranAt ?? Number.POSITIVE_INFINITY);
    return isOver || /^(Suspended|Finishing)\b/.test(state) ? {} : { restart };
  };
}

function runningStretches(
  running: readonly Running[],
  points: readonly ProgressPoint[],
  restarts: readonly RestartFact[],
): UseStretch[] {
  const within = pointsWithin(running, points);
  // Numbers that fall while the program runs on begin anew, e.g. with each epoch: they do not say how far it is.
  const isComparable = within.every((own) =>
    own.every(({ value }, index) => value >= (own[index - 1]?.value ?? 0)),
  );
  const facts = { nextLower: nextLowerOf(points), restarts, isComparable };
  const bySeq = new Map(restarts.map((restart) => [restart.seq, restart]));
  const byReturn = new Map(restarts.map((restart) => [restart.ranAt, restart]));
  return running.flatMap((one, index) => {
    const own = within[index]!;
    const [first, last] = [own[0], own.at(-1)];
    if (!first || !last) return stretch(one, one.from, one.to, 'unknown');
    return [
      ...stretch(one, one.from, first.at, 'starting', byReturn.get(one.from)),
      ...own.slice(1).flatMap((point, at) => workBetween(one, [own[at]!, point], facts)),
      ...stretch(one, last.at, one.to, ...tailOf(one, bySeq.get(one.endsWith?.seq ?? -1))),
    ];
  });
}

/** The reports of each time in `Running`; both are in the order of time, in whole milliseconds. */
function pointsWithin(
  running: readonly Running[],
  points: readonly ProgressPoint[],
): readonly (readonly ProgressPoint[])[] {
  const upTo = (time: number) => countUpTo(points, time, ({ at }) => at);
  return running.map(({ from, to, attempt }) =>
    points.slice(upTo(from - 1), upTo(to)).filter((point) => point.attempt === attempt),
  );
}

function stretch(
  { attempt }: Running,
  from: number,
  to: number,
  ...[use, restart]: readonly [Use, RestartFact?]
): UseStretch[] {
  return to > from ? [{ from, to, use, attempt, ...(restart ? { restart } : {}) }] : [];
}

/** After the last report: a failure shows that nothing came any more, and a good end that it did. */
function tailOf({ endsWith }: Running, restart: RestartFact | undefined): readonly [Use, RestartFact?] {
  if (!endsWith || endsWith.cause.type === 'closed') return ['unknown'];
  const hasFailed = endsWith.phase === 'Failed' || (restart && !PLANNED.has(restart.cause));
  return hasFailed ? ['stalled', restart] : ['productive'];
}

/** What interrupts a program that works. */
const PLANNED: ReadonlySet<string> = new Set(['request', 'queue', 'other']);

interface WorkFacts {
  /** Of each report the next one that is lower, if there is any. */
  readonly nextLower: ReadonlyMap<ProgressPoint, ProgressPoint>;
  readonly restarts: readonly RestartFact[];
  readonly isComparable: boolean;
}

/** What was reached beyond a later report was lost, for the restart before that report. */
function workBetween(
  running: Running,
  [begin, end]: readonly [ProgressPoint, ProgressPoint],
  { nextLower, restarts, isComparable }: WorkFacts,
): UseStretch[] {
  if (!isComparable || end.mayBeLost) return stretch(running, begin.at, end.at, 'unknown');
  const msPerUnit = end.value > begin.value ? (end.at - begin.at) / (end.value - begin.value) : 0;
  const lost: UseStretch[] = [];
  let until = end.at;
  for (let lower = nextLower.get(end); lower && until > begin.at; lower = nextLower.get(lower)) {
    const from = begin.at + Math.floor(Math.max(0, lower.value - begin.value) * msPerUnit);
    lost.unshift(...stretch(running, from, until, 'repeated', lastRestart(restarts, lower.at)));
    until = Math.min(until, from);
  }
  return [...stretch(running, begin.at, until, 'productive'), ...lost];
}

const lastRestart = (restarts: readonly RestartFact[], at: number): RestartFact | undefined =>
  restarts[countUpTo(restarts, at, (restart) => restart.at) - 1];

/** In one pass from the end, with a stack of what may be the next lower one. */
function nextLowerOf(points: readonly ProgressPoint[]): ReadonlyMap<ProgressPoint, ProgressPoint> {
  const found = new Map<ProgressPoint, ProgressPoint>();
  const lower: ProgressPoint[] = [];
  for (const point of points.toReversed()) {
    while (lower.length > 0 && lower.at(-1)!.value >= point.value) lower.pop();
    const next = lower.at(-1);
    if (next) found.set(point, next);
    lower.push(point);
  }
  return found;
}
