import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { ROOT } from '../deploy/manifests.ts';

const PAGE = readFileSync(join(ROOT, 'docs/pipelines.md'), 'utf8');

const EXCERPTS = [...PAGE.matchAll(/<!-- (examples\/\S+) -->\n```ts\n(.*?)```/gs)].map(
  ([, file, block]) => [file!, block!] as const,
);

describe('docs/pipelines.md', () => {
  test('has excerpts of the examples', () => expect(EXCERPTS).toHaveLength(3));

  test.each(EXCERPTS)('shows lines of %s, in their order', (file, block) => {
    const lines = linesOf(readFileSync(join(ROOT, file), 'utf8'));
    let from = 0;
    for (const line of linesOf(block)) {
      const found = lines.indexOf(line, from);
      expect(found < 0 ? line : '').toBe('');
      from = found + 1;
    }
  });
});

const linesOf = (text: string) => text.split('\n').filter((line) => line.trim() !== '');
