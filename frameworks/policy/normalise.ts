import { z } from 'zod';
import { DEFAULT_POLICY, DEFAULTS_OF_PARTS } from '../../contracts/policy.ts';
import { roleKey } from '../../contracts/roles.ts';
import { isDuration } from '../../contracts/schemas/duration.ts';
import type { FailureClass, Policy } from '../../contracts/types.ts';
import { type Fields, isFields, withoutUndefined } from '../../language/fields.ts';
import { type PolicyFields, policySchema } from './schema.ts';

type Given = Required<PolicyFields>;

/** Returns a valid document with its defaults filled in, and durations under names that say their unit. */
export function normalisePolicy(document: PolicyFields): Policy {
  const { restart, failures, spares, holdOnFailure } = document;
  const given = withoutUndefined({
    ...document,
    restart: restart?.backOff ? { ...restart, backOff: withLongest(restart.backOff) } : restart,
    failures: failures && failuresOfPolicy(failures),
    // None is as absent, so that an amendment can remove them.
    spares: spares?.count ? { ...spares, role: spares.role && roleKey(spares.role) } : undefined,
    holdOnFailure: holdOnFailure || undefined,
  });
  const parts = Object.entries(DEFAULTS_OF_PARTS).filter(([name]) => name in given);
  const defaults = { ...DEFAULT_POLICY, ...Object.fromEntries(parts) };
  return filled(defaults, inMilliseconds(policySchema, given)) as Policy;
}

function withLongest(backOff: NonNullable<Given['restart']['backOff']>) {
  const { initial = 0, max = Math.max(initial, DEFAULT_POLICY.restart.backOff.maxMs) } = backOff;
  return { ...backOff, max };
}

function failuresOfPolicy({ rules, classes = {} }: Given['failures']) {
  return {
    rules: rules?.map((rule) => (rule.roles ? { ...rule, roles: rule.roles.map(roleKey) } : rule)),
    classes: Object.fromEntries(Object.entries(classes).map(([name, given]) => [name, classOf(given)])),
    startUpAfterMs: classes.startUp?.after,
  };
}

const classOf = ({ final, free, budget }: FailureClass): FailureClass => ({
  ...(final ? { final } : {}),
  ...(free ? { free } : {}),
  ...(budget === undefined ? {} : { budget }),
});

/** The name under which a policy has a field of the document. */
export const nameInPolicy = (name: string, field: z.core.$ZodType | undefined): string =>
  isDuration(field instanceof z.ZodOptional ? field.unwrap() : field) ? `${name}Ms` : name;

function inMilliseconds(schema: z.core.$ZodType | undefined, value: unknown): unknown {
  if (schema instanceof z.ZodOptional) return inMilliseconds(schema.unwrap(), value);
  if (schema instanceof z.ZodArray && Array.isArray(value))
    return value.map((item) => inMilliseconds(schema.element, item));
  if (!(schema instanceof z.ZodObject) || !isFields(value)) return value;
  const shape: Readonly<Record<string, z.core.$ZodType>> = schema.shape;
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [
      nameInPolicy(name, shape[name]),
      inMilliseconds(shape[name], field),
    ]),
  );
}

function filled(defaults: unknown, given: unknown): unknown {
  if (given === undefined) return defaults;
  if (!isFields(defaults) || !isFields(given)) return given;
  const names = Object.keys({ ...defaults, ...given } satisfies Fields);
  return withoutUndefined(
    Object.fromEntries(names.map((name) => [name, filled(defaults[name], given[name])])),
  );
}
