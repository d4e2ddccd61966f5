import { REASONS, type WaitCode } from '../contracts/reasons.ts';
import { keysOf } from '../language/fields.ts';

const RANKS = new Map(keysOf(REASONS).map((code, rank) => [code, rank]));

/** Returns how important a reason is: the rows of the table are in that order, the lowest rank first. */
export const rankOf = (code: WaitCode): number => RANKS.get(code)!;
