import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { ANNOTATIONS } from '../../../contracts/labels.ts';
import type { JsonSchema } from '../../../frameworks/schemas/json-schema.ts';
import { SCHEMA_DOCUMENTS } from '../../../frameworks/schemas/schema-documents.ts';
import { CASES, readManifest } from '../../comparison/case.ts';
import { readCorpus } from '../../corpus/corpus.ts';
import { faultsBySchema, faultsOfManifest, SCHEMAS } from './validators.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const read = (path: string): unknown => parse(readFileSync(join(ROOT, path), 'utf8'), { version: '1.1' });

const files = (pattern: string) => globSync(pattern, { cwd: ROOT });

describe('a manifest that signalbox accepts is valid by its schema:', () => {
  test.each(CASES)('test/golden/%s', (name) => {
    expect(faultsOfManifest(readManifest(name))).toEqual([]);
  });

  test.each(files('examples/*/*/job*.yaml'))('%s', (path) => {
    expect(faultsOfManifest(read(path))).toEqual([]);
  });

  test.each(readCorpus('valid'))('corpus $name', ({ manifest }) => {
    expect(faultsOfManifest(manifest)).toEqual([]);
  });
});

/** What a schema cannot say: rules over several fields, and over what is elsewhere. */
const BEYOND_SCHEMAS = [
  /-alike(-|\.)/,
  /^elastic-(min-above-max|policy-of-paddle|with-two|without-workers|workers-)/,
  /^host-port-garbage/,
  /^managed-by-/,
  /^name-too-long-for-/,
  /^no-pods-at-all-of-tensorflow/,
  /^role-given-twice/,
  /^roles-(chief-and-master|missing-of-paddle-operator)/,
  /^policy-(checkpoint-(acknowledged-with|signal-beside))/,
  /^policy-class-(final-and-free|free-with|of-no-rule)/,
  /^policy-(is-no-yaml|ladder-|on-hang-beside|pattern-of-perl|progress-of-|rule-)/,
  /^volcano-(action-of-partitions|any-event|depends-on|event-and|event-twice|exit-code-zero|min-.*-above|partitions|restart-of)/,
  /^volcano-(plugin-(argument-unknown|env-|port-|unknown)|policy-with-a|policy-without-an-event|ssh-key)/,
  /^volcano-(name-too-long-for|tasks-(in-a-circle|without-pods)|volume-without|volumes-at)/,
];

describe('a mistake that a schema can see is refused by it:', () => {
  test.each(readCorpus('invalid'))('$name', ({ name, manifest }) => {
    const isBeyond = BEYOND_SCHEMAS.some((pattern) => pattern.test(name));
    expect([...faultsOfManifest(manifest), ...faultsOfPolicy(manifest)].length > 0).toBe(!isBeyond);
  });
});

/** The policy is a document of its own, in an annotation. */
function faultsOfPolicy(manifest: unknown): string[] {
  const { annotations } = ((manifest as { metadata?: unknown } | null)?.metadata ?? {}) as {
    annotations?: Readonly<Record<string, unknown>>;
  };
  const text = annotations?.[ANNOTATIONS.policy];
  if (typeof text !== 'string') return [];
  try {
    return faultsBySchema('policy', parse(text));
  } catch {
    return [];
  }
}

describe('every schema', () => {
  test.each(SCHEMA_DOCUMENTS)('$name has an id, a version, a title and a description', ({ name, title }) => {
    expect(SCHEMAS[name]).toMatchObject({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      $id: `https://signalbox.dev/schemas/v1/${name}.json`,
      'x-version': 1,
      title,
      description: expect.stringMatching(/\.$|\.md\.?$/),
    });
  });

  test.each(Object.entries(SCHEMAS))('%s describes every field, and names every object', (_name, schema) => {
    const described = objectsOf(schema).flatMap(({ title, properties }) =>
      Object.entries(properties as Readonly<Record<string, JsonSchema>>).map(
        ([field, { description, $ref }]) => ({ object: title, field, says: description ?? $ref }),
      ),
    );
    expect(described.filter(({ says, object }) => !says || !object)).toEqual([]);
    expect(JSON.stringify(schema)).not.toContain('__schema');
  });
});

function objectsOf(value: unknown): JsonSchema[] {
  if (Array.isArray(value)) return value.flatMap(objectsOf);
  if (value === null || typeof value !== 'object') return [];
  const schema = value as JsonSchema;
  const inner = Object.values(schema).flatMap(objectsOf);
  return schema.type === 'object' && schema.properties ? [schema, ...inner] : inner;
}
