import type { Prices } from '../../contracts/schemas/prices.ts';
import type { DeviceUse } from '../uses/job-uses.ts';
import { costDataOf } from '../uses/priced-sums.ts';
import type { AnswerCell } from './answer-cell.ts';
import type { AuditAnswer } from './audit-database.ts';

const COLUMNS = ['cost_least', 'cost_most', 'currency', 'unpriced_seconds'] as const;

/** Puts what a job cost in the place of a column with its uses; the two amounts differ where only bounds are known. */
export function pricedAnswer(
  { columns, rows }: AuditAnswer,
  uses: 'device_uses',
  prices: Prices,
): AuditAnswer {
  const at = columns.indexOf(uses);
  const without = <T>(cells: readonly T[]) => cells.filter((_, index) => index !== at);
  async function* priced() {
    for await (const row of rows) yield [...without(row), ...amountsOf(row[at] ?? null, prices)];
  }
  return { columns: [...without(columns), ...COLUMNS], rows: priced() };
}

function amountsOf(uses: AnswerCell, prices: Prices): readonly AnswerCell[] {
  const found = typeof uses === 'string' ? (JSON.parse(uses) as readonly DeviceUse[]) : [];
  const { least, most, currency, unpricedMs } = costDataOf(found, prices);
  return [least, most, currency, unpricedMs > 0 ? unpricedMs / 1000 : null];
}
