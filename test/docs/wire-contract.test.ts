import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { manifestHashOf } from '../../contracts/manifest-hash.ts';
import * as messages from '../../contracts/messages.ts';
import { MEMO } from '../../contracts/messages.ts';
import { RPC } from '../../contracts/rpc.ts';
import { SEARCH_ATTRIBUTES } from '../../contracts/search-attributes.ts';
import { canonicalJson } from '../../language/canonical-json.ts';

const page = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'wire-contract.md'), 'utf8');

/** As Temporal's command line spells them. */
const TYPES: Readonly<Record<string, string>> = {
  KEYWORD: 'Keyword',
  KEYWORD_LIST: 'KeywordList',
  INT: 'Int',
};

/** Every name of a workflow, signal, query or update, and every type of a failure. */
const NAMES = Object.values(messages).flatMap((value) => (typeof value === 'string' ? [value] : []));

describe('docs/wire-contract.md', () => {
  it.each([
    ...NAMES,
    RPC,
    ...Object.values(messages.UPDATES),
    ...Object.values(MEMO),
    ...Object.values(SEARCH_ATTRIBUTES).map(({ name }) => name),
  ])('has `%s`', (name) => {
    expect(page).toContain(`\`${name}\``);
  });

  it.each(Object.values(SEARCH_ATTRIBUTES))(
    'has the type of the search attribute $name',
    ({ name, type }) => {
      expect(page).toMatch(new RegExp(`^\\| .*\`${name}\`.* \\| ${TYPES[type]} \\|`, 'm'));
    },
  );

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
