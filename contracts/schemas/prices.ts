import { z } from 'zod';
import type { Fault } from '../types.ts';
import { describeValue, faultsOf } from './faults-of.ts';

/** The document `prices.yaml`: what an hour of a device costs, by date. */

/** What an hour of a device costs from one day until another, in millionths of the currency. */
export interface DevicePrice {
  /** Extended resource, e.g. `nvidia.com/gpu`, or `pods`. */
  readonly resource: string;
  /** Only of these devices, by the label nvidia.com/gpu.product of their nodes; of all others if absent. */
  readonly product?: string;
  readonly microsPerHour: bigint;
  /** First day, in UTC. */
  readonly from: string;
  /** The first day on which it no longer holds; absent if it still does. */
  readonly until?: string;
}

export interface Prices {
  readonly currency: string;
  readonly prices: readonly DevicePrice[];
}

const A_PRICE = 'a number >= 0 with at most six decimals, e.g. "2.10"';
const A_DAY = 'a day, e.g. 2026-01-31';

const price = z.strictObject({
  resource: z.string().min(1),
  product: z.string().min(1).optional(),
  perHour: z.custom<string | number>((value) => microsOf(value) !== undefined, { error: A_PRICE }),
  from: z.custom<string>(isDay, { error: A_DAY }),
  until: z.custom<string>(isDay, { error: A_DAY }).optional(),
});

const document = z.strictObject({ currency: z.string().min(1), prices: z.array(price).min(1) });
type Written = z.infer<typeof price>;

/** Reads prices, or returns all faults by path. A price without an end holds until the next one of the same devices. */
export function parsePrices(
  given: unknown,
): { readonly prices: Prices } | { readonly faults: readonly Fault[] } {
  const read = document.safeParse(given);
  if (!read.success) return { faults: faultsOf(read.error, given) };
  const { currency, prices } = read.data;
  const faults = prices.flatMap((one, index) =>
    faultsOfTime(one, prices.slice(0, index), `prices[${index}]`),
  );
  if (faults.length > 0) return { faults };
  const dated = prices.map(({ perHour, until, ...others }): DevicePrice => {
    const end = until ?? nextOf({ ...others, perHour }, prices);
    return { ...others, microsPerHour: microsOf(perHour)!, ...(end === undefined ? {} : { until: end }) };
  });
  return { prices: { currency, prices: dated } };
}

const isSame = (a: Written, b: Written): boolean => a.resource === b.resource && a.product === b.product;

/** When the next price of the same devices begins. */
const nextOf = (one: Written, all: readonly Written[]): string | undefined =>
  all
    .filter((other) => isSame(one, other) && other.from > one.from)
    .map(({ from }) => from)
    .sort()[0];

function faultsOfTime(one: Written, before: readonly Written[], path: string): Fault[] {
  if (one.until !== undefined && one.until <= one.from)
    return [{ path: `${path}.until`, expected: `a day after ${one.from}`, got: describeValue(one.until) }];
  const index = before.findIndex((other) => isSame(one, other) && overlap(one, other));
  if (index < 0) return [];
  const of = [one.resource, one.product].filter((part) => part !== undefined).join(' ');
  const expected = `days on which prices[${index}] of ${of} does not hold`;
  return [{ path: `${path}.from`, expected, got: describeValue(one.from) }];
}

/** One without an end gives way to what begins later. */
function overlap(a: Written, b: Written): boolean {
  if (a.from === b.from) return true;
  const [first, second] = a.from < b.from ? [a, b] : [b, a];
  return first.until !== undefined && first.until > second.from;
}

function isDay(value: unknown): boolean {
  if (typeof value !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(value)) return false;
  const time = Date.parse(`${value}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(value);
}

/** Decimals of the text, not of a float. */
function microsOf(value: unknown): bigint | undefined {
  const { whole, decimals = '' } =
    /^(?<whole>\d{1,12})(\.(?<decimals>\d{1,6}))?$/.exec(String(value))?.groups ?? {};
  const isText = typeof value === 'string' || typeof value === 'number';
  return isText && whole !== undefined ? BigInt(whole + decimals.padEnd(6, '0')) : undefined;
}
