import { expect, it } from '@jest/globals';
import { cacheSizeFor } from '../../worker/cache-size.ts';

const GB = 1_073_741_824;

it.each([
  ['a small container', { total: 64 * GB, limit: 0.5 * GB }, 100],
  ['a container of 1 GiB', { total: 64 * GB, limit: GB }, 838],
  ['a container of 4 GiB', { total: 64 * GB, limit: 4 * GB }, 5_753],
  ['a machine of 8 GiB', { total: 8 * GB }, 3_296],
  ['a large machine', { total: 512 * GB }, 10_000],
])('the cache of workflows fits into %s', (_, memory, size) => {
  expect(cacheSizeFor(1, memory)).toBe(size);
});

it('several processes share the memory', () => {
  expect(cacheSizeFor(4, { total: 64 * GB, limit: 4 * GB })).toBe(838);
});

it('there is room for some workflows on this machine', () => {
  expect(cacheSizeFor(1)).toBeGreaterThanOrEqual(100);
});
