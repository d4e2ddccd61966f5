import { parseQuantity } from '../../../contracts/quantity.ts';
import { asFields, isFields } from '../../../language/fields.ts';

/** What the value of an option must be, as data: the builders of Python have the same rules. */
export interface OptionRule {
  readonly is: keyof typeof CHECKS;
  /** As an error words it. */
  readonly expected: string;
  /** Of an integer. */
  readonly least?: number;
  /** Words that are allowed, of an integer: instead of a number. */
  readonly words?: readonly string[];
  /** The names of the smaller and the larger number of an object. */
  readonly bounds?: readonly [string, string];
}

export const isMet = (rule: OptionRule, value: unknown): boolean => CHECKS[rule.is](value, rule);

const CHECKS = {
  name: (value: unknown) => typeof value === 'string' && /^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$/.test(value),
  text: (value: unknown) => typeof value === 'string' && value !== '',
  texts: (value: unknown) => Array.isArray(value) && value.every(isText),
  textByName: (value: unknown) => isFields(value) && Object.values(value).every(isText),
  textsByName: (value: unknown) =>
    isFields(value) && Object.values(value).every((texts) => Array.isArray(texts) && texts.every(isText)),
  pathByName: (value: unknown) =>
    isFields(value) && Object.values(value).every((path) => isText(path) && path.startsWith('/')),
  boolean: (value: unknown) => typeof value === 'boolean',
  integer: (value: unknown, { least = 0, words = [] }: Limits) =>
    isInteger(value, least) || words.some((word) => word === value),
  word: (value: unknown, { words = [] }: Limits) => words.some((word) => word === value),
  quantity: (value: unknown) =>
    (typeof value === 'string' || typeof value === 'number') && (parseQuantity(value)?.nanos ?? 0n) > 0n,
  policy: isFields,
  bounds: (value: unknown, { bounds: [lower, upper] = ['', ''] }: Limits) => {
    const { [lower]: least, [upper]: most } = asFields(value);
    return isInteger(least, 1) && isInteger(most, Number(least));
  },
} as const;

type Limits = Pick<OptionRule, 'least' | 'words' | 'bounds'>;

const isText = (value: unknown): value is string => typeof value === 'string';
const isInteger = (value: unknown, least: number) => Number.isSafeInteger(value) && Number(value) >= least;

export const integerFrom = (least: number): OptionRule => ({
  is: 'integer',
  expected: `an integer >= ${least}`,
  least,
});

export const oneOfWords = (words: readonly string[]): OptionRule => ({
  is: 'word',
  expected: words.length === 1 ? words[0]! : `one of ${words.join(', ')}`,
  words,
});

export const NAME: OptionRule = {
  is: 'name',
  expected: 'a DNS label: at most 63 lower-case letters, digits and -, starting with a letter',
};
export const TEXT: OptionRule = { is: 'text', expected: 'a non-empty text' };
export const TEXTS: OptionRule = { is: 'texts', expected: 'a list of texts' };
export const TEXT_BY_NAME: OptionRule = { is: 'textByName', expected: 'an object of texts' };
export const TEXTS_BY_NAME: OptionRule = { is: 'textsByName', expected: 'an object of lists of texts' };
export const PATH_BY_NAME: OptionRule = {
  is: 'pathByName',
  expected: 'an object of absolute paths, by the name of a PersistentVolumeClaim',
};
export const BOOLEAN: OptionRule = { is: 'boolean', expected: 'true or false' };
export const QUANTITY: OptionRule = { is: 'quantity', expected: 'a quantity > 0, e.g. 4, 500m or 8Gi' };
export const POLICY: OptionRule = { is: 'policy', expected: 'an object' };
