import { formatSteps } from '../../contracts/manifest-path.ts';
import type { Fault } from '../../contracts/types.ts';
import { describeValue } from '../fields/faults.ts';

/**
 * Returns a fault for each text of a manifest that has half a character (a lone surrogate), e.g. a file name that Python
 * could not decode. Kubernetes would store another text than the one that was given.
 */
export function illFormedText(value: unknown, steps: readonly PropertyKey[] = []): Fault[] {
  if (typeof value === 'string') return value.isWellFormed() ? [] : [faultAt(steps, value)];
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([key, field]) => {
    if (!key.isWellFormed()) return [faultAt(steps, key)];
    return illFormedText(field, [...steps, Array.isArray(value) ? Number(key) : key]);
  });
}

const faultAt = (steps: readonly PropertyKey[], text: string): Fault => ({
  path: formatSteps(steps) || '(manifest)',
  expected: 'text in valid Unicode (replace the lone surrogate, or encode the text, e.g. as base64)',
  got: describeValue(text),
});
