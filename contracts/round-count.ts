/**
 * Rounds a count of restarts, so that a crash loop makes ever less news: exact up to 10, because limits may be small;
 * above that in steps of 25 %.
 */
export const roundCount = (count: number) =>
  count <= EXACT ? count : 1.25 ** Math.floor(Math.log(count) / Math.log(1.25));

const EXACT = 10;
