/** What several measurements of the same thing have in common. */
export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

export function spreadOf(values: readonly number[]): Spread {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  const median = (sorted[Math.floor(middle)]! + sorted[Math.ceil(middle)]!) / 2;
  return { median, min: sorted[0]!, max: sorted.at(-1)! };
}

/** Of milliseconds: the median, with the least and the most. */
export function inSeconds({ median, min, max }: Spread): string {
  const [middle, least, most] = [median, min, max].map((ms) => (ms / 1000).toFixed(2));
  return `${middle} s (${least} to ${most})`;
}
