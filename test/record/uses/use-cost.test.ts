import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { formatFault } from '../../../contracts/faults.ts';
import { parsePrices } from '../../../contracts/schemas/prices.ts';
import type { DeviceUse } from '../../../record/uses/job-uses.ts';
import { moneyText } from '../../../record/uses/money-text.ts';
import { costDataOf, pricedSumsOf } from '../../../record/uses/priced-sums.ts';
import { costOf, decimalAmount } from '../../../record/uses/use-cost.ts';

const GPU = 'nvidia.com/gpu';
const HOUR = 3_600_000;

const pricesOf = (...prices: readonly object[]) => {
  const read = parsePrices({ currency: 'EUR', prices });
  if ('faults' in read) throw new Error(read.faults.map(formatFault).join('\n'));
  return read.prices;
};
const faultsOf = (document: unknown) => {
  const read = parsePrices(document);
  return 'faults' in read ? read.faults.map(formatFault) : [];
};
const use = (day: string, ms: number, more: Partial<DeviceUse> = {}): DeviceUse => ({
  ...{ day, attempt: 1, use: 'productive', resource: GPU, ms, assumedMs: 0 },
  ...more,
});

describe('prices', () => {
  it('are refused with path, expectation and value, all at once', () => {
    const prices = [
      { resource: GPU, perHour: '2.1234567', from: '2026-01-01' },
      { resource: '', perHour: -1, from: '2026-02-30' },
      { resource: GPU, perHour: 1, from: '2026-03-01', to: '2026-04-01' },
    ];
    expect(faultsOf({ currency: 'EUR', prices })).toEqual([
      'prices[0].perHour: expected a number >= 0 with at most six decimals, e.g. "2.10", got "2.1234567"',
      'prices[1].resource: expected a non-empty string, got ""',
      'prices[1].perHour: expected a number >= 0 with at most six decimals, e.g. "2.10", got -1',
      'prices[1].from: expected a day, e.g. 2026-01-31, got "2026-02-30"',
      'prices[2].to: expected a known field, got "2026-04-01"',
    ]);
    expect(faultsOf(null)).toHaveLength(1);
    expect(faultsOf({ currency: 'EUR', prices: [] })).toEqual([
      'prices: expected a list of at least 1, got an empty list',
    ]);
  });

  it('that overlap are refused, and one that ends before it begins', () => {
    const of = (from: string, until?: string) => ({ resource: GPU, perHour: 1, from, until });
    expect(faultsOf({ currency: 'EUR', prices: [of('2026-01-01', '2026-03-01'), of('2026-02-01')] })).toEqual(
      [`prices[1].from: expected days on which prices[0] of ${GPU} does not hold, got "2026-02-01"`],
    );
    expect(faultsOf({ currency: 'EUR', prices: [of('2026-01-01'), of('2026-01-01')] })).toHaveLength(1);
    expect(faultsOf({ currency: 'EUR', prices: [of('2026-02-01', '2026-02-01')] })).toEqual([
      'prices[0].until: expected a day after 2026-02-01, got "2026-02-01"',
    ]);
    const other = { ...of('2026-01-01'), product: 'H100' };
    expect(faultsOf({ currency: 'EUR', prices: [of('2026-01-01'), other, of('2026-02-01')] })).toEqual([]);
  });
});

describe('what uses cost', () => {
  const prices = pricesOf(
    { resource: GPU, perHour: '2', from: '2026-01-01' },
    { resource: GPU, perHour: '2.50', from: '2026-02-01', until: '2026-03-01' },
    { resource: GPU, product: 'H100', perHour: '4', from: '2026-02-01' },
  );
  const costs = (...uses: readonly DeviceUse[]) => {
    const { least, most, unpricedMs } = costDataOf(uses, prices, 2);
    return [least, most, unpricedMs];
  };

  it('follows the prices of their days', () => {
    expect(costs(use('2026-01-31', HOUR), use('2026-02-01', HOUR, { product: 'A100' }))).toEqual([
      '4.50',
      '4.50',
      0,
    ]);
    expect(costs(use('2026-02-01', HOUR, { product: 'H100' }))).toEqual(['4.00', '4.00', 0]);
  });

  it('has bounds if it is not known which GPUs they were', () => {
    expect(costs(use('2026-02-01', HOUR))).toEqual(['2.50', '4.00', 0]);
  });

  it('leaves out what has no price, and says how much that is', () => {
    expect(costs(use('2025-12-31', HOUR), use('2026-01-01', HOUR))).toEqual(['2.00', '2.00', HOUR]);
    expect(
      costs(use('2026-03-01', HOUR, { product: 'A100' }), use('2026-01-01', HOUR, { resource: 'rdma/hca' })),
    ).toEqual(['0.00', '0.00', 2 * HOUR]);
  });

  it('has no price in a gap between prices, also of a product, which then has that of all others', () => {
    const gaps = pricesOf(
      { resource: GPU, perHour: '2', from: '2026-01-01', until: '2026-02-01' },
      { resource: GPU, perHour: '3', from: '2026-03-01' },
      { resource: GPU, product: 'H100', perHour: '4', from: '2026-03-01', until: '2026-04-01' },
    );
    const of = (day: string, product?: string) => {
      const { least, most, unpricedMs } = costDataOf([use(day, HOUR, product ? { product } : {})], gaps, 0);
      return [least, most, unpricedMs];
    };
    expect(of('2026-01-31')).toEqual(['2', '2', 0]);
    expect(of('2026-02-01')).toEqual(['0', '0', HOUR]);
    expect(of('2026-02-28', 'H100')).toEqual(['0', '0', HOUR]);
    expect(of('2026-03-01')).toEqual(['3', '4', 0]);
    expect(of('2026-04-01', 'H100')).toEqual(['3', '3', 0]);
    expect(of('2026-03-01', 'a product that no price names')).toEqual(['3', '3', 0]);
  });

  it.each([
    ['0.004999', '0.00'],
    ['0.005000', '0.01'],
    ['1.005000', '1.01'],
    ['9.995000', '10.00'],
    ['12', '12.00'],
  ])('shows %s as %s', (amount, text) => {
    expect(moneyText({ currency: 'EUR', least: amount, most: amount, unpricedMs: 0 })).toBe(text);
  });

  it('is rounded once, half up', () => {
    expect(decimalAmount(5_000n * 3_600_000n, 2)).toBe('0.01');
    expect(decimalAmount(4_999n * 3_600_000n, 2)).toBe('0.00');
    expect(decimalAmount(1_500_000n * 3_600_000n, 0)).toBe('2');
  });

  it('adds up however uses are grouped', () => {
    const uses = fc.array(
      fc.record({
        day: fc.constantFrom('2026-01-31', '2026-02-01', '2026-02-28', '2026-03-01', '2020-01-01'),
        attempt: fc.integer({ min: 1, max: 3 }),
        use: fc.constantFrom('productive' as const, 'gang' as const, 'repeated' as const),
        resource: fc.constantFrom(GPU, 'rdma/hca'),
        product: fc.constantFrom('H100', 'A100', undefined),
        ms: fc.integer({ min: 1, max: 2 ** 40 }),
        assumedMs: fc.constant(0),
      }),
    );
    fc.assert(
      fc.property(uses, (given) => {
        const whole = costOf(given as DeviceUse[], prices);
        const groups = [
          ...Map.groupBy(given as DeviceUse[], (one) => `${one.use} ${one.resource} ${one.day}`).values(),
        ];
        const parts = groups.map((own) => costOf(own, prices));
        expect(parts.reduce((sum, { least }) => sum + least, 0n)).toBe(whole.least);
        expect(parts.reduce((sum, { most }) => sum + most, 0n)).toBe(whole.most);
        expect(parts.reduce((sum, { unpricedMs }) => sum + unpricedMs, 0)).toBe(whole.unpricedMs);
        const sums = pricedSumsOf(given as DeviceUse[], prices);
        expect(sums.reduce((sum, { ms }) => sum + ms, 0)).toBe(given.reduce((sum, { ms }) => sum + ms, 0));
        for (const { ms, uses: own } of sums) expect(own.reduce((sum, one) => sum + one.ms, 0)).toBe(ms);
      }),
    );
  });
});
