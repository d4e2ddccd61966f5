import type { Prices } from '../../contracts/schemas/prices.ts';
import type { DeviceUse } from '../../record/uses/job-uses.ts';
import { costDataOf } from '../../record/uses/priced-sums.ts';

/** The columns of rows as CSV has them. */
const USE_COLUMNS = ['day', 'attempt', 'use', 'cause', 'resource', 'product', 'ms', 'assumedMs'] as const;
const COST_COLUMNS = ['currency', 'least', 'most', 'unpricedMs'] as const;

type Cell = string | number | null;

/** Returns the uses as rows, with their headings first. */
export function useRows(
  uses: readonly DeviceUse[],
  prices: Prices | undefined,
): readonly (readonly Cell[])[] {
  const rows = uses.map((use) => {
    const cost = prices && costDataOf([use], prices);
    return [
      ...USE_COLUMNS.map((column) => use[column] ?? null),
      ...(cost ? COST_COLUMNS.map((column) => cost[column]) : []),
    ];
  });
  return [[...USE_COLUMNS, ...(prices ? COST_COLUMNS : [])], ...rows];
}
