import { z } from 'zod';
import { DEFAULT_POLICY, DEFAULTS_OF_PARTS } from '../../contracts/policy.ts';
import { isDuration } from '../../contracts/schemas/duration.ts';
import { exitCodes } from '../../frameworks/policy/field-schemas.ts';
import { nameInPolicy } from '../../frameworks/policy/normalise.ts';
import { policySchema } from '../../frameworks/policy/schema.ts';
import { asFields, type Fields } from '../../language/fields.ts';
import { type Definitions, printTypes } from './print-types.ts';

/** Parts whose types have names; the others are written where they are used. */
const NAMED: Readonly<Record<string, string>> = {
  ...{ Policy: 'Policy', Rung: 'Rung', BackOff: 'BackOffRules', Failures: 'FailureRules' },
  ...{ FailureRule: 'ClassRule', FailureClass: 'FailureClass', GangRules: 'GangRules' },
  ProgressRules: 'ProgressRules',
};

/** Returns the types of a policy as jobs have it: its durations are in milliseconds, and what has a default is there. */
export function policyTypes(): string {
  const { $defs, ...document } = z.toJSONSchema(policySchema, {
    ...{ io: 'output', unrepresentable: 'any' },
    override: ({ zodSchema, jsonSchema }) => {
      const { description } = jsonSchema;
      const other = asInPolicy(zodSchema, jsonSchema);
      if (!other) return;
      for (const key of Object.keys(jsonSchema)) delete jsonSchema[key];
      Object.assign(jsonSchema, { description }, other);
    },
  });
  const description = 'The annotation `signalbox.dev/policy` of a job, with its defaults.';
  const parts = withMovedField({ Policy: { ...document, description }, ...$defs } as Definitions);
  const written = Object.entries(withRequired(parts));
  return printTypes({
    declared: Object.fromEntries(written.filter(([id]) => id in NAMED)),
    inline: Object.fromEntries(written.filter(([id]) => !(id in NAMED))),
    nameOf: (id) => NAMED[id]!,
    isReadonly: true,
  });
}

function asInPolicy(schema: z.core.$ZodType, written: Fields): Fields | undefined {
  if (isDuration(schema)) return { type: 'number' };
  if (schema === exitCodes) return { prefixItems: [{ type: 'number' }, { type: 'number' }] };
  if (!(schema instanceof z.ZodObject)) return undefined;
  const properties = Object.entries(asFields(written.properties)).map(([name, field]) => [
    nameInPolicy(name, schema.shape[name]),
    field,
  ]);
  return { ...written, properties: Object.fromEntries(properties) };
}

/** In a policy the limit of start-up is not in its class. */
function withMovedField({ FailureClass, Failures, ...parts }: Definitions): Definitions {
  const { afterMs, ...ofClass } = asFields(FailureClass!.properties);
  const ofFailures = { ...asFields(Failures!.properties), startUpAfterMs: afterMs };
  return {
    ...parts,
    FailureClass: { ...FailureClass, properties: ofClass },
    Failures: { ...Failures, properties: ofFailures },
  };
}

/** Marks as required what has a default, also in parts that need not be given. */
function withRequired(parts: Definitions): Definitions {
  const required: Record<string, readonly string[]> = {};
  const mark = (id: string, defaults: Fields) => {
    const own = parts[id]!;
    required[id] = [...new Set([...((own.required ?? []) as string[]), ...Object.keys(defaults)])];
    for (const [name, field] of Object.entries(asFields(own.properties))) {
      const part = String(asFields(field).$ref).replace('#/$defs/', '');
      if (part in parts) mark(part, asFields({ ...DEFAULTS_OF_PARTS, ...defaults }[name]));
    }
  };
  mark('Policy', { ...DEFAULT_POLICY });
  return Object.fromEntries(
    Object.entries(parts).map(([id, part]) => [
      id,
      required[id] ? { ...part, required: required[id] } : part,
    ]),
  );
}
