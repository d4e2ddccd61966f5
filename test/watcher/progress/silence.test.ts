import { describe, expect, it } from '@jest/globals';
import type { LogOptions } from '../../../cluster/client.ts';
import type { ReadTo } from '../../../watcher/progress/followed-log.ts';
import { hasReadLog } from '../../../watcher/progress/silence.ts';
import { at, streamOf } from '../../cluster/log-streams.ts';

const source = { namespace: 'default', pod: 'resnet-worker-0', container: 'pytorch' };
const { signal } = new AbortController();

/** What the API server gives of the log. */
const isRead = (readTo: ReadTo | undefined, ...log: readonly string[]) =>
  hasReadLog({ log: async (_namespace: string, _pod: string, _: LogOptions = {}) => streamOf(log) }, source, {
    readTo,
    signal,
  });

const read = (fraction: string, lines = 1): ReadTo => ({ time: `2026-01-01T00:00:00.${fraction}Z`, lines });

describe('a log', () => {
  it.each<[string, boolean, ReadTo | undefined, readonly string[]]>([
    ['it is empty', true, undefined, []],
    ['nothing was read of it', false, undefined, [at('1', 'a')]],
    ['its last line was read', true, read('2'), [at('1', 'a'), at('2', 'b')]],
    ['a later line was not', false, read('1'), [at('1', 'a'), at('2', 'b')]],
    ['another line of the same time was not', false, read('1'), [at('1', 'a'), at('1', 'b')]],
    ['all lines of that time were', true, read('1', 2), [at('1', 'a'), at('1', 'b')]],
    ['a progress bar goes on', false, read('1', 2), ['2026-01-01T00:00:00.1Z a\rb\rc\r']],
    [
      'a progress bar was read as far as its lines end',
      true,
      read('1', 2),
      ['2026-01-01T00:00:00.1Z a\rb\rc'],
    ],
  ])('is read to its end or not, if %s: %s', async (_, expected, readTo, log) => {
    expect(await isRead(readTo, ...log)).toBe(expected);
  });
});
