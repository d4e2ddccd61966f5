import { countText } from '../../language/count-text.ts';
import { formatDuration } from '../../language/duration.ts';
import type { JobCost } from '../../record/uses/job-cost.ts';
import { moneyText } from '../../record/uses/money-text.ts';
import { currencyOf, type PricedSums } from '../../record/uses/priced-sums.ts';
import { partText } from '../../record/uses/use-sums.ts';
import { colours } from '../print/output.ts';
import { formatTable } from '../print/table.ts';
import { withoutMilliseconds } from '../print/times.ts';

/** Formats the cost of a job for people. */
export async function costText(cost: JobCost): Promise<string> {
  const { kind, namespace, name, phase, resources, ettr, restarts } = cost;
  const parts = [
    `${colours.bold(`${kind} ${namespace}/${name}`)}: ${phase}`,
    resources.length > 0 ? await sumsText(resources) : 'No pod of the job had a node.',
    ...resources.flatMap(remarksOn),
    ...(resources.some(({ goodput: { least, most } }) => least === 0 && most > 0) ? [NO_PROGRESS] : []),
    `ETTR: ${partText(ettr.withQueue)} since it was submitted, ${partText(ettr.withoutQueue)} since its first pod had a node`,
  ];
  return restarts.length > 0 ? `${parts.join('\n')}\n\n${await restartsText(restarts)}` : parts.join('\n');
}

const NO_PROGRESS =
  'The record has no progress of the job: `progress: {log: …}` in its policy makes goodput and ETTR known (docs/cost.md)';

/** A table of what devices were used for, with the sums of each resource. */
async function sumsText(resources: readonly PricedSums[]): Promise<string> {
  const currency = currencyOf(resources);
  const row = (first: readonly string[], ms: number, whole: number, cost: PricedSums['cost']) => [
    ...[...first, deviceHours(ms), `${((100 * ms) / whole).toFixed(1)} %`],
    ...(currency === undefined ? [] : [moneyText(cost)]),
  ];
  const rows = resources.flatMap(({ resource, uses, ms, cost }) => [
    ...uses.map((one) => row([resource, one.use, one.cause ?? ''], one.ms, ms, one.cost)),
    row([resource, 'together', ''], ms, ms, cost),
  ]);
  const head = [
    'RESOURCE',
    'USE',
    'BECAUSE OF',
    'HOURS',
    'SHARE',
    ...(currency === undefined ? [] : [currency]),
  ];
  return formatTable(head, rows);
}

const HOUR_MS = 3_600_000;

const MOST_DECIMALS = 6;

/** Of devices: two decimals, and two digits of less than these show. */
export function deviceHours(ms: number): string {
  const hours = ms / HOUR_MS;
  if (hours <= 0 || hours >= 0.01) return hours.toFixed(2);
  return hours.toFixed(Math.min(MOST_DECIMALS, 1 - Math.floor(Math.log10(hours))));
}

function remarksOn({ resource, goodput, assumedMs, cost }: PricedSums): string[] {
  const unpriced = cost?.unpricedMs ?? 0;
  return [
    `goodput of ${resource}: ${partText(goodput)}`,
    ...(assumedMs > 0
      ? [`${deviceHours(assumedMs)} hours of ${resource} are as its pods were counted last`]
      : []),
    ...(unpriced > 0 ? [`${deviceHours(unpriced)} hours of ${resource} have no price on their day`] : []),
  ];
}

/** The newest of more: a page that fits a terminal. */
const MOST_RESTARTS = 20;

async function restartsText(restarts: JobCost['restarts']): Promise<string> {
  const shown = restarts.slice(-MOST_RESTARTS);
  const rows = shown.map(({ at, attempt, cause, node = '', ranAt, message }) => [
    ...[withoutMilliseconds(new Date(at).toISOString()), String(attempt), cause, node],
    ...[ranAt === undefined ? 'not yet' : formatDuration(ranAt - at), message],
  ]);
  const more = restarts.length - shown.length;
  const table = await formatTable(
    ['RESTART', 'ATTEMPT', 'BECAUSE OF', 'NODE', 'RAN AGAIN AFTER', 'WHAT'],
    rows,
  );
  return more > 0 ? `${table}\n(${countText(more, 'restart')} before these: -o json)` : table;
}
