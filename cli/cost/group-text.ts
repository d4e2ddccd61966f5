import type { UseGroup } from '../../record/uses/grouped-uses.ts';
import { moneyText } from '../../record/uses/money-text.ts';
import { currencyOf, type PricedSums } from '../../record/uses/priced-sums.ts';
import { partText } from '../../record/uses/use-sums.ts';
import { formatTable } from '../print/table.ts';
import { deviceHours } from './cost-text.ts';

/** Formats what groups of jobs used, a line for each group and resource. */
export async function groupsText(groups: readonly UseGroup[], keys: readonly string[]): Promise<string> {
  const currency = currencyOf(groups.flatMap(({ resources }) => resources));
  const head = [...keys.map((key) => key.toUpperCase()), 'JOBS', 'RESOURCE', 'HOURS', 'PRODUCTIVE'];
  const rows = groups.flatMap(({ by, jobs, resources }) =>
    resources.map((sums) => [
      ...keys.map((key) => by[key] ?? '-'),
      ...[String(jobs), sums.resource, deviceHours(sums.ms), partText(sums.goodput)],
      ...(currency === undefined ? [] : [moneyText(sums.cost)]),
    ]),
  );
  return formatTable([...head, ...(currency === undefined ? [] : [currency])], rows);
}

type Cell = string | number | null;

/** Returns the same as rows with headings, with all digits, and the uses that bounds follow from. */
export function groupRows(
  groups: readonly UseGroup[],
  keys: readonly string[],
): readonly (readonly Cell[])[] {
  const msOf = ({ uses }: PricedSums, wanted: string) =>
    uses.filter(({ use }) => use === wanted).reduce((sum, { ms }) => sum + ms, 0);
  const hasCost = groups.some(({ resources }) => resources.some(({ cost }) => cost));
  const head = [...keys, 'jobs', 'resource', 'ms', 'productiveMs', 'unknownMs', 'assumedMs'];
  const rows = groups.flatMap(({ by, jobs, resources }) =>
    resources.map((sums) => [
      ...keys.map((key) => by[key] ?? null),
      ...[jobs, sums.resource, sums.ms, msOf(sums, 'productive'), msOf(sums, 'unknown'), sums.assumedMs],
      ...(sums.cost ? [sums.cost.currency, sums.cost.least, sums.cost.most, sums.cost.unpricedMs] : []),
    ]),
  );
  return [[...head, ...(hasCost ? ['currency', 'least', 'most', 'unpricedMs'] : [])], ...rows];
}
