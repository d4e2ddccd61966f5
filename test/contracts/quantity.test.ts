import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  addQuantities,
  formatQuantity,
  largerQuantity,
  multiplyQuantity,
  parseQuantity,
  type Quantity,
  shortQuantity,
  ZERO,
} from '../../contracts/quantity.ts';

const quantity = (text: string | number): Quantity => {
  const parsed = parseQuantity(text);
  if (!parsed) throw new Error(`${text} is not a quantity`);
  return parsed;
};

describe('a quantity', () => {
  // What apimachinery 0.36 makes of them.
  const canonical: readonly [text: string | number, form: string][] = [
    ['6', '6'],
    [6, '6'],
    [0.5, '500m'],
    ['6000m', '6'],
    ['1.5', '1500m'],
    ['.5', '500m'],
    ['1.', '1'],
    ['+2', '2'],
    ['-2', '-2'],
    ['0', '0'],
    ['0Gi', '0'],
    ['3072Mi', '3Gi'],
    ['1.5Gi', '1536Mi'],
    ['12884901888', '12884901888'],
    ['1000', '1k'],
    ['1500000', '1500k'],
    ['512Ki', '512Ki'],
    ['1Ki', '1Ki'],
    ['0.5Ki', '512'],
    ['0.1Gi', '107374182400m'],
    ['1E', '1E'],
    ['1Ei', '1Ei'],
    ['1e3', '1e3'],
    ['1E3', '1e3'],
    ['1500e-3', '1500e-3'],
    ['12e5', '1200e3'],
    ['100u', '100u'],
    ['1n', '1n'],
    ['0.1n', '1n'],
    ['-0.1n', '-1n'],
    ['1e-20', '1e-9'],
  ];

  it.each(canonical)('%j is written as %s', (text, form) => {
    expect(formatQuantity(quantity(text))).toBe(form);
  });

  const no = [
    '',
    ' 1',
    '1 ',
    '.',
    '1i',
    '1 Gi',
    '1gi',
    '1.1.M',
    '0x10',
    '1e',
    '1e+',
    '1e2.5',
    '1e9999',
    'many',
    '--1',
    'Gi',
  ];

  it.each(no)('rejects %j', (text) => {
    expect(parseQuantity(text)).toBeUndefined();
  });

  const sums: readonly [a: string, b: string, sum: string][] = [
    ['100m', '0.9', '1'],
    ['1Gi', '1024Mi', '2Gi'],
    ['1G', '1Gi', '2073741824'],
    ['1Gi', '1G', '2073741824'],
    ['0', '1Gi', '1Gi'],
    ['1Gi', '500m', '1073741824500m'],
  ];

  it.each(sums)('compares %s and %s as %s', (a, b, sum) => {
    expect(formatQuantity(addQuantities(quantity(a), quantity(b)))).toBe(sum);
  });

  it('can be larger than another one in other units', () => {
    expect(largerQuantity(quantity('1Gi'), quantity('1G'))).toEqual(quantity('1Gi'));
    expect(largerQuantity(quantity('900m'), quantity('1'))).toEqual(quantity('1'));
  });
});

describe('quantities of any size', () => {
  const suffix = fc.constantFrom(
    '',
    'n',
    'u',
    'm',
    'k',
    'M',
    'G',
    'T',
    'P',
    'E',
    'Ki',
    'Mi',
    'Gi',
    'Ti',
    'Pi',
    'Ei',
    'e3',
    'E-2',
  );
  const number = fc.tuple(
    fc.integer({ min: -1e9, max: 1e9 }),
    fc.option(fc.nat(999_999), { nil: undefined }),
  );
  const any = fc
    .tuple(number, suffix)
    .map(([[whole, fraction], unit]) =>
      quantity(`${whole}${fraction === undefined ? '' : `.${fraction}`}${unit}`),
    );

  it('survive formatting and parsing', () => {
    fc.assert(
      fc.property(any, (one) => {
        const written = formatQuantity(one);
        expect(written).toMatch(/^-?\d+(e-?\d+|[A-Za-z]*)$/);
        expect(quantity(written).nanos).toBe(one.nanos);
        expect(formatQuantity(quantity(written))).toBe(written);
      }),
    );
  });

  it('have a sum that does not depend on the order', () => {
    fc.assert(
      fc.property(any, any, any, (a, b, c) => {
        const left = addQuantities(addQuantities(a, b), c);
        expect(left.nanos).toBe(addQuantities(a, addQuantities(b, c)).nanos);
        expect(addQuantities(a, b).nanos).toBe(addQuantities(b, a).nanos);
        expect(addQuantities(ZERO, a)).toEqual(a);
      }),
    );
  });

  it('times n equal n times added', () => {
    fc.assert(
      fc.property(any, fc.integer({ min: 1, max: 20 }), (one, times) => {
        const sum = Array.from({ length: times }, () => one).reduce(addQuantities, ZERO);
        expect(multiplyQuantity(one, times).nanos).toBe(sum.nanos);
      }),
    );
  });

  it('have a total order', () => {
    fc.assert(
      fc.property(any, any, (a, b) => {
        const larger = largerQuantity(a, b);
        expect([a, b]).toContain(larger);
        expect(larger.nanos >= a.nanos && larger.nanos >= b.nanos).toBe(true);
      }),
    );
  });
});

describe('a short quantity', () => {
  it.each<[bigint, Quantity['family'], string]>([
    [10_666_666_666n, 'decimal', '10.67'],
    [16_000_000_000n, 'decimal', '16'],
    [500_000_000n, 'decimal', '500m'],
    [333_333_333n, 'decimal', '333m'],
    [1n, 'decimal', '1n'],
    [0n, 'binary', '0'],
    [2_000_000_000_000n, 'decimal', '2000'],
    [1_500_000_000_000_000n, 'decimal', '1.5M'],
    [733_007_751_850_666_666_666n, 'binary', '682.67Gi'],
    [1_023_500_000_000n, 'binary', '1023.5'],
    [BigInt(64 * 2 ** 30) * 10n ** 9n, 'binary', '64Gi'],
  ])('%s of the %s family is %s', (nanos, family, text) => {
    expect(shortQuantity({ nanos, family })).toBe(text);
    expect(parseQuantity(text)).toBeDefined();
  });
});
