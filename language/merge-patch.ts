import { isDeepStrictEqual } from 'node:util';
import { type Fields, isFields, unlessEmpty } from './fields.ts';

/** Returns the JSON merge patch (RFC 7396) that turns one mapping into the other; undefined if they are equal. */
export function mergePatchBetween(before: Fields, after: Fields): Fields | undefined {
  const removed = Object.keys(before).filter((key) => !Object.hasOwn(after, key));
  const changed = Object.entries(after).flatMap(([key, value]) => {
    const part = patchOf(Object.hasOwn(before, key) ? before[key] : undefined, value);
    return part === undefined ? [] : [[key, part] as const];
  });
  return unlessEmpty({
    ...Object.fromEntries(removed.map((key) => [key, null])),
    ...Object.fromEntries(changed),
  });
}

function patchOf(before: unknown, after: unknown): unknown {
  if (isFields(before) && isFields(after)) return mergePatchBetween(before, after);
  return isDeepStrictEqual(before, after) ? undefined : after;
}
