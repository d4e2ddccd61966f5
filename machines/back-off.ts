/** Replacements so far, as far as they bear on when the next one may be. */
export interface BackOff {
  /** How many followed each other without a long rest between them. */
  readonly inRow: number;
  /** When the last one was due, in epoch milliseconds. */
  readonly at: number;
}

/** As a kubelet restarts containers: at once, then after 10 s, 20 s, and so on up to 5 min; afresh after 10 min. */
const FIRST_MS = 10_000;
const MOST_MS = 300_000;
const FORGOTTEN_MS = 600_000;

/** When failed pods may be replaced: a pod that fails at once must not be made again as fast as it fails. */
export function nextBackOff(last: BackOff | undefined, now: number): BackOff {
  const inRow = last && now - last.at < FORGOTTEN_MS ? last.inRow + 1 : 1;
  return { inRow, at: now + delayOf(inRow) };
}

const delayOf = (inRow: number) => (inRow === 1 ? 0 : Math.min(FIRST_MS * 2 ** (inRow - 2), MOST_MS));
