import { describe, expect, it } from '@jest/globals';
import { InvalidManifestError } from '../../../../client/errors/errors.ts';
import {
  jaxJob,
  mpiJob,
  mpiJobV2,
  paddleJob,
  paddleOperatorJob,
  pytorchJob,
  type TrainingManifest,
  tfJob,
  trainJob,
  volcanoJob,
  xgboostJob,
} from '../../../../client/index.ts';
import { renderJob } from '../../../../client/manifests/offline/render.ts';
import { validateManifest } from '../../../../client/manifests/offline/validate.ts';
import type { Pod } from '../../../../contracts/kubernetes.ts';
import { FRAMEWORKS } from '../../../../frameworks/kinds/registry.ts';
import { faultsOfManifest } from '../../../frameworks/schemas/validators.ts';
import { JOB_OPTIONS, POD_OPTIONS, SHARED_OPTIONS, SMALLEST } from './options.ts';

const BUILDERS = {
  ...{
    jaxJob,
    mpiJob,
    mpiJobV2,
    paddleJob,
    paddleOperatorJob,
    pytorchJob,
    tfJob,
    trainJob,
    volcanoJob,
    xgboostJob,
  },
};
type Build = (options: Record<string, unknown>) => TrainingManifest;
const every = Object.entries(BUILDERS).map(([name, build]) => ({ name, build: build as unknown as Build }));

/** Returns the pods that a manifest creates. */
async function podsOf(manifest: unknown): Promise<readonly Pod[]> {
  const { objects } = await renderJob(manifest);
  return objects.filter(({ kind }) => kind === 'Pod') as unknown as readonly Pod[];
}

const namesOf = (pods: readonly Pod[]) => pods.map(({ metadata }) => metadata.name);
const environmentOf = ({ spec }: Pod) =>
  Object.fromEntries((spec.containers[0]!.env ?? []).map(({ name, value }) => [name, value]));

describe('a builder', () => {
  it('exists for every kind that is a resource', () => {
    const built = every
      .map(({ build }) => build(SMALLEST))
      .map(({ apiVersion, kind }) => `${apiVersion} ${kind}`);
    expect(built.sort()).toEqual(FRAMEWORKS.map(({ apiVersion, kind }) => `${apiVersion} ${kind}`).sort());
  });
});

describe.each(every)('$name', ({ name, build }) => {
  const isOfKubeflow = !['paddleOperatorJob', 'trainJob', 'volcanoJob'].includes(name);
  const ofPods = name === 'trainJob' ? SHARED_OPTIONS : POD_OPTIONS;
  const whole = isOfKubeflow ? JOB_OPTIONS : ofPods;

  it.each([
    ['the fewest options', SMALLEST],
    ['all common options', whole],
    ['one node', { ...SMALLEST, nodes: 1 }],
  ])('builds a manifest that has no fault and no warning, from %s', (_, options) => {
    const manifest = build(options);
    expect(faultsOfManifest(manifest)).toEqual([]);
    const { faults, warnings } = validateManifest(manifest, { strict: true });
    expect({ faults, warnings }).toEqual({ faults: [], warnings: [] });
    expect(JSON.parse(JSON.stringify(manifest))).toEqual(manifest);
  });

  it('gives its pods the requested options', async () => {
    const pods = await podsOf(build({ ...whole, suspend: undefined }));
    const pod = pods.find(({ spec }) => spec.containers[0]!.resources !== undefined && hasGpus(spec))!;
    expect(pods.filter(({ spec }) => hasGpus(spec))).toHaveLength(3);
    expect(pod.spec).toMatchObject({
      nodeSelector: POD_OPTIONS.nodeSelector,
      volumes: expect.arrayContaining([
        { name: 'volume-0', persistentVolumeClaim: { claimName: 'imagenet' } },
        { name: 'shm', emptyDir: { medium: 'Memory', sizeLimit: '16Gi' } },
      ]),
    });
    expect(pod.spec.containers[0]).toMatchObject({
      image: POD_OPTIONS.image,
      resources: {
        requests: { cpu: 4, memory: '64Gi', 'nvidia.com/gpu': 8 },
        limits: { memory: '64Gi', 'nvidia.com/gpu': 8 },
      },
      volumeMounts: expect.arrayContaining([
        { name: 'volume-0', mountPath: '/data' },
        { name: 'shm', mountPath: '/dev/shm' },
      ]),
    });
    expect(environmentOf(pod)).toMatchObject({ NCCL_DEBUG: 'INFO' });
    const trains = pods.filter(({ spec }) => spec.containers[0]!.command?.[0] === 'python3');
    expect(trains.length).toBeGreaterThan(0);
  });

  it('fails when its program crashes, unless an option requests restarts', () => {
    const planned = (options: object) => {
      const { job } = validateManifest(build({ ...SMALLEST, ...options }));
      const limit = job!.plan.runPolicy.backoffLimit;
      const roles = Object.values(job!.plan.roles).filter(
        ({ name: role }) => role === 'Launcher' || !/MPI/.test(job!.kind),
      );
      return { limit, policies: [...new Set(roles.map(({ restartPolicy }) => restartPolicy))] };
    };
    // The runtime of a TrainJob says it.
    const policies = [name === 'trainJob' ? 'OnFailure' : 'Never'];
    expect(planned({})).toEqual({ limit: name === 'mpiJobV2' ? 0 : undefined, policies });
    if (!isOfKubeflow) return;
    expect(planned({ backoffLimit: 2 })).toEqual({ limit: 2, policies: ['OnFailure'] });
    expect(planned({ backoffLimit: 0 })).toEqual({ limit: 0, policies: ['Never'] });
    expect(planned({ policy: { restart: { ladder: [{ scope: 'gang' }] } } })).toEqual({
      limit: 3,
      policies: ['OnFailure'],
    });
    expect(planned({ restartPolicy: 'OnFailure' }).policies).toEqual(['OnFailure']);
  });

  it('carries the settings of the job', () => {
    const { job } = validateManifest(build(whole));
    expect(job).toMatchObject({ name: 'train', namespace: 'ml', gang: { scheduler: 'native' } });
    expect(job?.plan.policy).toMatchObject({
      evidence: { logLines: 50 },
      refusals: { failAfterMs: 1_800_000 },
    });
    expect(build(whole).metadata).toMatchObject({
      labels: POD_OPTIONS.labels,
      annotations: POD_OPTIONS.annotations,
    });
    if (!isOfKubeflow) return;
    expect(job?.plan.runPolicy).toMatchObject({
      backoffLimit: 3,
      activeDeadlineSeconds: 3_600,
      ttlSecondsAfterFinished: 600,
      cleanPodPolicy: 'Running',
      suspend: true,
    });
  });

  it.each([
    [{ nodes: 0 }, 'nodes: expected an integer >= 1, got 0'],
    [{ nodes: 1.5 }, 'nodes: expected an integer >= 1, got 1.5'],
    [{ image: undefined }, 'image: expected a non-empty text, got nothing'],
    [
      { name: 'Train_1' },
      'name: expected a DNS label: at most 63 lower-case letters, digits and -, starting with a letter, got "Train_1"',
    ],
    [{ command: 'python3 train.py' }, 'command: expected a list of texts, got "python3 train.py"'],
    [{ env: { DEBUG: 1 } }, 'env: expected an object of texts, got {"DEBUG":1}'],
    [{ memory: '64GB' }, 'memory: expected a quantity > 0, e.g. 4, 500m or 8Gi, got "64GB"'],
    [
      { volumes: { imagenet: 'data' } },
      'volumes: expected an object of absolute paths, by the name of a PersistentVolumeClaim, got {"imagenet":"data"}',
    ],
    [
      { gang: 'yunikorn' },
      'gang: expected one of auto, native, volcano, coscheduling, kube-batch, kueue, gated, gated-native, none, got "yunikorn"',
    ],
    [
      { nmae: 'a' },
      /nmae: expected one of the options name, namespace, .* \(did you mean name\?\), got "a"$/,
    ],
    [{ gpus: 8 }, /gpus: expected one of the options name, namespace, .*, got 8$/],
  ])('refuses %j', (change, fault) => {
    const built = () => build({ ...SMALLEST, ...change });
    expect(built).toThrow(InvalidManifestError);
    expect(built).toThrow(fault instanceof RegExp ? new RegExp(fault.source, 'm') : fault);
    expect(built).toThrow(/^The options have an error:/);
  });

  it('builds manifests that share nothing', () => {
    const change = (manifest: { spec: object }) => {
      const text = JSON.stringify(manifest);
      const visit = (value: unknown): void => {
        if (typeof value !== 'object' || value === null) return;
        for (const inner of Object.values(value)) visit(inner);
        Object.assign(value, { changed: true });
      };
      visit(manifest.spec);
      return text;
    };
    expect(change(build(whole))).toBe(JSON.stringify(build(whole)));
  });

  it('reports all wrong options at once', () => {
    expect(() => build({ nodes: -1, cpu: 'many' })).toThrow(/^The options have 4 errors:/);
  });
});

const hasGpus = ({ containers }: Pod['spec']) =>
  'nvidia.com/gpu' in ((containers[0]!.resources as { limits?: object } | undefined)?.limits ?? {});

describe('what differs between kinds', () => {
  it('a PyTorchJob has a Master, and torchrun its number of processes', async () => {
    const pods = await podsOf(pytorchJob({ ...SMALLEST, processesPerNode: 4 }));
    expect(namesOf(pods)).toEqual(['train-master-0', 'train-worker-0', 'train-worker-1']);
    expect(environmentOf(pods[2]!)).toMatchObject({ WORLD_SIZE: '12', RANK: '2', PET_NPROC_PER_NODE: '4' });
  });

  it('an elastic PyTorchJob has only Workers, within its bounds', async () => {
    const elastic = { minNodes: 2, maxNodes: 8, maxRestarts: 5 };
    const manifest = pytorchJob({ ...SMALLEST, elastic });
    expect(validateManifest(manifest, { strict: true }).faults).toEqual([]);
    const pods = await podsOf(manifest);
    expect(namesOf(pods)).toEqual(['train-worker-0', 'train-worker-1', 'train-worker-2']);
    expect(environmentOf(pods[0]!)).toMatchObject({ PET_NNODES: '2:8', PET_MAX_RESTARTS: '5' });
    expect(() => pytorchJob({ ...SMALLEST, elastic: { minNodes: 4, maxNodes: 2 } })).toThrow(
      'elastic: expected minNodes and maxNodes, both integers, with 1 <= minNodes <= maxNodes',
    );
  });

  it('a TFJob has a Chief, and servers and evaluators on request', async () => {
    const manifest = tfJob({ ...SMALLEST, gpusPerNode: 1, parameterServers: 2, evaluators: 1 });
    const pods = await podsOf(manifest);
    expect(namesOf(pods).sort()).toEqual([
      ...[
        'train-chief-0',
        'train-evaluator-0',
        'train-ps-0',
        'train-ps-1',
        'train-worker-0',
        'train-worker-1',
      ],
    ]);
    expect(pods.filter(({ spec }) => hasGpus(spec))).toHaveLength(4);
    expect(JSON.parse(environmentOf(pods[0]!).TF_CONFIG!)).toMatchObject({ task: { type: 'chief' } });
  });

  it('an XGBoostJob and a JAXJob number their pods', async () => {
    const xgboost = await podsOf(xgboostJob(SMALLEST));
    expect(environmentOf(xgboost[2]!)).toMatchObject({ RANK: '2', WORLD_SIZE: '3' });
    const jax = await podsOf(jaxJob(SMALLEST));
    expect(environmentOf(jax[2]!)).toMatchObject({ JAX_PROCESS_ID: '2', JAX_NUM_PROCESSES: '3' });
  });

  it('an MPIJob of each version has a launcher without GPUs, which runs the command', async () => {
    for (const build of [mpiJob, mpiJobV2]) {
      const options = { ...SMALLEST, command: ['mpirun', 'train'], gpusPerNode: 8, processesPerNode: 8 };
      const pods = await podsOf(build(options));
      expect(namesOf(pods)).toEqual(['train-launcher', 'train-worker-0', 'train-worker-1', 'train-worker-2']);
      expect(pods[0]!.spec.containers[0]!.command).toEqual(['mpirun', 'train']);
      expect(pods.map(({ spec }) => hasGpus(spec))).toEqual([false, true, true, true]);
      expect(pods[1]!.spec.containers[0]!.command).not.toContain('mpirun');
    }
  });

  it('an MPIJob of v2beta1 may wait for its workers, with another MPI', () => {
    const { spec } = mpiJobV2({ ...SMALLEST, implementation: 'Intel', waitForWorkers: true });
    expect(spec).toMatchObject({
      mpiImplementation: 'Intel',
      launcherCreationPolicy: 'WaitForWorkersReady',
    });
  });

  it('a Job of Volcano restarts as a whole, as often as it may, and has plugins', async () => {
    const build = { ...SMALLEST, plugins: { pytorch: ['--port=5000'] }, queue: 'research' };
    const pods = await podsOf(volcanoJob(build));
    expect(namesOf(pods)).toEqual(['train-master-0', 'train-worker-0', 'train-worker-1']);
    expect(environmentOf(pods[2]!)).toMatchObject({ MASTER_PORT: '5000', RANK: '2', WORLD_SIZE: '3' });
    const limitOf = (options: object) =>
      validateManifest(volcanoJob({ ...build, ...options })).job!.plan.restartLimit?.most;
    expect([limitOf({}), limitOf({ restarts: 2 })]).toEqual([0, 2]);
  });

  it('PaddleJobs may have servers', async () => {
    expect(namesOf(await podsOf(paddleJob({ ...SMALLEST, parameterServers: 1 })))).toContain(
      'train-master-0',
    );
    const manifest = paddleOperatorJob({ ...SMALLEST, parameterServers: 1, intranet: 'Service' });
    expect(namesOf(await podsOf(manifest))).toContain('train-ps-0');
  });
});

describe('the compiler refuses', () => {
  const template = { spec: { containers: [{ name: 'pytorch', image: 'a' }] } };

  it('unknown roles, unknown options of the kind, and values of another type', () => {
    const { spec } = pytorchJob(SMALLEST);
    // @ts-expect-error: Wroker is no role
    spec.pytorchReplicaSpecs = { Wroker: { template } };
    // @ts-expect-error: a text is no number
    spec.pytorchReplicaSpecs = { Worker: { replicas: '3', template } };
    // @ts-expect-error: gpus is no option
    expect(() => pytorchJob({ ...SMALLEST, gpus: 8 })).toThrow(InvalidManifestError);
  });
});
