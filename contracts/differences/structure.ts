import { asFields, isFields } from '../../language/fields.ts';
import { formatSteps } from '../manifest-path.ts';

/** A value that two documents do not share. A side without it has undefined. */
export interface ValueDifference {
  /** As errors write it, e.g. `spec.template.spec.containers[pytorch].image`. */
  readonly path: string;
  readonly steps: readonly string[];
  readonly a?: unknown;
  readonly b?: unknown;
}

/** Compares two documents. The order of keys, and of lists whose items have names, does not matter. */
export const compareValues = (a: unknown, b: unknown): ValueDifference[] =>
  compareAt(a, b, { steps: [], path: '' });

interface Place {
  readonly steps: readonly string[];
  readonly path: string;
}

function compareAt(a: unknown, b: unknown, place: Place): ValueDifference[] {
  const parts = partsOf(a, b);
  if (!parts) {
    const isSame = a === b || JSON.stringify(a) === JSON.stringify(b);
    return isSame ? [] : [{ ...place, ...(a === undefined ? {} : { a }), ...(b === undefined ? {} : { b }) }];
  }
  const keys = [...new Set([...Object.keys(parts.a), ...Object.keys(parts.b)])];
  return keys.flatMap((key) => {
    const path = parts.isList ? `${place.path}[${key}]` : formatSteps([key], place.path);
    return compareAt(fieldOf(parts.a, key), fieldOf(parts.b, key), { steps: [...place.steps, key], path });
  });
}

type Fields = Readonly<Record<string, unknown>>;

interface Parts {
  readonly a: Fields;
  readonly b: Fields;
  readonly isList?: true;
}

const fieldOf = (fields: Fields, key: string) => (Object.hasOwn(fields, key) ? fields[key] : undefined);

/** Returns the parts of two values that can be compared one by one; something missing has none. */
function partsOf(a: unknown, b: unknown): Parts | undefined {
  if (isFields(a ?? {}) && isFields(b ?? {})) {
    return a === undefined && b === undefined ? undefined : { a: asFields(a), b: asFields(b) };
  }
  if (!isListOrNothing(a) || !isListOrNothing(b)) return undefined;
  const [one, other] = [a ?? [], b ?? []];
  const key = KEYS.find((name) => isNamedBy(one, name) && isNamedBy(other, name));
  if (key) return { a: byKey(one, key), b: byKey(other, key), isList: true };
  // Others are compared place by place, or as a whole.
  return one.length === other.length ? { a: { ...one }, b: { ...other }, isList: true } : undefined;
}

const isListOrNothing = (value: unknown): value is readonly unknown[] | undefined =>
  value === undefined || Array.isArray(value);

/** Fields that identify items of Kubernetes' lists; the first one that an item has counts. */
const KEYS = ['name', 'mountPath', 'containerPort', 'key'];

function isNamedBy(items: readonly unknown[], key: string): boolean {
  const names = items.map((item) => (isFields(item) ? item[key] : undefined));
  return names.every((name) => name !== undefined) && new Set(names).size === names.length;
}

const byKey = (items: readonly unknown[], key: string) =>
  Object.fromEntries(items.map((item) => [String(asFields(item)[key]), item]));
