import { isFieldPath, MOST_TRIALS, type ParameterValues } from '../../contracts/parameter-sweep.ts';
import { errorMessage } from '../../language/error-message.ts';
import { YAML_AS_KUBECTL } from '../../language/yaml.ts';
import { UsageError } from '../shell/errors.ts';

/** Reads each `NAME=VALUES`: values as in a YAML list, with commas between, and ranges of numbers such as `1..100`. */
export async function parameterValues(settings: readonly string[]): Promise<ParameterValues> {
  const set: Record<string, readonly unknown[]> = {};
  for (const setting of settings) {
    const at = setting.indexOf('=');
    if (at <= 0) throw invalid(setting, 'NAME=VALUES, e.g. lr=0.1,0.01 or seed=1..100');
    const name = setting.slice(0, at);
    if (Object.hasOwn(set, name))
      throw invalid(setting, `the values of ${name} in one --set, separated by commas`);
    const listed = await listIn(setting, setting.slice(at + 1), isFieldPath(name));
    const values = listed.flatMap((value) => inRange(setting, value));
    if (values.length === 0) throw invalid(setting, 'at least one value after the =');
    set[name] = values;
  }
  return set;
}

/** The value of a variable is the text as it is written, e.g. 1e-3 or 0.10; a field may be of any type. */
async function listIn(setting: string, text: string, isField: boolean): Promise<readonly unknown[]> {
  const { parse } = await import('yaml');
  try {
    const list: unknown = parse(`[${text}]`, isField ? YAML_AS_KUBECTL : { schema: 'failsafe' });
    if (Array.isArray(list)) return list;
  } catch (error) {
    throw invalid(
      setting,
      `values separated by commas, in quotes if they have special characters (${firstLine(error)})`,
    );
  }
  throw invalid(setting, 'values separated by commas');
}

const firstLine = (error: unknown) => errorMessage(error).split('\n')[0]!.replace(/[:.]$/, '');

function inRange(setting: string, value: unknown): readonly unknown[] {
  if (typeof value !== 'string' || !isRange(value)) return [value];
  const values = valuesOfRange(value);
  if ('expected' in values) throw invalid(setting, values.expected);
  return values;
}

const invalid = (setting: string, expected: string) =>
  new UsageError(`--set: expected ${expected}, got ${JSON.stringify(setting)}.`);

/** `FIRST..LAST`, `FIRST..LAST/STEP` and `FIRST..LAST*FACTOR`; both ends belong to it. */
const NUMBER = String.raw`-?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?`;
const RANGE = new RegExp(`^(${NUMBER})\\.\\.(${NUMBER})(?:([/*])(${NUMBER}))?$`);

/** As many as a floating-point number of 64 bits has. */
const MOST_PLACES = 324;

/** Whether a text is a range. A number may end or begin with a point, but not at the two of the range. */
const isRange = (text: string): boolean => RANGE.test(text);

/** Returns the values of a range. As in a shell, a zero in front of an end gives whole numbers the width of the longer end. */
function valuesOfRange(text: string): readonly (number | string)[] | { readonly expected: string } {
  const numbers = numbersIn(text);
  if ('expected' in numbers) return numbers;
  const ends = [...(RANGE.exec(text) ?? [])].slice(1, 3);
  if (!ends.some((end) => PADDED.test(end))) return numbers;
  const width = Math.max(...ends.map((end) => end.length));
  return numbers.map((value) => (Number.isInteger(value) ? padded(value, width) : value));
}

const PADDED = /^-?0\d+$/;

const padded = (value: number, width: number): string =>
  value < 0 ? `-${String(-value).padStart(width - 1, '0')}` : String(value).padStart(width, '0');

/** Returns the numbers of a range, without binary noise, or what was expected instead. */
function numbersIn(text: string): readonly number[] | { readonly expected: string } {
  const [, from = '', to = '', sign = '/', by] = RANGE.exec(text) ?? [];
  const [first, last, step] = [decimalIn(from), decimalIn(to), decimalIn(by ?? '1')];
  if ([first, last, step].some(({ exponent }) => Math.abs(exponent) > MOST_PLACES))
    return { expected: `a range of numbers with at most ${MOST_PLACES} places` };
  if (by === undefined && (first.exponent < 0 || last.exponent < 0))
    return { expected: 'a step or a factor after a range of fractions, e.g. 0.1..0.5/0.1 or 0.001..1*10' };
  if (isLess(last, first)) return { expected: 'a range with the smaller number first' };
  if (sign === '/' && !isLess(ZERO, step)) return { expected: 'a step above 0' };
  if (sign === '*' && !(isLess(ONE, step) && isLess(ZERO, first)))
    return { expected: 'a factor above 1, and a range above 0' };
  const next = sign === '*' ? product : sum;
  const numbers: number[] = [];
  for (let value = first; !isLess(last, value); value = next(value, step)) {
    if (numbers.length === MOST_TRIALS) return { expected: `a range of at most ${MOST_TRIALS} numbers` };
    numbers.push(numberOf(value));
  }
  return numbers;
}

/** `digits` times ten to the power of `exponent`: sums of it are exact, where 0.1 + 0.2 of numbers is 0.30000000000000004. */
interface Decimal {
  readonly digits: bigint;
  readonly exponent: number;
}

const ZERO: Decimal = { digits: 0n, exponent: 0 };
const ONE: Decimal = { digits: 1n, exponent: 0 };

function decimalIn(text: string): Decimal {
  const [mantissa = '', power = '0'] = text.toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  return { digits: BigInt(`${whole}${fraction}`), exponent: Number(power) - fraction.length };
}

/** The nearest number, which is written with the same digits if they are not more than 15. */
const numberOf = ({ digits, exponent }: Decimal): number => Number(`${digits}e${exponent}`);

/** Returns the digits of two at the same power of ten. */
function aligned(one: Decimal, other: Decimal) {
  const exponent = Math.min(one.exponent, other.exponent);
  const digitsOf = (decimal: Decimal) => decimal.digits * 10n ** BigInt(decimal.exponent - exponent);
  return { exponent, one: digitsOf(one), other: digitsOf(other) };
}

function isLess(a: Decimal, b: Decimal): boolean {
  const { one, other } = aligned(a, b);
  return one < other;
}

function sum(a: Decimal, b: Decimal): Decimal {
  const { exponent, one, other } = aligned(a, b);
  return { exponent, digits: one + other };
}

const product = (a: Decimal, b: Decimal): Decimal => ({
  digits: a.digits * b.digits,
  exponent: a.exponent + b.exponent,
});
