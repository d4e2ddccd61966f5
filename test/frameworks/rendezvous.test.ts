import { describe, expect, it } from '@jest/globals';
import type { TrainingJob } from '../../contracts/training-job.ts';
import { frameworkOf } from '../../frameworks/kinds/registry.ts';
import { aContainer, aManifestOf, aRole } from './manifests.ts';
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
