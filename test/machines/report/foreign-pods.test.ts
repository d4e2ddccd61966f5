import { describe, expect, it } from '@jest/globals';
import { allReady, running } from '../three-pods.ts';

describe('pods with the labels of a job, and other names', () => {
  it.each([
    [
      1,
      'pod debug has the labels and the owner of a pod of this job, but a different name: not counted. Delete it,',
    ],
    [
      3,
      'pods debug and 2 more have the labels and the owner of a pod of this job, but a different name: not counted. Delete them,',
    ],
  ])('cause a warning while there are %d', (count, words) => {
    const run = running().receives(allReady(11).strangers(count, 'debug'));
    expect(run.status.phase).toBe('Running');
    expect(run.status.warnings).toEqual([expect.stringContaining(words)]);
    expect(run.receives(allReady(12)).status.warnings).toEqual([]);
  });
});
