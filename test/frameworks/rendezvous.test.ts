import { describe, expect, it } from '@jest/globals';
import type { TrainingJob } from '../../contracts/training-job.ts';
import { frameworkOf } from '../../frameworks/kinds/registry.ts';
import { renderAttempt } from '../../resources/attempt.ts';
import { aContainer, aManifest, aManifestOf, aRole } from './manifests.ts';
import { jobWith } from './paddle-jobs.ts';

/** A variable of the first worker, in each of two attempts. */
function inAttempts(job: TrainingJob, variable: string) {
  const role = job.roles.find(({ name }) => name.toLowerCase() === 'worker')!;
  return [1, 2].map((attempt) => {
    const environment = frameworkOf(job).environment(job, { role, index: 0, attempt });
    return environment.find(({ name }) => name === variable)?.value;
  });
}

const elasticTorch = (policy: object) =>
  aManifestOf('PyTorchJob', { Worker: { replicas: 2 } })
    .with('spec.elasticPolicy', { minReplicas: 1, maxReplicas: 2, ...policy })
    .job();

describe('each attempt has a rendezvous of its own:', () => {
  it.each([
    ['etcd under an id', { rdzvBackend: 'etcd', rdzvId: 'run' }, ['run', 'run-2']],
    ['etcd-v2 without one', { rdzvBackend: 'etcd-v2' }, [undefined, 'ml-resnet-2']],
    ['c10d, which a worker itself holds', { rdzvBackend: 'c10d', rdzvId: 'run' }, ['run', 'run']],
    ['no backend', { rdzvId: 'run' }, ['run', 'run']],
  ])('torchrun with %s', (_, policy, ids) => {
    expect(inAttempts(elasticTorch(policy), 'PET_RDZV_ID')).toEqual(ids);
  });

  it('an elastic PaddleJob of paddle-operator, by its id', () => {
    const job = jobWith({ elastic: 1 });
    expect(inAttempts(job, 'PADDLE_ELASTIC_JOB_ID')).toEqual(['ml-wide', 'ml-wide-2']);
  });

  it.each([
    ['etcd', [{ name: 'PADDLE_MASTER', value: 'etcd://etcd:2379' }], ['resnet', 'resnet-2']],
    ['a worker', [], ['resnet', 'resnet']],
  ])('a PaddleJob of Kubeflow whose workers meet at %s', (_, env, ids) => {
    const worker = aRole({ replicas: 2 }, aContainer({ name: 'paddle', env }));
    const job = aManifestOf('PaddleJob', {}).role('Worker', '', worker).job();
    expect(inAttempts(job, 'PADDLE_JOB_ID')).toEqual(ids);
  });
});

/** What a replica is told at its first and third meeting, where that differs. */
function movedIn(job: TrainingJob, roleName = 'Worker', index = 0) {
  const role = job.roles.find(({ name }) => name === roleName)!;
  const [first, third] = [0, 2].map((meeting) =>
    frameworkOf(job).environment(job, { role, index, attempt: 3, meeting }),
  );
  const moved = third!.filter(({ name, value }) => first!.find((one) => one.name === name)?.value !== value);
  return Object.fromEntries(moved.map(({ name, value }) => [name, value]));
}

const pair = (kind: string, roles: readonly string[] = ['Worker']) =>
  aManifestOf(kind, Object.fromEntries(roles.map((name) => [name, { replicas: name === 'Worker' ? 2 : 1 }])));

describe('the ranks of a gang that left pods behind meet at another port:', () => {
  it.each([
    ['PyTorchJob', ['Master', 'Worker'], { MASTER_PORT: '23458', PET_MASTER_PORT: '23458' }],
    [
      'JAXJob',
      ['Worker'],
      {
        ...{ COORDINATOR_PORT: '6668', JAX_COORDINATOR_PORT: '6668' },
        JAX_COORDINATOR_ADDRESS: 'resnet-worker-0:6668',
      },
    ],
    ['XGBoostJob', ['Master', 'Worker'], { MASTER_PORT: '10001', WORKER_PORT: '10001' }],
    ['PaddleJob', ['Worker'], { PADDLE_MASTER: '$(POD_IP_DUMMY):36545' }],
    [
      'TFJob',
      ['Worker'],
      { TF_CONFIG: expect.stringMatching(/worker-0\.ml\.svc:2224.*worker-1\.ml\.svc:2224/) },
    ],
  ])('%s', (kind, roles, moved) => {
    const job = pair(kind, roles).job();
    expect(job.plan.fence).toBe('port');
    expect(movedIn(job)).toEqual(moved);
  });

  it('one that no container of the role names, and no port above the last one', () => {
    const ports = [
      { name: 'jaxjob-port', containerPort: 65_534 },
      { name: 'metrics', containerPort: 65_535 },
    ];
    const worker = aRole({ replicas: 2 }, aContainer({ name: 'jax', ports }));
    const job = aManifestOf('JAXJob', {}).role('Worker', '', worker).job();
    expect(movedIn(job)).toMatchObject({ COORDINATOR_PORT: '1025' });
  });

  it('so also pods that join such an attempt later', () => {
    const { pods } = renderAttempt(
      aManifest().job(),
      { number: 3, anchorUid: 'anchor' },
      { gang: 'none', asGang: false, meeting: 1, succeededIndices: { worker: '0' } },
    );
    const ports = pods.map(
      ({ spec }) => spec.containers[0]?.env?.find(({ name }) => name === 'MASTER_PORT')?.value,
    );
    expect(ports).toEqual(['23457', '23457']);
  });
});

describe('nothing keeps pods that are left behind from the next attempt', () => {
  const withMain = (fields: object) =>
    aManifest().role('Worker', 'template.spec.containers', [aContainer({ ...fields })]);
  const onMain = (replicas: number) => aRole({ replicas }, aContainer());
  const mpiJob = aManifestOf('MPIJob', {}).role('Launcher', '', onMain(1)).role('Worker', '', onMain(2));
  const told = (...args: string[]) => withMain({ command: ['sh', '-c'], args });

  it.each([
    ['one pod', aManifestOf('JAXJob', { Worker: { replicas: 1 } }), 'onePod'],
    ['ranks without a Master', aManifestOf('PyTorchJob', { Worker: { replicas: 2 } }), 'ownAddress'],
    ['parameter servers', pair('TFJob', ['PS', 'Worker']), 'servers'],
    ['parameter servers of Paddle', pair('PaddleJob', ['Master', 'Worker']), 'servers'],
    ['dynamic workers', pair('TFJob').with('spec.enableDynamicWorker', true), 'elastic'],
    ['a launcher', mpiJob, 'launcher'],
    ['a port of its own', withMain({ env: [{ name: 'MASTER_PORT', value: '29500' }] }), 'ownAddress'],
    ['a port in an option', told('torchrun --master_port 29500 train.py'), 'ownAddress'],
    ['an endpoint', told('torchrun --rdzv-endpoint=$MASTER_ADDR:29400 train.py'), 'ownAddress'],
    ['a port that a shell sets', told('export MASTER_PORT=29500; python train.py'), 'ownAddress'],
  ])('of a job with %s', (_, manifest, fence) => {
    expect(manifest.job().plan.fence).toBe(fence);
  });

  it.each([
    ['an option', told('torchrun --master_addr=$MASTER_ADDR --master_port=$MASTER_PORT train.py')],
    ['an option of Kubernetes', told('torchrun', '--master_port', '$(MASTER_PORT)', 'train.py')],
    ['an endpoint', told('torchrun --rdzv_endpoint "$MASTER_ADDR:$MASTER_PORT" train.py')],
    ['a program', told('python -c "import os; print(os.environ[\'MASTER_PORT\'])"')],
  ])('but if the port of the kind is used: in %s', (_, manifest) => {
    expect(manifest.job().plan.fence).toBe('port');
  });

  it('of elastic jobs', () => {
    expect(elasticTorch({}).plan.fence).toBe('elastic');
    expect([jobWith({ elastic: 1 }).plan.fence, jobWith({}).plan.fence]).toEqual(['elastic', 'unknown']);
  });
});
