import { describe, expect, it } from '@jest/globals';
import type { Pod } from '../../../contracts/kubernetes.ts';
import type { GroupFacts } from '../../../watcher/groups/group-facts.ts';
import { dropPod, newJob, storeGroup, storePod } from '../../../watcher/jobs/job.ts';
import { podFacts } from '../../../watcher/pods/pod-facts.ts';
import { aPod } from '../fixtures.ts';

const WAITING: GroupFacts = { attempt: 1, provider: 'native', gang: { scheduled: 'False' } };
const ADMITTED: GroupFacts = { ...WAITING, gang: { scheduled: 'False', admitted: true } };

const aJob = () => newJob({ namespace: 'default', uid: 'uid-1' });

describe('a group', () => {
  it('that is new waits for the pods that follow it', () => {
    expect(storeGroup(aJob(), 'group-1', WAITING)).toBe('later');
  });

  it('that is admitted is told at once', () => {
    const job = aJob();
    storeGroup(job, 'group-1', WAITING);
    expect(storeGroup(job, 'group-1', ADMITTED)).toBe('now');
  });

  it('whose pods exist is told soon', () => {
    const job = aJob();
    storePod(job, 'pod-1', podFacts(aPod({ index: 0 })));
    expect(storeGroup(job, 'group-1', WAITING)).toBe('soon');
  });

  it('that has not changed is not told', () => {
    const job = aJob();
    storeGroup(job, 'group-1', ADMITTED);
    expect(storeGroup(job, 'group-1', { ...ADMITTED, attempt: 2 })).toBeUndefined();
  });
});

describe('a pod counts as stuck', () => {
  const waits = (status: Pod['status'], node?: string) => podFacts(aPod({ node, status }));
  const unscheduled = waits({
    phase: 'Pending',
    conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message: 'no node' }],
  });
  const creating = (reason: string) =>
    waits(
      {
        phase: 'Pending',
        containerStatuses: [{ name: 'pytorch', image: 'train:1', state: { waiting: { reason } } }],
      },
      'a',
    );

  it('while it waits for what does not pass by itself', () => {
    const job = aJob();
    storePod(job, 'pod-1', unscheduled);
    storePod(job, 'pod-2', unscheduled);
    expect(job.stuck).toBe(2);
    storePod(job, 'pod-1', creating('ContainerCreating'));
    expect(job.stuck).toBe(1);
    storePod(job, 'pod-1', creating('ErrImagePull'));
    expect(job.stuck).toBe(2);
    dropPod(job, 'pod-2', unscheduled);
    expect(job.stuck).toBe(1);
  });
});
