import { describe, expect, it } from '@jest/globals';
import { MOST_FAILURES, type PodFailure } from '../../../contracts/digest.ts';
import { summarizeFailures } from '../../../watcher/pods/failed-pods.ts';

const failed = (index: number, exitCode: number | undefined, more: Partial<PodFailure> = {}) => ({
  failure: {
    pod: `resnet-worker-${index}`,
    uid: `uid-${index}`,
    role: 'worker',
    index,
    exitCode,
    reason: 'Error',
    ...more,
  },
  // One second after the other.
  finishedAt: new Date(1_767_225_600_000 + index * 1000).toISOString(),
});

const many = (count: number, exitCodeOf: (index: number) => number | undefined) =>
  Array.from({ length: count }, (_, index) => failed(index, exitCodeOf(index)));

describe('failures in a digest', () => {
  it('are all described while they are few', () => {
    const { failures, moreFailures } = summarizeFailures(many(MOST_FAILURES, () => 137).toReversed());
    expect(failures.map(({ index }) => index)).toEqual([...Array(MOST_FAILURES).keys()]);
    expect(moreFailures).toBeUndefined();
  });

  it.each([150, 1_000, 5_000])('take little space if they are %d', (count) => {
    const summary = summarizeFailures(many(count, () => 137));
    expect(summary.failures).toHaveLength(MOST_FAILURES);
    expect(summary.moreFailures).toEqual([
      { role: 'worker', exitCode: 137, reason: 'Error', indices: `100-${count - 1}` },
    ]);
  });

  it('include the last one if it is the only one of its kind', () => {
    const summary = summarizeFailures(many(1_000, (index) => (index === 999 ? 1 : 137)));
    expect(summary.failures).toHaveLength(MOST_FAILURES);
    expect(summary.failures.at(-1)).toMatchObject({ index: 999, exitCode: 1 });
    expect(summary.moreFailures).toEqual([
      { role: 'worker', exitCode: 137, reason: 'Error', indices: '99-998' },
    ]);
  });

  it('differ in kind by their role, their exit code, or the lack of one, and their reason', () => {
    const two = (more: Partial<PodFailure>, from: number) =>
      [0, 1].map((index) => failed(from + index, 137, more));
    const all = [
      ...two({}, 0),
      ...two({ role: 'ps' }, 2),
      ...two({ exitCode: undefined }, 4),
      ...two({ reason: 'OOMKilled' }, 6),
    ];
    const { failures, moreFailures } = summarizeFailures(all, 4);
    expect(failures.map(({ index }) => index)).toEqual([0, 2, 4, 6]);
    expect(moreFailures?.map(({ indices }) => indices)).toEqual(['1', '3', '5', '7']);
  });

  it('of more kinds than fit are left for a later digest', () => {
    const { failures, moreFailures } = summarizeFailures(
      many(30, (index) => 1 + (index % 10)),
      4,
    );
    expect(failures.map(({ index }) => index)).toEqual([0, 1, 2, 3]);
    expect(moreFailures?.map(({ indices }) => indices)).toEqual(['10,20', '11,21', '12,22', '13,23']);
  });

  it('take at most 30 KB more, for any mix of kinds', () => {
    const summary = summarizeFailures(many(5_000, (index) => 1 + (index % 200)));
    expect(JSON.stringify(summary.moreFailures).length).toBeLessThan(32 * 1024);
  });
});
