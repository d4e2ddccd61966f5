/**
 * A Kubernetes resource quantity, e.g. `1500m` or `8Gi`, exact to a billionth as in the API server. It is formatted
 * with the family of suffixes that it was parsed from.
 */
export interface Quantity {
  readonly nanos: bigint;
  readonly family: 'decimal' | 'binary' | 'exponent';
}

export const ZERO: Quantity = { nanos: 0n, family: 'decimal' };

/** Returns undefined if the text is no quantity. Rounds up to a billionth, so a small request is never zero. */
export function parseQuantity(text: string | number): Quantity | undefined {
  const [, sign, whole = '', fraction = '', suffix = ''] = QUANTITY.exec(String(text)) ?? [];
  if (sign === undefined) return undefined;
  const { family, factor, exponent } = scaleOf(suffix);
  const shift = exponent + NANO - fraction.length;
  const digits = BigInt(whole + fraction) * factor;
  const nanos = shift >= 0 ? digits * 10n ** BigInt(shift) : divideRoundingUp(digits, 10n ** BigInt(-shift));
  return { nanos: sign === '-' ? -nanos : nanos, family };
}

/** Returns the canonical form of the API server: no fraction, and the largest suffix that allows that. */
export function formatQuantity({ nanos, family }: Quantity): string {
  if (nanos === 0n) return '0';
  const isBinary = family === 'binary' && nanos % UNIT === 0n && absolute(nanos) >= 1024n * UNIT;
  if (isBinary) {
    const { mantissa, steps } = reduce(nanos / UNIT, 1024n, BINARY.length - 1);
    return `${mantissa}${BINARY[steps]}`;
  }
  const most = family === 'decimal' ? DECIMAL.length - 1 : Number.POSITIVE_INFINITY;
  const { mantissa, steps } = reduce(nanos, 1000n, most);
  if (family !== 'exponent') return `${mantissa}${DECIMAL[steps]}`;
  const exponent = steps * 3 - NANO;
  return exponent === 0 ? String(mantissa) : `${mantissa}e${exponent}`;
}

/** Formats an amount for people: Kubernetes writes 2000 GPUs as 2k. */
export function amountText(amount: Quantity): string {
  const number = Number(amount.nanos) / 1e9;
  return Number.isInteger(number) && number < 1_000_000 ? String(number) : formatQuantity(amount);
}

/** Formats an amount as a quantity that is short, to two decimals of its largest unit: a third of a node's memory is no whole number. */
export function shortQuantity(amount: Quantity): string {
  const number = Number(amount.nanos) / 1e9;
  const size = Math.abs(number);
  if (size < 1)
    return formatQuantity({ ...amount, nanos: size < 0.001 ? amount.nanos : toMilli(amount.nanos) });
  const [base, units] = amount.family === 'binary' ? [1024, BINARY] : [1000, DECIMAL.slice(3)];
  const isSmall = amount.family !== 'binary' && size < 1_000_000;
  const step = isSmall ? 0 : Math.min(units.length - 1, Math.floor(Math.log(size) / Math.log(base)));
  return `${Math.round((number / base ** step) * 100) / 100}${units[step]}`;
}

const toMilli = (nanos: bigint): bigint => (nanos / MILLI) * MILLI;

/** Returns the sum in the family of `a`, or of `b` if `a` is zero. */
export const addQuantities = (a: Quantity, b: Quantity): Quantity => ({
  nanos: a.nanos + b.nanos,
  family: a.nanos === 0n ? b.family : a.family,
});

/** `times` must be an integer. */
export const multiplyQuantity = ({ nanos, family }: Quantity, times: number): Quantity => ({
  nanos: nanos * BigInt(times),
  family,
});

export const largerQuantity = (a: Quantity, b: Quantity): Quantity => (b.nanos > a.nanos ? b : a);

/** The exponent is limited, so that no manifest can exhaust the memory. */
const QUANTITY = /^([+-]?)(?=\.?\d)(\d*)(?:\.(\d*))?([KMGTPE]i|[numkMGTPE]|[eE][+-]?\d{1,3}|)$/;
const NANO = 9;
const UNIT = 10n ** BigInt(NANO);
const MILLI = 10n ** 6n;
const DECIMAL = ['n', 'u', 'm', '', 'k', 'M', 'G', 'T', 'P', 'E'];
const BINARY = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];

/** Returns the factor and the power of ten that a suffix multiplies by. */
function scaleOf(suffix: string): Pick<Quantity, 'family'> & { factor: bigint; exponent: number } {
  const decimal = DECIMAL.indexOf(suffix);
  if (decimal >= 0) return { family: 'decimal', factor: 1n, exponent: decimal * 3 - NANO };
  const binary = BINARY.indexOf(suffix);
  if (binary >= 0) return { family: 'binary', factor: 1024n ** BigInt(binary), exponent: 0 };
  return { family: 'exponent', factor: 1n, exponent: Number(suffix.slice(1)) };
}

function reduce(amount: bigint, base: bigint, most: number): { mantissa: bigint; steps: number } {
  let mantissa = amount;
  let steps = 0;
  while (steps < most && mantissa % base === 0n) {
    mantissa /= base;
    steps += 1;
  }
  return { mantissa, steps };
}

const divideRoundingUp = (amount: bigint, by: bigint) => (amount + by - 1n) / by;

const absolute = (amount: bigint) => (amount < 0n ? -amount : amount);
