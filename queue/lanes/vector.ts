import type { Amounts } from '../../contracts/pod-requests.ts';

/** Amounts in billionths, in the order of the resources of a pool. */
export type Vector = readonly bigint[];

/** Of a resource that is not counted. */
export const UNLIMITED = 10n ** 36n;

/** The resources that are counted in a pool, in order. */
export type Resources = readonly string[];

export const vectorOf = (amounts: Amounts, resources: Resources, missing = 0n): bigint[] =>
  resources.map((resource) => amounts.get(resource)?.nanos ?? missing);

export function addTo(sum: bigint[], vector: Vector): void {
  for (let r = 0; r < sum.length; r++) sum[r]! += vector[r]!;
}

export function takeFrom(sum: bigint[], vector: Vector): void {
  for (let r = 0; r < sum.length; r++) sum[r]! -= vector[r]!;
}

/** Returns the smaller amount of each resource. */
export function smallerOf(a: Vector, b: Vector): bigint[] {
  const smaller = [...a];
  for (let r = 0; r < smaller.length; r++) if (b[r]! < smaller[r]!) smaller[r] = b[r]!;
  return smaller;
}

/** Returns the larger amount of each resource. */
export function largerOf(a: Vector, b: Vector): bigint[] {
  const larger = [...a];
  for (let r = 0; r < larger.length; r++) if (b[r]! > larger[r]!) larger[r] = b[r]!;
  return larger;
}

/** Whether there is enough of each resource that is needed. What is not needed may be short. */
export function fitsInto(need: Vector, room: Vector): boolean {
  for (let r = 0; r < need.length; r++) if (need[r]! > 0n && need[r]! > room[r]!) return false;
  return true;
}

/** Returns the index of the resource of which most is missing, in relation to what is needed; -1 if nothing is. */
export function shortestOf(need: Vector, room: Vector): number {
  let worst = -1;
  let least = 1;
  for (let r = 0; r < need.length; r++) {
    if (need[r]! <= 0n || need[r]! <= room[r]!) continue;
    const share = Number(room[r]!) / Number(need[r]!);
    if (worst >= 0 && share >= least) continue;
    worst = r;
    least = share;
  }
  return worst;
}

/** The largest part that an amount is of a total, over all resources that are counted (dominant resource fairness). */
export function dominantShare(amount: Vector, total: Vector): number {
  let most = 0;
  for (let r = 0; r < amount.length; r++) {
    if (amount[r]! <= 0n || total[r]! >= UNLIMITED) continue;
    most = Math.max(most, total[r]! > 0n ? Number(amount[r]!) / Number(total[r]!) : Number.POSITIVE_INFINITY);
  }
  return most;
}
