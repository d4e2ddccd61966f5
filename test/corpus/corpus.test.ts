import { describe, expect, test } from '@jest/globals';
import { EXIT_CODES } from '../../cli/shell/exit-codes.ts';
import type { Checked } from '../../cli/validate/validation.ts';
import { validateManifest } from '../../client/manifests/offline/validate.ts';
import { FRAMEWORKS } from '../../frameworks/kinds/registry.ts';
import { signalbox } from '../cli/process.ts';
import { corpusFolder, readCorpus } from './corpus.ts';

const invalid = readCorpus('invalid');
const valid = readCorpus('valid');

test('the corpus has more than a hundred sorts of mistakes, in every kind', () => {
  expect(invalid.length).toBeGreaterThan(120);
  const kinds = new Set(invalid.map(({ manifest }) => titleOf(manifest)));
  expect([...kinds]).toEqual(expect.arrayContaining(FRAMEWORKS.map(titleOf)));
});

describe('a manifest with a mistake is refused with exactly that fault:', () => {
  test.each(invalid)('$name', ({ manifest, paths }) => {
    const { faults } = validateManifest(manifest, { strict: false });
    expect(faults.map(({ path }) => path).sort()).toEqual([...paths].sort());
  });
});

describe('a manifest from practice has no fault:', () => {
  test.each(valid)('$name', ({ manifest }) => {
    expect(validateManifest(manifest).faults).toEqual([]);
  });

  test('exists for every kind', () => {
    const kinds = new Set(valid.map(({ manifest }) => titleOf(manifest)));
    expect([...kinds].sort()).toEqual(FRAMEWORKS.map(titleOf).sort());
  });
});

describe('signalbox validate', () => {
  const listed = async (which: 'valid' | 'invalid') => {
    const { code, stdout } = await signalbox(['validate', corpusFolder(which), '-o', 'json']);
    const checked = JSON.parse(stdout) as Checked[];
    return { code, results: new Map(checked.map(({ where, result }) => [where.split('/').at(-1)!, result])) };
  };

  test('lists every bad manifest of the folder, and exits with the code for faults', async () => {
    const { code, results } = await listed('invalid');
    expect([...results.keys()].sort()).toEqual(invalid.map(({ name }) => name).sort());
    expect(new Set(results.values())).toEqual(new Set(['invalid']));
    expect(code).toBe(EXIT_CODES.invalidManifest.code);
  });

  test('finds no fault in the good ones', async () => {
    const { code, results } = await listed('valid');
    expect(new Set(results.values())).toEqual(new Set(['valid']));
    expect(code).toBe(EXIT_CODES.ok.code);
  });
});

function titleOf(manifest: unknown): string {
  const { apiVersion, kind } = (manifest ?? {}) as { apiVersion?: string; kind?: string };
  return `${apiVersion} ${kind}`;
}
