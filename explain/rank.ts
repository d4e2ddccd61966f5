import { REASONS } from '../contracts/reasons.ts';
import type { WaitReason } from '../contracts/types.ts';
import { keysOf } from '../language/fields.ts';

const RANKS = new Map(keysOf(REASONS).map((code, rank) => [code, rank]));

/** From here on rows are whose turn it is, and room. */
const TURNS = RANKS.get('WaitingInLane')!;

/**
 * Returns how important a reason is, the lowest rank first: the rows of the table are in that order. What somebody must end comes
 * before what passes by itself, wherever its row is: while both are there, waiting does not help.
 */
export function rankOf({ code, who }: Pick<WaitReason, 'code' | 'who'>): number {
  const rank = RANKS.get(code)!;
  if (rank < TURNS || who === 'nobody' || who === 'unknown') return rank;
  return TURNS - 1 + rank / RANKS.size;
}
