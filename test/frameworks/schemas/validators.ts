import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ErrorObject } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { JsonSchema } from '../../../frameworks/schemas/json-schema.ts';
import { withoutNulls } from '../../../language/without-nulls.ts';

const FOLDER = join(import.meta.dirname, '..', '..', '..', 'schemas');

/** The published schemas by name, as any program reads them. */
export const SCHEMAS: Readonly<Record<string, JsonSchema>> = Object.fromEntries(
  readdirSync(FOLDER).map((file) => [
    file.replace('.json', ''),
    JSON.parse(readFileSync(join(FOLDER, file), 'utf8')) as JsonSchema,
  ]),
);

export const newValidator = () =>
  new Ajv2020({
    allErrors: true,
    strict: true,
    keywords: ['x-version'],
    // A number or text, and the names of roles in any case beside the usual ones.
    allowUnionTypes: true,
    allowMatchingProperties: true,
  });

const ajv = newValidator().addSchema(Object.values(SCHEMAS));

/** Returns what is wrong with a value, e.g. `/spec must be object`. */
export function faultsBySchema(name: string, value: unknown): string[] {
  const validate = ajv.getSchema(String(SCHEMAS[name]!.$id))!;
  return validate(value) ? [] : validate.errors!.map(sentenceOf);
}

/** As editors do, checks a manifest with the schema of its kind. A null field counts as absent. */
export function faultsOfManifest(manifest: unknown): string[] {
  const { apiVersion, kind } = (manifest ?? {}) as { apiVersion?: unknown; kind?: unknown };
  const found = Object.entries(SCHEMAS).find(([, { properties = {} }]) => {
    const { apiVersion: version, kind: name } = properties as Readonly<Record<string, { const?: unknown }>>;
    return version?.const === apiVersion && name?.const === kind && version?.const !== undefined;
  });
  return found
    ? faultsBySchema(found[0], withoutNulls(manifest))
    : ['no schema for this apiVersion and kind'];
}

const sentenceOf = ({ instancePath, message }: ErrorObject) => `${instancePath} ${message}`;
