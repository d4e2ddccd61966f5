import { describe, expect, it } from '@jest/globals';
import { LeftOver } from '../../../watcher/jobs/left-over.ts';
import { JobStore } from '../../../watcher/store/job-store.ts';
import { anAnchor, aPod, READY } from '../fixtures.ts';

function storeOf(...pods: readonly Parameters<typeof aPod>[0][]): JobStore {
  const jobs = new JobStore();
  for (const pod of pods) jobs.podsIn().changed(aPod({ status: READY, hasLostOwner: true, ...pod }), 1);
  return jobs;
}

const inTwoRounds = (jobs: JobStore) => {
  const leftOver = new LeftOver();
  return [leftOver.find(jobs.jobs), leftOver.find(jobs.jobs)];
};

describe('pods without the reference to their anchor', () => {
  it('are left over if the anchor has not come until the next round', () => {
    const anchor = { namespace: 'default', name: 'resnet.signalbox', uid: 'anchor-1' };
    const left = [{ ...anchor, workflowId: 'job/default/resnet' }];
    expect(inTwoRounds(storeOf({}, { index: 1 }))).toEqual([[], left]);
  });

  it('are left over once their anchor is gone', () => {
    const jobs = storeOf({});
    jobs.anchorsIn().changed(anAnchor(), 2);
    expect(inTwoRounds(jobs)).toEqual([[], []]);
    jobs.anchorGone([...jobs.jobs][0]!.anchor!);
    expect(inTwoRounds(jobs)[1]).toMatchObject([{ uid: 'anchor-1' }]);
  });

  it.each([
    ['name an owner: garbage collection decides', { hasLostOwner: false }],
    ['are being deleted', { deletedAt: '2026-01-01T00:05:30Z' }],
  ])('are not, if they %s', (_what, pod) => {
    expect(inTwoRounds(storeOf(pod))).toEqual([[], []]);
  });

  it('are not, if their names are those of copies', () => {
    expect(inTwoRounds(storeOf({ name: 'resnet-worker-0-debug' }))).toEqual([[], []]);
  });
});
