import type { LedgerCounts, LedgerEntry } from '../../contracts/types.ts';
import { countUpTo } from '../../language/count-up-to.ts';
import { ownValue } from '../../language/fields.ts';
import { ms } from '../facts/times.ts';

/** For how long pods of a role had a node within a time, summed over its pods, in milliseconds; and its spares. */
export interface PlacedTime {
  readonly pods: number;
  readonly spares: number;
  /** The part that is only assumed: pods are counted in entries, and what happened between them is not known. */
  readonly assumed: number;
}

/** A sum of a role that rises evenly from one point to the next. */
interface Point {
  readonly at: number;
  readonly pods: number;
  readonly spares: number;
  readonly assumed: number;
}

/**
 * Measures for how long pods of a role had their nodes. Whole milliseconds: times that follow each other add up to what
 * they are together. After the last entry the pods are assumed to be as it counted them.
 */
export function placedMeter(
  entries: readonly LedgerEntry[],
  role: string,
  until: number,
): (from: number, to: number) => PlacedTime {
  const points = pointsOf(entries, role, until);
  return (from, to) => {
    const [begin, end] = [sumAt(points, from), sumAt(points, to)];
    return {
      pods: end.pods - begin.pods,
      spares: end.spares - begin.spares,
      assumed: end.assumed - begin.assumed,
    };
  };
}

/** When a pod of any role was first seen on a node; undefined if none was. */
export const firstPlacedAt = (entries: readonly LedgerEntry[]): number | undefined => {
  const first = entries.find(({ counts = {} }) =>
    Object.values(counts).some((count) => onNodes(count) > 0 || (count.placedMs ?? 0) > 0),
  );
  return first && ms(first.at);
};

function pointsOf(entries: readonly LedgerEntry[], role: string, until: number): readonly Point[] {
  const points: Point[] = [];
  let last: LedgerCounts | undefined;
  for (const { at, counts } of entries) {
    const count = ownValue(counts ?? {}, role);
    if (!count) continue;
    points.push(nextPoint(points.at(-1), last, { at: ms(at), count }));
    last = count;
  }
  const end = points.at(-1);
  if (!end || until <= end.at) return points;
  return [...points, counted(end, last, until)];
}

function nextPoint(
  before: Point | undefined,
  last: LedgerCounts | undefined,
  { at, count }: { readonly at: number; readonly count: LedgerCounts },
): Point {
  if (!before) return { at, pods: 0, spares: 0, assumed: 0 };
  if (lacksSums(count) || lacksSums(last)) return counted(before, last, at);
  return {
    at,
    pods: before.pods + Math.max(0, (count.placedMs ?? 0) - (last?.placedMs ?? 0)),
    spares: before.spares + Math.max(0, (count.spareMs ?? 0) - (last?.spareMs ?? 0)),
    assumed: before.assumed,
  };
}

/** Entries of earlier versions have none. */
const lacksSums = (count: LedgerCounts | undefined): boolean =>
  count?.placedMs === undefined && onNodes(count) > 0;

function counted(before: Point, last: LedgerCounts | undefined, at: number): Point {
  const pods = onNodes(last) * (at - before.at);
  return { at, pods: before.pods + pods, spares: before.spares, assumed: before.assumed + pods };
}

/** A pod that is being deleted keeps its devices until it is gone. */
const onNodes = ({ scheduled = 0, ready = 0, terminating = 0 }: Partial<LedgerCounts> = {}): number =>
  scheduled + ready + terminating;

function sumAt(points: readonly Point[], at: number): Omit<Point, 'at'> {
  const next = countUpTo(points, at, (point) => point.at);
  const [begin, end] = [points[next - 1], points[next]];
  if (!begin) return { pods: 0, spares: 0, assumed: 0 };
  if (!end) return begin;
  const part = (at - begin.at) / (end.at - begin.at);
  const between = (from: number, to: number) => from + Math.floor((to - from) * part);
  return {
    pods: between(begin.pods, end.pods),
    spares: between(begin.spares, end.spares),
    assumed: between(begin.assumed, end.assumed),
  };
}
