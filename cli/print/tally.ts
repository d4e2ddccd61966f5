/** Returns how many jobs there were, and what became of how many, e.g. `3 jobs: 2 started, 1 failed`. */
export function tallyText(total: number, counts: readonly (readonly [string, number])[]): string {
  const parts = counts.filter(([, count]) => count > 0).map(([word, count]) => `${count} ${word}`);
  return `${total} ${total === 1 ? 'job' : 'jobs'}: ${parts.join(', ')}`;
}
