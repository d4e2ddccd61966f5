import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { DUCKDB } from '../../../record/audit/duckdb.ts';
import { ROOT } from '../../../scripts/package/entries.ts';

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

test('DuckDB is the one that package.json names, which npm does not install with signalbox', () => {
  const { peerDependencies, peerDependenciesMeta, devDependencies } = JSON.parse(read('package.json'));
  const [[name, version]] = Object.entries(peerDependencies) as [[string, string]];
  expect(DUCKDB).toBe(`${name}@${version}`);
  expect(peerDependenciesMeta).toEqual({ [name]: { optional: true } });
  expect(devDependencies[name]).toBe(version);
});

test.each(['docs/audit.md', 'docs/deployment.md'])('%s has the same command', (page) => {
  expect(read(page)).toMatch(new RegExp(`npm install (--prefix duckdb )?${DUCKDB.replaceAll('.', '\\.')}`));
});
