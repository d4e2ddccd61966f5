import { beforeEach, expect, it } from '@jest/globals';
import { asyncLocalStorage, type Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import { amend, restoreRevision } from '../../activities/amend.ts';
import type { Dependencies } from '../../activities/support/dependencies.ts';
import { asFailure } from '../../activities/support/failures.ts';
import { JobCache } from '../../activities/support/job-cache.ts';
import type { SourceAnswer } from '../../contracts/job-revision.ts';
import { aManifest } from '../frameworks/manifests.ts';

type AmendActivityRequest = Parameters<typeof amend>[1];

const manifest = aManifest();
const { namespace, conventions } = manifest.job();
const source: SourceAnswer = {
  manifest: manifest.build(),
  settings: { namespace, conventions, gangWarnings: [] },
  revision: 1,
  newest: 1,
};
const TARGET = { namespace: 'ml', name: 'resnet', anchorUid: 'anchor-1' };

let patches: object[];

beforeEach(() => {
  patches = [];
});

const dependencies = () =>
  ({
    jobs: new JobCache(),
    temporal: { workflow: { getHandle: () => ({ query: async () => source }) } },
    cluster: { patch: async (...call: unknown[]) => void patches.push(call[2] as object) },
  }) as unknown as Dependencies;

const running = <T>(work: () => Promise<T>): Promise<T> => {
  const context = { info: { workflowExecution: { workflowId: 'job/ml/resnet', runId: 'run-1' } } };
  return asyncLocalStorage.run(context as unknown as Context, work);
};

const amended = (changes: Partial<AmendActivityRequest>) =>
  running(() => amend(dependencies(), { ...TARGET, ...changes }));

it('returns the plan of the next revision, and writes its job to the anchor', async () => {
  const { plan, revision } = await amended({ replicas: { worker: 3 } });
  expect(plan.roles.map(({ replicas }) => replicas)).toEqual([1, 3]);
  expect(revision).toMatchObject({ number: 2, warnings: [] });
  const [{ metadata, data }] = patches as [{ metadata: object; data: { job: string } }];
  expect(metadata).toEqual({
    uid: 'anchor-1',
    labels: { 'signalbox.dev/anchor': 'true', 'signalbox.dev/job': 'resnet' },
    annotations: {
      'signalbox.dev/deciding-pod': 'resnet-master-0',
      'signalbox.dev/milestones': '4',
      'signalbox.dev/watch': null,
    },
  });
  expect(JSON.parse(data.job)).toMatchObject({ revision: 2, roles: [{ replicas: 1 }, { replicas: 3 }] });
});

it('writes the changed log pattern for the watcher', async () => {
  const { revision } = await amended({ policy: { progress: { log: 'step (\\d+)' } } });
  expect(revision.policy).toContain('step');
  const [{ metadata }] = patches as [{ metadata: { annotations: Record<string, string> } }];
  expect(JSON.parse(metadata.annotations['signalbox.dev/watch']!)).toMatchObject({
    progress: { log: 'step (\\d+)' },
  });
});

it('is not retried with spares that Kueue would not count', async () => {
  const failure = await amended({ policy: { spares: { count: 1 } }, gang: 'kueue' }).catch(asFailure);
  expect(failure).toMatchObject({
    nonRetryable: true,
    message: expect.stringContaining('expected no spares in a job that Kueue admits'),
  });
  expect(patches).toEqual([]);
});

it('is not retried with sizes that the job cannot have; the failure lists every fault', async () => {
  const failure = await amended({ replicas: { Worker: 0 } }).catch(asFailure);
  expect(failure).toBeInstanceOf(ApplicationFailure);
  expect(failure).toMatchObject({
    type: 'InvalidManifest',
    nonRetryable: true,
    details: [[{ path: 'spec.pytorchReplicaSpecs.Worker.replicas', expected: 'an integer >= 1', got: '0' }]],
  });
  expect(patches).toEqual([]);
});

it('restores everything that a refused amendment wrote', async () => {
  await amended({ replicas: { worker: 3 }, policy: { progress: { log: 'step (\\d+)' } } });
  await running(() => restoreRevision(dependencies(), TARGET));
  const [, { metadata, data }] = patches as [object, { metadata: object; data: { job: string } }];
  expect(metadata).toEqual({
    uid: 'anchor-1',
    labels: { 'signalbox.dev/anchor': 'true', 'signalbox.dev/job': 'resnet' },
    annotations: {
      'signalbox.dev/deciding-pod': 'resnet-master-0',
      'signalbox.dev/milestones': '3',
      'signalbox.dev/watch': null,
    },
  });
  expect(JSON.parse(data.job)).toMatchObject({ revision: 1, roles: [{ replicas: 1 }, { replicas: 2 }] });
});
