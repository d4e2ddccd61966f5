import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { GENERATED_FILES } from '../../scripts/docs/generated-files.ts';

const ROOT = join(import.meta.dirname, '..', '..');

it.each(Object.entries(GENERATED_FILES))(
  '%s says what the code says (else: npm run docs)',
  async (path, content) => {
    expect(readFileSync(join(ROOT, path), 'utf8')).toBe(await content());
  },
);

it('schemas/ has no file that is not generated', () => {
  const paths = readdirSync(join(ROOT, 'schemas')).map((name) => `schemas/${name}`);
  expect(paths.filter((path) => !(path in GENERATED_FILES))).toEqual([]);
});
