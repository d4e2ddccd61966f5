import type { z } from 'zod';
import { RefusedError } from '../client/errors/errors.ts';
import { formatFault } from '../contracts/faults.ts';
import type { Fault } from '../contracts/types.ts';
import { describeValue, distinct, faultsOf } from '../frameworks/fields/faults.ts';
import { faultOfUnknown, unknownFieldsOfSchema } from '../frameworks/fields/unknown-fields.ts';

/** Returns the arguments of a method. Throws `RefusedError` with every fault, by path. */
export function checkedArguments<Schema extends z.ZodObject>(
  schema: Schema,
  given: unknown,
): z.infer<Schema> {
  const unknown = unknownFieldsOfSchema(schema, given, ROOT).map(faultOfUnknown);
  const parsed = schema.safeParse(given);
  if (parsed.success && unknown.length === 0) return parsed.data;
  throw refused([...unknown, ...(parsed.error ? faultsOf(parsed.error, given, ROOT) : [])]);
}

const ROOT = 'arguments';

/** What no schema says: that one of several arguments is needed. */
export const missingArgument = (name: string, expected: string): RefusedError =>
  refused([{ path: `${ROOT}.${name}`, expected, got: describeValue(undefined) }]);

const refused = (faults: readonly Fault[]) =>
  new RefusedError(`${distinct(faults).map(formatFault).join('\n')}`, {
    remedy: 'docs/wire-contract.md has the arguments of each method.',
  });
