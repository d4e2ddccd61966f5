import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { PAGES } from '../../scripts/docs/pages.ts';

const DOCS = join(import.meta.dirname, '..', '..', 'docs');

it.each(Object.entries(PAGES))('docs/%s says what the code says (else: npm run docs)', (file, page) => {
  expect(readFileSync(join(DOCS, file), 'utf8')).toBe(page());
});
