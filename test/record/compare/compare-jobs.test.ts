import { describe, expect, it } from '@jest/globals';
import { compareValues } from '../../../contracts/differences/structure.ts';
import type { LedgerEntry, RecordedPod } from '../../../contracts/types.ts';
import { type ComparedJob, compareJobs } from '../../../record/compare/compare-jobs.ts';

describe('two documents', () => {
  it.each([
    ['the order of keys', { a: 1, b: 2 }, { b: 2, a: 1 }],
    [
      'the order of named items',
      [{ name: 'A', value: '1' }, { name: 'B' }],
      [{ name: 'B' }, { name: 'A', value: '1' }],
    ],
    [
      'the order of mounts',
      [
        { mountPath: '/a', name: 'v' },
        { mountPath: '/b', name: 'v' },
      ],
      [
        { mountPath: '/b', name: 'v' },
        { mountPath: '/a', name: 'v' },
      ],
    ],
    ['an empty mapping that the other lacks', { a: {} }, {}],
  ])('do not differ in %s', (_what, a, b) => expect(compareValues(a, b)).toEqual([]));

  it.each([
    ['a value', { x: { y: 1 } }, { x: { y: 2 } }, [{ path: 'x.y', a: 1, b: 2 }]],
    ['what one of them lacks', { x: { y: 1 } }, {}, [{ path: 'x.y', a: 1 }]],
    [
      'an item by its name',
      [{ name: 'pytorch', image: 'a' }],
      [{ name: 'pytorch', image: 'b' }],
      [{ path: '[pytorch].image', a: 'a', b: 'b' }],
    ],
    [
      'an argument by its place',
      { args: ['-x', '1'] },
      { args: ['-x', '2'] },
      [{ path: 'args[1]', a: '1', b: '2' }],
    ],
    [
      'lists of other lengths as a whole',
      { args: ['-x'] },
      { args: ['-x', '2'] },
      [{ path: 'args', a: ['-x'], b: ['-x', '2'] }],
    ],
    [
      'the order of values',
      { args: ['a', 'b'] },
      { args: ['b', 'a'] },
      [
        { path: 'args[0]', a: 'a', b: 'b' },
        { path: 'args[1]', a: 'b', b: 'a' },
      ],
    ],
    ['a list instead of a value', { x: [1] }, { x: 1 }, [{ path: 'x', a: [1], b: 1 }]],
  ])('differ in %s', (_what, a, b, expected) =>
    expect(compareValues(a, b)).toMatchObject(expected.map(({ path, ...values }) => ({ path, ...values }))),
  );
});

const manifest = (name: string, { image = 'train:1', lr = '0.1', replicas = 2, budget = 3 } = {}) => ({
  apiVersion: 'kubeflow.org/v1',
  kind: 'PyTorchJob',
  metadata: {
    name,
    annotations: { 'signalbox.dev/policy': `failures:\n  classes:\n    userCode: {budget: ${budget}}\n` },
  },
  spec: {
    pytorchReplicaSpecs: {
      Worker: {
        replicas,
        template: { spec: { containers: [{ name: 'pytorch', image, env: [{ name: 'LR', value: lr }] }] } },
      },
    },
  },
});

const entry = (seq: number, second: number, change: Partial<LedgerEntry>): LedgerEntry => ({
  ...{ seq, at: new Date(Date.UTC(2026, 10, 23, 10, 0, second)).toISOString(), attempt: 1, revision: 1 },
  ...{ to: String(change.phase), phase: 'Pending', cause: { type: 'digest' }, message: 'something' },
  ...change,
});

const FAILED = { pod: 'train-worker-0', uid: 'u1', role: 'worker', reason: 'Error', exitCode: 1 };

const pod = (node: string, imageID: string): RecordedPod => ({
  ...{ pod: 'p', uid: 'u', role: 'worker', index: 0, attempt: 1, node, phase: 'Succeeded', createdAt: '' },
  containers: [{ name: 'pytorch', image: 'train:1', imageID, restarts: 0 }],
});

const job = (change: Partial<ComparedJob> = {}): ComparedJob => ({
  ...{ workflowId: 'job/ml/train', runId: 'r1', revision: 1, manifest: manifest('train') },
  entries: [
    entry(1, 0, { phase: 'Pending' }),
    entry(2, 10, { phase: 'Running' }),
    entry(3, 40, { phase: 'Completed' }),
    entry(4, 42, { phase: 'Completed' }),
  ],
  pods: [pod('node-1', 'train@sha256:aa')],
  ...change,
});

describe('two jobs', () => {
  it('are equal if they differ only in name, times and nodes', () => {
    const other = job({
      ...{ workflowId: 'job/ml/train-2', manifest: manifest('train-2') },
      entries: job().entries.map((one, index) => entry(one.seq, index * 100, { phase: one.phase })),
      pods: [pod('node-7', 'train@sha256:aa')],
    });
    expect(compareJobs(job(), other)).toMatchObject({
      isEqual: true,
      ...{ manifest: [], policy: [], environment: [], images: [], ran: [], fate: [] },
      a: {
        nodes: { 'node-1': 1 },
        timings: { waiting: 10_000, running: 30_000, 'cleaning up': 2_000, total: 42_000 },
      },
      b: { nodes: { 'node-7': 1 } },
    });
  });

  it('differ in secrets, which are compared but not shown', () => {
    const withSecrets = (value: string, args: readonly string[]) => ({
      spec: { containers: [{ name: 'a', env: [{ name: 'HF_TOKEN', value }], args }] },
    });
    const hidden = { a: '(hidden)', b: '(hidden)' };
    const compared = compareJobs(
      job({ manifest: withSecrets('hunter2', ['--token', 'hunter2', '--lr=1']) }),
      job({ manifest: withSecrets('hunter3', ['--token', 'hunter3', '--lr=2']) }),
    );
    expect(compared).toMatchObject({
      isEqual: false,
      environment: [{ path: 'spec.containers[a].env[HF_TOKEN].value', ...hidden }],
      manifest: [
        { path: 'spec.containers[a].args[1]', ...hidden },
        { path: 'spec.containers[a].args[2]', a: '--lr=1', b: '--lr=2' },
      ],
    });
    expect(JSON.stringify(compared)).not.toContain('hunter');
    const added = compareJobs(job({ manifest: {} }), job({ manifest: withSecrets('hunter2', []) }));
    expect(JSON.stringify(added)).not.toContain('hunter');
  });

  it('differ in each part separately', () => {
    const other = job({
      manifest: manifest('train', { image: 'train:2', lr: '0.2', replicas: 4, budget: 5 }),
      pods: [pod('node-1', 'train@sha256:bb')],
    });
    const { isEqual, ...found } = compareJobs(job(), other);
    const worker = 'spec.pytorchReplicaSpecs.Worker';
    const main = `${worker}.template.spec.containers[pytorch]`;
    expect(isEqual).toBe(false);
    expect(found).toMatchObject({
      manifest: [{ path: `${worker}.replicas`, a: 2, b: 4 }],
      policy: [
        { path: 'metadata.annotations[signalbox.dev/policy].failures.classes.userCode.budget', a: 3, b: 5 },
      ],
      environment: [{ path: `${main}.env[LR].value`, a: '0.1', b: '0.2' }],
      images: [{ path: `${main}.image`, a: 'train:1', b: 'train:2' }],
      ran: [{ a: 'train@sha256:aa', b: 'train@sha256:bb' }],
      fate: [],
    });
  });

  it('differ in how they ended, and in their failures: a pod counts once', () => {
    const failed = { reason: 'PodFailed', message: 'a pod failed', phase: 'Failed' } as const;
    const other = job({
      entries: [
        entry(1, 0, { phase: 'Pending' }),
        entry(2, 10, { phase: 'Restarting', pods: [FAILED] }),
        entry(3, 12, { phase: 'Restarting', pods: [FAILED], restarts: 1 }),
        entry(4, 20, { attempt: 2, ...failed, pods: [{ ...FAILED, uid: 'u2' }] }),
      ],
    });
    const { fate, b } = compareJobs(job(), other);
    expect(b).toMatchObject({
      ...failed,
      attempts: 2,
      restarts: 1,
      timings: { waiting: 10_000, restarting: 10_000 },
    });
    expect(fate).toMatchObject([
      { path: 'phase', a: 'Completed', b: 'Failed' },
      { path: 'reason', b: 'PodFailed' },
      { path: 'attempts', a: 1, b: 2 },
      { path: 'restarts', a: 0, b: 1 },
      { path: 'failures[worker: Error, exit code 1]', b: 2 },
    ]);
  });

  it('without known pods do not differ in their pods', () => {
    expect(compareJobs(job(), job({ pods: [] })).ran).toEqual([]);
  });
});
