import { isFields } from '../language/fields.ts';

/**
 * Returns what is wrong with the argument of a request, before the job looks at it. Temporal's own tools send whatever a
 * person types; a misspelt field would otherwise have no effect.
 */
export function requestFault(asked: unknown, fields: readonly string[]): string | undefined {
  if (asked === undefined || asked === null) return undefined;
  if (!isFields(asked)) {
    return `(input): expected an object, e.g. {"by": "ana", "why": "wrong data"}, got ${JSON.stringify(asked)}`;
  }
  const known = ['by', 'why', ...fields];
  const unknown = Object.keys(asked).find((field) => !known.includes(field));
  if (unknown !== undefined) return `${unknown}: expected one of the fields ${known.join(', ')}`;
  const wrong = ['by', 'why'].find((field) => !isTextOrAbsent(asked[field]));
  return wrong && `${wrong}: expected a text, got ${JSON.stringify(asked[wrong])}`;
}

const isTextOrAbsent = (value: unknown) => value === undefined || value === null || typeof value === 'string';
