/** A mapping in a JSON or YAML document. */
export type Fields = Readonly<Record<string, unknown>>;

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns a mapping as it is, and nothing for anything else. */
export const asFields = (value: unknown): Fields => (isFields(value) ? value : {});

/** Returns what others have written under a name that they chose: not what every object has, as `constructor`. */
export const ownValue = <T>(fields: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(fields, name) ? fields[name] : undefined;

/** Returns the mapping in a JSON text, which any user may have written; an empty one for anything else. */
export function fieldsOfJson(text: string | undefined): Fields {
  try {
    return asFields(JSON.parse(text ?? ''));
  } catch {
    return {};
  }
}

/** `Object.keys` of an object that has no others. */
export const keysOf = <T extends object>(object: T) => Object.keys(object) as (keyof T & string)[];

/** A type without undefined: a field that can be is optional. */
type Defined<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** Omits fields that are undefined: data is plain JSON, and equal to what its JSON says. */
export const withoutUndefined = <T extends object>(fields: T) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Defined<T>;

/** Returns the value at a path such as `spec.runPolicy`; the value itself if the path is empty. */
export const valueAt = (value: unknown, path: string): unknown =>
  path
    .split('.')
    .filter(Boolean)
    .reduce<unknown>((inner, key) => (isFields(inner) ? ownValue(inner, key) : undefined), value);

export const unlessEmpty = <T extends object>(fields: T): T | undefined =>
  Object.keys(fields).length > 0 ? fields : undefined;
