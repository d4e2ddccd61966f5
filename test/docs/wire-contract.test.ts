import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { manifestHashOf } from '../../client/manifest-hash.ts';
import * as messages from '../../contracts/messages.ts';
import { MEMO } from '../../contracts/messages.ts';
import { SEARCH_ATTRIBUTES } from '../../contracts/search-attributes.ts';
import { SCHEMA_DOCUMENTS } from '../../frameworks/schemas/schema-documents.ts';
import { canonicalJson } from '../../record/ledger/canonical.ts';

const DOCS = join(import.meta.dirname, '..', '..', 'docs');
const page = readFileSync(join(DOCS, 'wire-contract.md'), 'utf8');

/** Every name of a workflow, signal, query or update, and every type of a failure. */
const NAMES = Object.values(messages).flatMap((value) => (typeof value === 'string' ? [value] : []));

describe('docs/wire-contract.md', () => {
  it.each([...NAMES, ...Object.values(MEMO), ...Object.values(SEARCH_ATTRIBUTES).map(({ name }) => name)])(
    'has `%s`',
    (name) => {
      expect(page).toContain(`\`${name}\``);
    },
  );

  it.each(SCHEMA_DOCUMENTS.filter(({ name }) => name.endsWith('-request')))('links to $name', ({ name }) => {
    expect(page).toContain(`(../schemas/${name}.json)`);
  });

  it('links to files that exist', () => {
    const links = [...page.matchAll(/\]\((\.\.\/[^)#]+)/g)].map(([, path]) => path!);
    expect(links.filter((path) => !existsSync(join(DOCS, path)))).toEqual([]);
    expect(links.length).toBeGreaterThan(15);
  });

  const vectors = [...page.matchAll(/^\| `(\{.*\})` \| `([0-9a-f]{64})` \|$/gm)].map(
    ([, json, hash]) => [json!, hash!] as const,
  );

  it.each(vectors)('has the hash of %s', (json, hash) => {
    expect(canonicalJson(JSON.parse(json))).toBe(json);
    expect(manifestHashOf(JSON.parse(json))).toBe(hash);
  });

  it('has several hashes', () => {
    expect(vectors).toHaveLength(3);
  });
});

describe('docs/schemas.md', () => {
  const schemas = readFileSync(join(DOCS, 'schemas.md'), 'utf8');

  it.each(SCHEMA_DOCUMENTS.filter(({ name }) => !name.endsWith('-request')))('has $name', ({ name }) => {
    expect(schemas).toContain(`\`${name}\``);
  });
});
