import type { ErrorObject, ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { JsonSchema } from '../../../frameworks/schemas/json-schema.ts';
import { SCHEMA_DOCUMENTS } from '../../../frameworks/schemas/schema-documents.ts';
import { jsonSchemaOf } from '../../../frameworks/schemas/to-json-schema.ts';
import { withoutNulls } from '../../../language/without-nulls.ts';

/** The published schemas by name, as any program sees them. */
export const SCHEMAS: Readonly<Record<string, JsonSchema>> = Object.fromEntries(
  SCHEMA_DOCUMENTS.map((document) => [document.name, jsonSchemaOf(document)]),
);

const ajv = new Ajv2020({
  allErrors: true,
  strict: true,
  keywords: ['x-version'],
  // A number or text, and the names of roles in any case beside the usual ones.
  allowUnionTypes: true,
  allowMatchingProperties: true,
});

const VALIDATORS: Readonly<Record<string, ValidateFunction>> = Object.fromEntries(
  Object.entries(SCHEMAS).map(([name, schema]) => [name, ajv.compile(schema)]),
);

/** Returns what is wrong with a value, e.g. `/spec must be object`. */
export function faultsBySchema(name: string, value: unknown): string[] {
  const validate = VALIDATORS[name]!;
  return validate(value) ? [] : validate.errors!.map(sentenceOf);
}

/** As editors do, checks a manifest with the schema of its kind. A null field counts as absent. */
export function faultsOfManifest(manifest: unknown): string[] {
  const { apiVersion, kind } = (manifest ?? {}) as { apiVersion?: unknown; kind?: unknown };
  const found = Object.entries(SCHEMAS).find(([, { properties }]) => {
    const { apiVersion: version, kind: name } = properties as Readonly<Record<string, { const?: unknown }>>;
    return version?.const === apiVersion && name?.const === kind && version?.const !== undefined;
  });
  return found
    ? faultsBySchema(found[0], withoutNulls(manifest))
    : ['no schema for this apiVersion and kind'];
}

const sentenceOf = ({ instancePath, message }: ErrorObject) => `${instancePath} ${message}`;
