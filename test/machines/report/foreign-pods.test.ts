import { describe, expect, it } from '@jest/globals';
import { allReady, running } from '../three-pods.ts';

describe('pods that have the labels of a job, and not the names', () => {
  it.each([
    [
      1,
      'pod debug has the labels and the owner of a pod of this job, but a different name: not counted. Delete it,',
    ],
    [
      3,
      'pods debug and 2 more have the labels and the owner of a pod of this job, but a different name: not counted. Delete them,',
    ],
  ])('are warned of while there are %d', (count, words) => {
    const life = running().hears(allReady(11).strangers(count, 'debug'));
    expect(life.status.phase).toBe('Running');
    expect(life.status.warnings).toEqual([expect.stringContaining(words)]);
    expect(life.hears(allReady(12)).status.warnings).toEqual([]);
  });
});
