import { describe, expect, it } from '@jest/globals';
import { InvalidManifestError } from '../../client/errors/errors.ts';
import { planRerun } from '../../client/use-cases/rerun/rerun-manifest.ts';
import type { RerunChanges } from '../../client/use-cases/rerun/rerun-options.ts';

const TEMPLATE = { spec: { containers: [{ name: 'pytorch', image: 'train:1' }] } };

const MANIFEST = {
  apiVersion: 'kubeflow.org/v1',
  kind: 'PyTorchJob',
  metadata: {
    name: 'train',
    namespace: 'ml',
    uid: '1-2-3',
    resourceVersion: '42',
    creationTimestamp: '2026-11-20T08:00:00Z',
    managedFields: [{ manager: 'kubectl' }],
    finalizers: ['example.com/keep'],
    labels: { team: 'nlp' },
    annotations: {
      'kubectl.kubernetes.io/last-applied-configuration': '{}',
      'signalbox.dev/workflow-id': 'job/ml/train',
      'example.com/dataset': 's3://data/1',
      'signalbox.dev/inputs': '- name: data\n  uri: s3://data/1\n',
    },
  },
  spec: {
    unheardOf: true,
    pytorchReplicaSpecs: { Worker: { replicas: 2, template: TEMPLATE } },
  },
  status: { conditions: [{ type: 'Running' }] },
};

const JOB = {
  parent: { workflowId: 'job/ml/train', runId: 'run-1' },
  name: 'train',
  namespace: 'ml',
  source: {
    manifest: MANIFEST,
    settings: { namespace: 'ml', conventions: { kubectlImage: 'kubectl' }, gangWarnings: [] },
    extendedSeconds: 0,
    revisions: [
      { number: 2, replicas: { Worker: 3 } },
      { number: 3, replicas: { Worker: 3 }, policy: 'scaleByRestart: true\n' },
    ],
  },
};

const plan = (changes: RerunChanges = {}) => planRerun(JOB, { strict: false, ...changes });

async function faultsOf(changes: RerunChanges): Promise<readonly string[]> {
  const error = await plan(changes).catch((refused: unknown) => refused);
  if (!(error instanceof InvalidManifestError)) throw error;
  return error.faults.map(({ path, expected, got }) => `${path}: expected ${expected}, got ${got}`);
}

describe('the manifest of a rerun', () => {
  it('is the submitted one, without what servers and programs added', async () => {
    expect(await plan()).toMatchObject({ parent: JOB.parent, namespace: 'ml', revision: 1, revisions: 3 });
    expect((await plan()).manifest).toEqual({
      apiVersion: 'kubeflow.org/v1',
      kind: 'PyTorchJob',
      metadata: {
        name: 'train',
        namespace: 'ml',
        labels: { team: 'nlp' },
        annotations: {
          'example.com/dataset': 's3://data/1',
          'signalbox.dev/inputs': '- name: data\n  uri: s3://data/1\n',
        },
      },
      spec: MANIFEST.spec,
    });
  });

  it('has sizes and policy of the selected revision, and no defaults of the engine', async () => {
    const { manifest, parent } = await plan({ revision: 3 });
    expect(parent).toEqual({ ...JOB.parent, revision: 3 });
    expect(manifest).toMatchObject({
      metadata: { annotations: { 'signalbox.dev/policy': 'scaleByRestart: true\n' } },
      spec: { unheardOf: true, pytorchReplicaSpecs: { Worker: { replicas: 3, template: TEMPLATE } } },
    });
  });

  it('has the requested changes and name', async () => {
    const { manifest } = await plan({
      name: 'train-2',
      set: {
        'spec.pytorchReplicaSpecs.worker.replicas': 4,
        'spec.pytorchReplicaSpecs.Worker.template.spec.containers[pytorch].image': 'train:2',
        'spec.runPolicy.backoffLimit': 3,
      },
    });
    expect(manifest).toMatchObject({
      metadata: { name: 'train-2' },
      spec: {
        runPolicy: { backoffLimit: 3 },
        pytorchReplicaSpecs: {
          Worker: { replicas: 4, template: { spec: { containers: [{ image: 'train:2' }] } } },
        },
      },
    });
  });

  it('keeps the name that a schedule gave the job', async () => {
    const { name: _, ...metadata } = MANIFEST.metadata;
    const manifest = { ...MANIFEST, metadata: { ...metadata, generateName: 'nightly-' } };
    const job = { ...JOB, name: 'nightly-20261122-043602', source: { ...JOB.source, manifest } };
    expect((await planRerun(job, { strict: false })).manifest).toMatchObject({
      metadata: { name: 'nightly-20261122-043602', namespace: 'ml' },
    });
  });
});

describe('the manifest of a rerun with faults', () => {
  const worker = 'spec.pytorchReplicaSpecs.Worker';

  it.each([
    [
      'an unknown field of the recorded manifest, unless it is accepted',
      { strict: true },
      'spec.unheardOf: expected a known field, got true',
    ],
    [
      'a variable that is written as a path',
      { set: { 'env.lr': 0.5 } },
      'env.lr: expected a variable by its name alone: --set lr=…, or --env lr=… of a rerun, got 0.5',
    ],
    [
      'a number where a text is needed',
      { set: { 'metadata.labels.step': 0.7 } },
      `metadata.labels.step: expected a string (--set 'metadata.labels.step="0.7"'), got 0.7`,
    ],
    ['a revision that is not on record', { revision: 4 }, 'revision: expected one of 1, 2, 3, got 4'],
    [
      'a wrong type',
      { set: { [`${worker}.replicas`]: 'four' } },
      `${worker}.replicas: expected an integer, got "four"`,
    ],
    [
      'a misspelt field',
      { set: { [`${worker}.replcas`]: 4 } },
      `${worker}.replcas: expected a known field (did you mean replicas?), got 4`,
    ],
    [
      'a misspelt field of a pod',
      { set: { [`${worker}.template.spec.nodeSelektor.zone`]: 'a' } },
      `${worker}.template.spec.nodeSelektor: expected a field of pods that Kubernetes 1.36 knows (did you mean nodeSelector?), got an object`,
    ],
    [
      'an unknown field of the policy',
      { set: { 'metadata.annotations[signalbox.dev/policy].restart.backof.max': '5m' } },
      'metadata.annotations[signalbox.dev/policy].restart.backof: expected a known field (did you mean backOff?), got an object',
    ],
    [
      'a name that is none',
      { name: 'Train_2' },
      'metadata.name: expected a DNS label: lower-case letters, digits and -, starting with a letter, got "Train_2"',
    ],
  ])('is refused for %s', async (_what, changes, fault) => expect(await faultsOf(changes)).toEqual([fault]));

  it('keeps unknown fields of the recorded manifest', async () => {
    await expect(plan({ set: { 'metadata.labels.team': 'cv' } })).resolves.toBeDefined();
  });
});

describe('the variables of a rerun', () => {
  const container = (more: object) => ({ name: 'pytorch', image: 'train:1', ...more });
  const roles = {
    Master: { template: { spec: { containers: [container({ args: ['--lr=$(lr)'] })] } } },
    Worker: {
      template: {
        spec: {
          containers: [container({ env: [{ name: 'lr', value: '0.1' }] })],
          initContainers: [{ name: 'fetch', image: 'fetch:1' }],
        },
      },
    },
  };
  const manifest = { ...MANIFEST, spec: { pytorchReplicaSpecs: roles } };
  const environmentsOf = async (changes: RerunChanges) => {
    const job = { ...JOB, source: { ...JOB.source, manifest } };
    const planned = await planRerun(job, { strict: false, ...changes });
    const { Master, Worker } = (planned.manifest as typeof manifest).spec.pytorchReplicaSpecs;
    return [
      ...[...Master.template.spec.containers, ...Worker.template.spec.containers],
      ...Worker.template.spec.initContainers,
    ].map((one) => (one as { env?: object }).env);
  };

  it('with a plain name are set in the containers of all roles that use them, as in a sweep', async () => {
    const set = [{ name: 'lr', value: '0.05' }];
    expect(await environmentsOf({ set: { lr: 0.05 } })).toEqual([set, set, undefined]);
    expect(await environmentsOf({ set: [{ path: 'lr', value: '0.05' }] })).toEqual([set, set, undefined]);
  });

  it('of env are set in every container, and set may follow', async () => {
    const all = await environmentsOf({ env: { SEED: 7 }, set: { SEED: 8, lr: '1' } });
    const seed = { name: 'SEED', value: '8' };
    const lr = { name: 'lr', value: '1' };
    expect(all).toEqual([[lr, seed], [seed, lr], [seed]]);
  });

  it('that no container uses, or that can have no such name or value, are refused', async () => {
    expect(await faultsOf({ set: { lr: 0.05 } })).toEqual([
      'set.lr: expected $(lr) in command, args or env, or a variable lr in env (add one if only the program reads it), got a name that no container uses',
    ]);
    expect(await faultsOf({ env: { '1st': '' }, set: { '2nd': 1 } })).toEqual([
      'env: expected names of letters, digits, _, - and ., no digit first, got 1st',
      'set.2nd: expected the name of a variable: letters, digits and _, no digit first, or the path of a field, got 2nd',
    ]);
    expect(await faultsOf({ env: { lr: '1' }, set: { lr: null } })).toEqual([
      'set.lr: expected a text, a number, true or false, got null',
    ]);
  });
});
