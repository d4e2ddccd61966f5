import { describe, expect, it } from '@jest/globals';
import type { GroupFacts } from '../../../watcher/groups/group-facts.ts';
import { newJob, storeGroup, storePod } from '../../../watcher/jobs/job.ts';
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
