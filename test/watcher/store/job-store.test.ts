import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Pod, PodStatus } from '../../../contracts/kubernetes.ts';
import { anchorFacts } from '../../../watcher/anchors/anchor-facts.ts';
import { JobStore } from '../../../watcher/store/job-store.ts';
import { anAnchor, aPod, ended, failed, READY, RUNNING } from '../fixtures.ts';

/** A job whose pods come and go faster than its workflow is told. */

let jobs: JobStore;
let resourceVersion: number;

beforeEach(() => {
  jobs = new JobStore();
  resourceVersion = 10;
  jobs.anchorsIn().changed(anAnchor(), resourceVersion);
});

const sees = (pod: Pod) => jobs.podsIn().changed(pod, ++resourceVersion);
const loses = (pod: Pod) => jobs.podsIn().deleted(pod, ++resourceVersion);
const digest = () =>
  jobs.digestOf(jobs.job({ namespace: 'default', uid: 'anchor-1' })!, anchorFacts(anAnchor())!);

const DELETED = { deletedAt: '2026-01-01T00:05:30Z', graceSeconds: 30 };
const exits = (exitCode: number, finishedAt = '2026-01-01T00:05:01Z'): PodStatus => ({
  phase: exitCode === 0 ? 'Succeeded' : 'Failed',
  containerStatuses: [ended('pytorch', exitCode, { finishedAt })],
});

describe('a deleted pod', () => {
  it('is reported with its last status', () => {
    sees(aPod({ node: 'gpu-1', status: RUNNING }));
    loses(aPod({ node: 'gpu-1', status: exits(0), ...DELETED }));
    expect(digest()).toMatchObject({
      attempt: 0,
      failures: [],
      vanished: [
        {
          pod: 'resnet-worker-0',
          uid: 'resnet-worker-0-1',
          role: 'worker',
          index: 0,
          node: 'gpu-1',
          container: 'pytorch',
          exitCode: 0,
          reason: 'Deleted',
          interruptedBy: 'deletion',
        },
      ],
    });
  });

  it('was deleted, if its end was not seen', () => {
    sees(aPod({ node: 'gpu-1', status: READY }));
    jobs.podsIn().replaced([], ++resourceVersion);
    expect(digest().vanished).toEqual([
      expect.objectContaining({ reason: 'Deleted', interruptedBy: 'deletion', exitCode: undefined }),
    ]);
  });

  it('has failed by itself, if it had failed before', () => {
    sees(aPod({ status: failed(ended('pytorch', 42)) }));
    loses(aPod({ status: failed(ended('pytorch', 42)), ...DELETED }));
    const [reported] = digest().vanished!;
    expect(reported).toMatchObject({ reason: 'Error', exitCode: 42 });
    expect(reported?.interruptedBy).toBeUndefined();
  });

  it('has succeeded, if it had succeeded before', () => {
    sees(aPod({ index: 0, status: RUNNING }));
    sees(aPod({ index: 1, status: RUNNING }));
    loses(aPod({ index: 1, status: exits(0, '2026-01-01T00:04:00Z'), ...DELETED }));
    expect(digest().roles.worker).toMatchObject({
      scheduled: 0,
      ready: 1,
      succeeded: 0,
      succeededIndices: '1',
    });
    expect(digest().vanished).toBeUndefined();
  });

  it('is dropped when another one has its name', () => {
    sees(aPod({ status: RUNNING }));
    loses(aPod({ status: exits(0, '2026-01-01T00:04:00Z'), ...DELETED }));
    sees(aPod({ uid: 'another', status: READY }));
    expect(digest().roles.worker).toMatchObject({ ready: 1, succeededIndices: '' });
    sees(aPod({ uid: 'another', status: exits(1), ...DELETED }));
    loses(aPod({ uid: 'another', status: exits(1), ...DELETED }));
    sees(aPod({ uid: 'a third', status: READY }));
    expect(digest().vanished).toBeUndefined();
  });

  it('is not reported for a later attempt', () => {
    sees(aPod({ index: 0, status: RUNNING }));
    sees(aPod({ index: 1, status: RUNNING }));
    loses(aPod({ index: 0, status: exits(0), ...DELETED }));
    loses(aPod({ index: 1, status: exits(0), ...DELETED }));
    sees(aPod({ index: 0, attempt: 2, status: READY }));
    expect(digest()).toMatchObject({ attempt: 2, vanished: undefined });
  });

  it('is reported with its attempt while no pod is there, so that the next attempt can ignore it', () => {
    sees(aPod({ status: exits(0) }));
    loses(aPod({ status: exits(0), ...DELETED }));
    expect(digest()).toMatchObject({ attempt: 0, goneOf: 1, roles: { worker: { succeededIndices: '0' } } });
    sees(aPod({ attempt: 2, status: READY }));
    expect(digest()).toMatchObject({
      attempt: 2,
      goneOf: undefined,
      roles: { worker: { succeededIndices: '' } },
    });
  });

  it('is dropped when the job has ended', () => {
    sees(aPod({ status: RUNNING }));
    loses(aPod({ status: exits(0), ...DELETED }));
    jobs.anchorsIn().changed(anAnchor({ phase: 'Completed' }), ++resourceVersion);
    sees(aPod({ index: 1, status: RUNNING }));
    loses(aPod({ index: 1, status: exits(0), ...DELETED }));
    expect(jobs.job({ namespace: 'default', uid: 'anchor-1' })?.vanished.size).toBe(0);
  });
});

describe('a job whose anchor claims that it has ended', () => {
  const claim = (phase = 'Completed') => jobs.anchorsIn().changed(anAnchor({ phase }), ++resourceVersion);
  const completed = () => anchorFacts(anAnchor({ phase: 'Completed' }))!;
  const open = () => jobs.openAnchors().map(({ phase, final }) => ({ phase, final }));

  it('is still followed if that is not true, also when the anchor changes again', () => {
    claim();
    expect(open()).toEqual([]);
    jobs.refuteEnd(completed());
    expect(open()).toEqual([{ phase: 'Completed', final: false }]);
    expect(jobs.endedAnchors()).toEqual([]);
    claim('Failed');
    expect(open()).toEqual([{ phase: 'Failed', final: false }]);
  });

  it('has ended once that is true', () => {
    claim();
    jobs.refuteEnd(completed());
    jobs.believeEnd(completed());
    expect(open()).toEqual([]);
    expect(jobs.endedAnchors()).toMatchObject([{ phase: 'Completed', final: true }]);
  });
});
