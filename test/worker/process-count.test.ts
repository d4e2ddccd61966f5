import { expect, it } from '@jest/globals';
import { processCount } from '../../worker/process-count.ts';

const GB = 1_073_741_824;

it.each([
  ['a machine of 16 cores and 128 GiB', { cores: 16, memory: { total: 128 * GB } }, 16],
  ['a machine of 16 cores and 8 GiB', { cores: 16, memory: { total: 8 * GB } }, 4],
  ['a container of 4 cores and 4 GiB', { cores: 4, memory: { total: 128 * GB, limit: 4 * GB } }, 4],
  ['a container of 4 cores and 1 GiB', { cores: 4, memory: { total: 128 * GB, limit: GB } }, 1],
  ['a small container', { cores: 1, memory: { total: 128 * GB, limit: 0.5 * GB } }, 1],
])('auto: one process for each core, if it fits into %s', (_, machine, count) => {
  expect(processCount('auto', machine)).toBe(count);
});

it('a number is taken as it is', () => {
  expect(processCount(3, { cores: 1, memory: { total: GB } })).toBe(3);
});
