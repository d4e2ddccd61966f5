import { roleKey } from '../../contracts/roles.ts';
import { nearest } from '../../language/did-you-mean.ts';
import { isFields } from '../../language/fields.ts';
import { describeValue } from './faults.ts';

/** An object of a manifest, and the field names that it may have. */
export interface FieldPlace {
  /** The path in this manifest; `general` has the role as the kind spells it. */
  readonly path: string;
  readonly general: string;
  readonly value: unknown;
  readonly known: readonly string[];
  /** Further names, which match in any case. */
  readonly roles?: readonly string[];
}

/** A field of a manifest that nothing reads. */
export interface UnknownName {
  readonly path: string;
  /** What was probably meant: a name in the same place, or the path of a field with the same name elsewhere. */
  readonly nearest: string | undefined;
  /** The value, as faults show it. */
  readonly got: string;
}

export const joined = (path: string, name: string) => (path ? `${path}.${name}` : name);

/** Finds the fields of a place that it may not have. `elsewhere`: where a misplaced field may belong. */
export function unknownIn(place: FieldPlace, elsewhere: readonly FieldPlace[]): UnknownName[] {
  const { path, value, known, roles = [] } = place;
  if (!isFields(value)) return [];
  const inAnyCase = new Set(roles.map(roleKey));
  return Object.keys(value)
    .filter((name) => !known.includes(name) && !inAnyCase.has(roleKey(name)))
    .map((name) => ({
      path: joined(path, name),
      nearest: meantBy(name, [...known, ...roles], elsewhere),
      got: describeValue(value[name]),
    }));
}

/** Prefers the same name in another place to a similar name in the same place. */
function meantBy(name: string, known: readonly string[], places: readonly FieldPlace[]): string | undefined {
  const otherCase = known.find((one) => one.toLowerCase() === name.toLowerCase());
  if (otherCase) return otherCase;
  const elsewhere = places.find(({ known: names }) => names.includes(name));
  return elsewhere ? joined(elsewhere.general, name) : nearest(name, known);
}
