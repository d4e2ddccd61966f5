import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { formatFault } from '../../contracts/faults.ts';
import { faultOfUnknown, unknownFields } from '../../frameworks/fields/unknown-fields.ts';
import { frameworkFor } from '../../frameworks/manifest/recognise.ts';
import { readCorpus } from '../corpus/corpus.ts';
import { findPython, PythonEnvironment, SET_UP_MS } from './environment.ts';

/** Python finds the unknown fields that TypeScript finds, without a server: in manifests of each kind with random slips. */

type Fields = Record<string, unknown>;

const PROGRAM = `
import json, sys, signalbox
from signalbox._check_fields import check_fields

def faults(manifest):
    try:
        check_fields(manifest, strict=True)
        return []
    except signalbox.InvalidManifestError as error:
        return [str(fault) for fault in error.faults if fault.is_unknown]

print(json.dumps([faults(manifest) for manifest in json.load(open(sys.argv[1]))]))
`;

const VALID = readCorpus('valid').map(({ name, manifest }) => [name, manifest as Fields] as const);
const SLIPS_EACH = 40;

/** Which object of a manifest gets a field, and its name: a letter less, twice, in the other case, or another word. */
const slip = fc.record({
  place: fc.nat(),
  field: fc.nat(),
  letter: fc.nat(),
  how: fc.constantFrom('without', 'twice', 'other case', 'misplaced', 'word'),
  word: fc.constantFrom('backoffLimit', 'replicas', 'image', 'queue', 'x', 'signalbox'),
});

type Slip = typeof slip extends fc.Arbitrary<infer T> ? T : never;

function withSlip(manifest: Fields, { place, field, letter, how, word }: Slip): Fields {
  const copy = structuredClone(manifest);
  const objects = objectsIn(copy);
  const object = objects[place % objects.length]!;
  const names = Object.keys(object);
  const name = names[field % names.length] ?? word;
  const at = letter % name.length;
  const slips = {
    without: name.slice(0, at) + name.slice(at + 1),
    twice: name.slice(0, at) + name[at] + name.slice(at),
    'other case': name.slice(0, at) + otherCase(name[at]!) + name.slice(at + 1),
    misplaced: word,
    word: `${name}${word}`,
  };
  const value = object[name] ?? 1;
  if (how !== 'misplaced') delete object[name];
  object[slips[how]] = value;
  return copy;
}

const otherCase = (letter: string) =>
  letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase();

/** Not the manifest itself: without its kind nobody knows its fields. */
const objectsIn = (value: unknown): Fields[] =>
  Object.values(value as Fields).flatMap((inner) =>
    typeof inner === 'object' && inner !== null
      ? [...(Array.isArray(inner) ? [] : [inner as Fields]), ...objectsIn(inner)]
      : [],
  );

function unknownIn(manifest: Fields): string[] {
  const framework = frameworkFor(manifest);
  if (Array.isArray(framework)) throw new Error('expected a kind');
  return unknownFields(framework, manifest).map(faultOfUnknown).map(formatFault).toSorted();
}

const python = await findPython();

(python ? describe : describe.skip)('the unknown fields that Python finds are those of TypeScript', () => {
  const manifests = VALID.flatMap(([name, manifest], index) => [
    [name, manifest] as const,
    ...fc
      .sample(slip, { numRuns: SLIPS_EACH, seed: index })
      .map((one) => [name, withSlip(manifest, one)] as const),
  ]);
  let found: readonly (readonly string[])[];

  beforeAll(async () => {
    const environment = await PythonEnvironment.ensure(python!);
    const file = join(await mkdtemp(join(tmpdir(), 'signalbox-fields-')), 'manifests.json');
    await writeFile(file, JSON.stringify(manifests.map(([, manifest]) => manifest)));
    const { code, output } = await environment.run(['-c', PROGRAM, file], { PYTHONPATH: 'src' });
    await rm(dirname(file), { recursive: true });
    if (code !== 0) throw new Error(output);
    found = (JSON.parse(output) as string[][]).map((faults) => faults.toSorted());
  }, SET_UP_MS);

  test.each(VALID.map(([name]) => name))('%s, as it is and with slips', (name) => {
    const mine = manifests.flatMap(([of, manifest], index) => (of === name ? [{ manifest, index }] : []));
    expect(mine.map(({ index }) => found[index])).toEqual(mine.map(({ manifest }) => unknownIn(manifest)));
  });

  test('there are some', () => {
    expect(found.flat().length).toBeGreaterThan(manifests.length / 2);
  });
});
