import type { z } from 'zod';
import { truncate } from '../../language/shorten.ts';
import { formatFault } from '../faults.ts';
import { formatSteps } from '../manifest-path.ts';
import type { Fault } from '../types.ts';

/** Converts zod's issues to faults: the path as users write it, the expectation, and the actual value. */
export function faultsOf(error: z.ZodError, input: unknown, root = ''): Fault[] {
  return error.issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map((key) => faultAt([...issue.path, key], 'a known field'))
      : [faultAt(issue.path, expectation(issue))],
  );

  function faultAt(path: readonly PropertyKey[], expected: string): Fault {
    return { path: formatSteps(path, root), expected, got: describeValue(valueAt(input, path)) };
  }
}

/** Removes duplicates: two schemas of an absent object each report it. */
export const distinct = (faults: readonly Fault[]): Fault[] => [
  ...new Map(faults.map((fault) => [formatFault(fault), fault])).values(),
];

/** Returns a value as a fault shows it: short, and never a whole object. */
export function describeValue(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (Array.isArray(value)) return value.length ? `a list of ${value.length}` : 'an empty list';
  if (value !== null && typeof value === 'object') return 'an object';
  const text = typeof value === 'string' ? JSON.stringify(value) : String(value);
  return text.length > 80 ? `${truncate(text, 77)}...` : text;
}

function expectation(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return TYPES[issue.expected] ?? withArticle(issue.expected);
    case 'too_small':
      return atLeast(issue.origin, Number(issue.minimum));
    case 'too_big':
      return `${noun(issue.origin)} <= ${issue.maximum}`;
    case 'invalid_value':
      // A schema may say more than its values.
      if (!issue.message.startsWith('Invalid ')) return issue.message;
      return issue.values.length === 1
        ? String(issue.values[0])
        : `one of ${issue.values.map(String).join(', ')}`;
    case 'invalid_key':
      return issue.issues[0]?.message ?? issue.message;
    default:
      return issue.message;
  }
}

function atLeast(origin: string, minimum: number): string {
  if (origin === 'array') return `a list of at least ${minimum}`;
  return origin === 'string' && minimum === 1 ? 'a non-empty string' : `${noun(origin)} >= ${minimum}`;
}

/** Type names for users where zod's differ. */
const TYPES: Readonly<Record<string, string>> = {
  // All numbers of a manifest are integers.
  number: 'an integer',
  int: 'an integer',
  array: 'a list',
  record: 'an object',
  boolean: 'true or false',
};

function noun(origin: string): string {
  if (origin === 'string') return 'a length';
  return origin === 'int' || origin === 'number' ? 'an integer' : `a size of ${origin}`;
}

const withArticle = (word: string) => `${/^[aeiou]/.test(word) ? 'an' : 'a'} ${word}`;

const valueAt = (input: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>((value, key) => (value as Record<PropertyKey, unknown> | undefined)?.[key], input);
