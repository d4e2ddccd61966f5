import { UNLIMITED, type Vector } from './vector.ts';

/** What a lane may claim of a pool. */
interface Claim {
  readonly weight: number;
  /** What its jobs have and wait for, as far as its limit allows. */
  readonly wanted: Vector;
}

/** Weights have three decimals. */
const PARTS = 1000;
const partsOf = (weight: number) => BigInt(Math.round(weight * PARTS));

/** Returns each lane's part of a pool by weight alone. */
export function sharesOf(weights: readonly number[], total: Vector): Vector[] {
  const parts = weights.map(partsOf);
  const all = parts.reduce((sum, part) => sum + part, 0n);
  return parts.map((part) =>
    total.map((amount) => (amount >= UNLIMITED ? UNLIMITED : (amount * part) / all)),
  );
}

/**
 * Returns what each lane deserves of a pool: its part by weight; what a lane does not want goes to the others, again by
 * weight. Each resource is divided on its own.
 */
export function deservedShares(claims: readonly Claim[], total: Vector): bigint[][] {
  const deserved = claims.map(() => total.map(() => 0n));
  for (const [r, amount] of total.entries()) {
    const column = amount >= UNLIMITED ? claims.map(() => UNLIMITED) : divide(claims, r, amount);
    for (const [index, part] of column.entries()) deserved[index]![r] = part;
  }
  return deserved;
}

/** Satisfies lanes that want less than their part, as long as there are any; the rest divide what is left. */
function divide(claims: readonly Claim[], r: number, amount: bigint): bigint[] {
  const parts = claims.map(({ weight }) => partsOf(weight));
  const given = claims.map(() => 0n);
  let open = claims.map((_, index) => index);
  let left = amount > 0n ? amount : 0n;
  for (;;) {
    const weights = open.reduce((sum, index) => sum + parts[index]!, 0n);
    const modest = open.filter((index) => claims[index]!.wanted[r]! * weights <= left * parts[index]!);
    if (modest.length === 0) {
      for (const index of open) given[index] = (left * parts[index]!) / weights;
      return given;
    }
    for (const index of modest) given[index] = claims[index]!.wanted[r]!;
    left -= modest.reduce((sum, index) => sum + given[index]!, 0n);
    open = open.filter((index) => !modest.includes(index));
    if (open.length === 0) return given;
  }
}
