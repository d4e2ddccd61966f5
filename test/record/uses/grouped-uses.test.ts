import { describe, expect, it } from '@jest/globals';
import { groupedUses, type UsingJob } from '../../../record/uses/grouped-uses.ts';
import type { DeviceUse } from '../../../record/uses/job-uses.ts';

const use = (day: string, ms: number, more: Partial<DeviceUse> = {}): DeviceUse => ({
  ...{ day, attempt: 1, use: 'productive', resource: 'nvidia.com/gpu', ms, assumedMs: 0 },
  ...more,
});
const job = (
  name: string,
  user: string | null,
  labels: UsingJob['labels'],
  ...uses: DeviceUse[]
): UsingJob => ({
  ...{ namespace: 'ml', name, kind: 'PyTorchJob', user, labels, uses },
});
const JOBS = [
  job(
    'a',
    'ana',
    { team: 'vision' },
    use('2026-11-01', 100),
    use('2026-11-02', 50, { use: 'repeated', cause: 'userCode' }),
  ),
  job('b', 'bob', { team: 'vision' }, use('2026-11-02', 500)),
  job('c', null, {}, use('2026-11-02', 7, { use: 'unknown' })),
];
const briefly = (...keys: string[]) =>
  groupedUses(JOBS, keys, undefined).map(({ by, jobs, resources }) => [
    ...Object.values(by),
    jobs,
    resources[0]!.ms,
  ]);

describe('uses of many jobs', () => {
  it('are grouped by a label, the most first, also those of jobs without it', () => {
    expect(briefly('team')).toEqual([
      ['vision', 2, 650],
      [null, 1, 7],
    ]);
    expect(briefly('label:team')).toEqual([
      ['vision', 2, 650],
      [null, 1, 7],
    ]);
    // As a label may have any name.
    expect(briefly('constructor')).toEqual([[null, 3, 657]]);
  });

  it('are grouped by several keys', () => {
    expect(briefly('user', 'use')).toEqual([
      ['bob', 'productive', 1, 500],
      ['ana', 'productive', 1, 100],
      ['ana', 'repeated', 1, 50],
      [null, 'unknown', 1, 7],
    ]);
    expect(briefly('day', 'cause').map((row) => row.at(-1))).toEqual([507, 100, 50]);
  });

  it('have the goodput of their sums, not the mean of their parts', () => {
    const [team] = groupedUses(JOBS, ['team'], undefined);
    expect(team!.resources[0]!.goodput).toEqual({ least: 600 / 650, most: 600 / 650 });
  });
});
