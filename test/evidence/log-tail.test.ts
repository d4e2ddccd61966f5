import { describe, expect, test } from '@jest/globals';
import { LogTail } from '../../evidence/log-tail.ts';

/** The excerpt of a log that comes in pieces of so many bytes. */
function excerptOf(log: string, { limit, pieces = 7 }: { limit: number; pieces?: number }) {
  const tail = new LogTail(limit);
  const bytes = Buffer.from(log);
  for (let at = 0; at < bytes.length; at += pieces) tail.add(bytes.subarray(at, at + pieces));
  return tail.excerpt();
}

describe('the tail of a log', () => {
  test.each<[string, string, number, readonly string[], boolean]>([
    ['is all of it, if that fits', 'a\nb\n', 10, ['a', 'b'], false],
    ['fits exactly', 'abcd\nefgh\n', 10, ['abcd', 'efgh'], false],
    ['has a last line without an end', 'a\nb', 10, ['a', 'b'], false],
    ['keeps empty lines', 'a\n\nb\n', 10, ['a', '', 'b'], false],
    ['may be nothing', '', 10, [], false],
    ['begins with a whole line', 'first line\nsecond\nthird\n', 15, ['second', 'third'], true],
    ['keeps a line that fits to the byte', 'first\nsecond\n', 7, ['second'], true],
    ['is the end of a line that is too long', `${'x'.repeat(100)}end`, 5, ['xxend'], true],
    ['does not begin in the middle of a letter', 'äääää', 3, ['ä'], true],
  ])('%s', (_what, log, limit, lines, isCut) => {
    expect(excerptOf(log, { limit })).toEqual({ lines, isCut });
  });

  test('does not depend on the chunks of the log', () => {
    const log = Array.from({ length: 500 }, (_, line) => `line ${line} of the log`).join('\n');
    const inOne = excerptOf(log, { limit: 1_000, pieces: log.length });
    for (const pieces of [1, 3, 64, 999, 2_001])
      expect(excerptOf(log, { limit: 1_000, pieces })).toEqual(inOne);
    expect(inOne.lines.at(-1)).toBe('line 499 of the log');
    expect(inOne.lines.join('\n').length).toBeLessThanOrEqual(1_000);
  });
});
