type Fields = Record<string, unknown>;

/** RFC 7396. */
export function merged(target: unknown, patch: unknown): unknown {
  if (patch === null || typeof patch !== 'object' || Array.isArray(patch)) return copyOf(patch);
  const base = target !== null && typeof target === 'object' && !Array.isArray(target) ? target : {};
  const result: Fields = { ...base };
  for (const [key, value] of Object.entries(patch)) {
    if (value === undefined) continue;
    if (value === null) delete result[key];
    else result[key] = merged(result[key], value);
  }
  return result;
}

export interface PatchOperation {
  readonly op: 'test' | 'add';
  readonly path: string;
  readonly value: unknown;
}

/** RFC 6902, as far as signalbox uses it. Returns undefined if a test fails, or if nothing is where a field is added. */
export function patched(target: unknown, operations: readonly PatchOperation[]): unknown {
  const result = copyOf(target);
  for (const { op, path, value } of operations) {
    const keys = path.slice(1).split('/').map(unescaped);
    const last = keys.pop()!;
    const place = keys.reduce(
      (found: Fields | undefined, key) => found?.[key] as Fields | undefined,
      result as Fields,
    );
    if (!place || (op === 'test' && place[last] !== value)) return undefined;
    place[last] = value;
  }
  return result;
}

const unescaped = (key: string) => key.replaceAll('~1', '/').replaceAll('~0', '~');

/** What is sent is JSON. */
export function copyOf<T>(value: T): T {
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map(copyOf) as T;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, field]) => (field === undefined ? [] : [[key, copyOf(field)]])),
  ) as T;
}

/** Readers share what is stored: whoever changes it is at fault. */
export function frozen<T>(value: T): T {
  if (value === null || typeof value !== 'object' || Object.isFrozen(value)) return value;
  Object.values(value).forEach(frozen);
  return Object.freeze(value);
}
