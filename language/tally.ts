import { countText } from './count-text.ts';
/** Returns how many there were, and what became of how many, e.g. `3 jobs: 2 started, 1 failed`. */
export function tallyText(
  total: number,
  counts: readonly (readonly [string, number])[],
  { of = 'job' }: { readonly of?: string } = {},
): string {
  const parts = counts.filter(([, count]) => count > 0).map(([word, count]) => `${count} ${word}`);
  return `${countText(total, of)}: ${parts.join(', ')}`;
}
