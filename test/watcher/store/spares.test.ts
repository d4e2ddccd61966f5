import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Pod } from '../../../contracts/kubernetes.ts';
import type { WatchedJob } from '../../../watcher/jobs/job.ts';
import { LatePods } from '../../../watcher/jobs/late-pods.ts';
import { JobStore } from '../../../watcher/store/job-store.ts';
import { anAnchor, aPod, READY } from '../fixtures.ts';

let jobs: JobStore;

const aSpare = (choice: Parameters<typeof aPod>[0] = {}): Pod => {
  const { metadata, ...pod } = aPod({ role: 'spare', attempt: 0, node: 'a', status: READY, ...choice });
  const { 'signalbox.dev/pod': _pod, 'signalbox.dev/attempt': _attempt, ...labels } = metadata.labels!;
  return { ...pod, metadata: { ...metadata, labels } };
};

beforeEach(() => {
  jobs = new JobStore();
  jobs.anchorsIn().changed(anAnchor({ phase: 'Running' }), 1);
  jobs.podsIn().changed(aPod({ status: READY }), 2);
});

const theJob = (): WatchedJob => [...jobs.jobs][0]!;
const digest = () => jobs.digestOf(theJob(), theJob().anchor!);

describe('spares, in a digest', () => {
  it('are told apart from pods: nothing counts them', () => {
    const before = digest();
    jobs.podsIn().changed(aSpare(), 3);
    const { spares, resourceVersions, ...after } = digest();
    expect(spares).toEqual([{ pod: 'resnet-spare-0', uid: 'resnet-spare-0-0', node: 'a', state: 'ready' }]);
    const { resourceVersions: _, spares: none, ...others } = before;
    expect(none).toBeUndefined();
    expect(after).toEqual(others);
    expect(resourceVersions.pods).toBe(3);
  });

  it('are spares whatever somebody writes on them', () => {
    const spare = aSpare();
    const labels = {
      ...spare.metadata.labels,
      'signalbox.dev/pod': spare.metadata.name,
      'signalbox.dev/role': 'worker',
    };
    jobs.podsIn().changed({ ...spare, metadata: { ...spare.metadata, labels } }, 3);
    expect(digest()).toMatchObject({ spares: [{ state: 'ready' }], roles: { worker: { ready: 1 } } });
  });

  it.each([
    ['waiting', { status: { phase: 'Pending' } }],
    ['leaving', { deletedAt: '2026-01-01T00:05:30Z' }],
    ['ended', { status: { phase: 'Failed', reason: 'Evicted' } }],
  ] as const)('are %s', (state, choice) => {
    jobs.podsIn().changed(aSpare(choice), 3);
    expect(digest().spares).toMatchObject([{ state }]);
  });

  it('are gone once they are deleted, or a list lacks them', () => {
    jobs.podsIn().changed(aSpare(), 3);
    jobs.podsIn().deleted(aSpare(), 4);
    expect(digest().spares).toBeUndefined();
    expect(digest().vanished).toBeUndefined();
    jobs.podsIn().changed(aSpare(), 5);
    jobs.podsIn().replaced([aPod({ status: READY })], 6);
    expect(digest().spares).toBeUndefined();
  });

  it('are told with the trouble of their nodes', () => {
    jobs.podsIn().changed(aSpare(), 3);
    const told: WatchedJob[] = [];
    jobs.on('changed', (job) => told.push(job));
    const conditions = [
      { type: 'Ready', status: 'False' as const, lastTransitionTime: '2026-01-01T00:00:00Z' },
    ];
    const node = {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name: 'a' },
      spec: {},
      status: { conditions },
    };
    jobs.nodes.handlers.changed(node, 4);
    expect(told).toHaveLength(1);
    expect(digest().spares).toMatchObject([{ isEndangered: true }]);
  });
});

it('a spare of an ended job is late, whatever else its clean-up keeps', () => {
  const { metadata, ...anchor } = anAnchor({ phase: 'Completed' });
  const annotations = { ...metadata.annotations, 'signalbox.dev/clean-up': 'None' };
  jobs.anchorsIn().changed({ ...anchor, metadata: { ...metadata, annotations } }, 3);
  const late = new LatePods();
  const find = () => late.findJobs(jobs.jobs).length;
  expect([find(), find()]).toEqual([0, 0]);
  jobs.podsIn().changed(aSpare(), 4);
  expect([find(), find()]).toEqual([0, 1]);
});
