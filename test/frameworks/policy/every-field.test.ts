import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { policyOf } from './policies.ts';

/** A field that is in the schema and is not read would be accepted, and change nothing. */

const SCHEMA = JSON.parse(readFileSync(join(import.meta.dirname, '../../../schemas/policy.json'), 'utf8'));

type Key = string | number;
type Path = readonly Key[];

/** Documents with values that are no defaults; together they have each field. */
const DOCUMENTS: readonly object[] = [
  {
    restart: {
      ladder: [{ scope: 'gang', times: 3, within: '5m' }],
      backOff: { firstAtOnce: false, initial: '1s', factor: 3, max: '1m', jitter: 0.5, resetAfter: '1h' },
      refundOnProgress: true,
      survivorGrace: '20s',
    },
    failures: {
      rules: [{ class: 'mine', exitCodes: [42], pattern: 'bad', reasons: ['Evicted'], roles: ['worker'] }],
      classes: { mine: { final: true }, startUp: { after: '20m' } },
    },
    progress: { log: 'step=(.*)', stalledAfter: '10m' },
    nodes: {
      ...{ lostAfter: '2m', troubles: ['Cordoned'], avoidFor: '1h', avoidAtMost: 7 },
      forceDeleteAfter: '1m',
      waitForSilent: true,
      ...{ onSick: 'restart', onLeaving: 'checkpoint' },
    },
    gang: { placedWithin: '30m', otherwise: 'requeue', lift: 'onQuota' },
    lane: { name: 'research', priority: 5, runsFor: '1h' },
    spares: { count: 2, role: 'Master', command: ['wait'] },
    refusals: { failAfter: '1h' },
    evidence: { logLines: 5 },
    owner: 'ana@example.com',
    holdOnFailure: '1h',
    checkpoint: { file: '/ask/now', within: '1m', acknowledgedBy: { log: 'saved' } },
    scaleByRestart: true,
    waitForSidecars: true,
  },
  {
    failures: { classes: { userCode: { free: true } } },
    progress: { annotation: 'example.com/step' },
    checkpoint: { file: '/ask/now', acknowledgedBy: { annotation: 'example.com/saved' } },
  },
  {
    failures: { classes: { userCode: { budget: 3 } } },
    progress: { onHang: 'restart' },
    checkpoint: { signal: 'SIGUSR1' },
  },
];

interface Schema {
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
}

/** Paths of fields as `a.b[].c`, with `*` for names that people choose. */
function fieldsOf(schema: Schema, path = ''): string[] {
  const own = schema.$ref ? SCHEMA.$defs[schema.$ref.replace('#/$defs/', '')] : schema;
  const { properties = {}, additionalProperties, items } = own as Schema;
  const below = Object.entries(properties).flatMap(([name, of]) =>
    fieldsOf(of, path ? `${path}.${name}` : name),
  );
  if (below.length > 0) return below;
  if (typeof additionalProperties === 'object') return fieldsOf(additionalProperties, `${path}.*`);
  const ofItems = items ? fieldsOf(items, `${path}[]`) : [];
  return ofItems.length > 1 ? ofItems : [path];
}

/** Returns where a document has the field. */
function placesOf(value: unknown, [first, ...rest]: readonly string[], at: Path = []): Path[] {
  if (first === undefined) return [at];
  if (typeof value !== 'object' || value === null) return [];
  const keys = first === '*' ? Object.keys(value) : first in value ? [first] : [];
  return keys.flatMap((key) => placesOf((value as Record<string, unknown>)[key], rest, [...at, key]));
}

const stepsOf = (field: string) => field.replaceAll('[]', '.0').split('.');

function without(document: object, path: Path): object {
  const copy = structuredClone(document);
  const [last, ...parents] = path.toReversed();
  const parent = parents
    .toReversed()
    .reduce<Record<Key, unknown>>((one, key) => one[key] as never, copy as never);
  delete parent[last!];
  return copy;
}

const read = (document: object) => policyOf(JSON.stringify(document));

/** A document from which a required field is missing is refused. */
function readsOtherwise(document: object, path: Path): boolean {
  try {
    return JSON.stringify(read(without(document, path))) !== JSON.stringify(read(document));
  } catch {
    return true;
  }
}

describe('each field of a policy', () => {
  it('can be read', () => {
    for (const document of DOCUMENTS) expect(() => read(document)).not.toThrow();
  });

  it.each(fieldsOf(SCHEMA))('changes what is read: %s', (field) => {
    const places = DOCUMENTS.flatMap((document) =>
      placesOf(document, stepsOf(field)).map((path) => ({ document, path })),
    );
    expect(places).not.toEqual([]);
    for (const { document, path } of places)
      expect([path, readsOtherwise(document, path)]).toEqual([path, true]);
  });
});
