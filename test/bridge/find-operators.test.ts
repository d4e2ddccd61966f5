import { describe, expect, it } from '@jest/globals';
import { findOriginalOperators } from '../../bridge/find-operators.ts';
import { rivalOf } from '../../bridge/rivals.ts';
import type { ClusterClient } from '../../cluster/client.ts';
import type { KubeObject } from '../../contracts/kubernetes.ts';
import { ORIGINAL_OPERATORS } from '../../frameworks/kinds/original-operators.ts';
import { bridgeManifests, type Rules } from '../deploy/manifests.ts';

/** A cluster that has these Deployments and leases. */
const clusterWith = (...objects: KubeObject[]) => {
  const list = async (
    resource: { kind: string },
    { fieldSelector = '' }: { fieldSelector?: string } = {},
  ) => ({
    metadata: { resourceVersion: '1' },
    items: objects.filter(
      ({ kind, metadata }) => kind === resource.kind && fieldSelector === `metadata.name=${metadata.name}`,
    ),
  });
  return { list } as unknown as Pick<ClusterClient, 'list'>;
};

const deployment = (name: string, spec: object = {}, container: object = {}): KubeObject => ({
  ...{ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name, namespace: 'kubeflow' } },
  spec: { template: { spec: { containers: [container] } }, ...spec },
});

const lease = (name: string, ageMs: number): KubeObject => ({
  ...{ apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name, namespace: 'kubeflow' } },
  spec: { renewTime: new Date(Date.now() - ageMs).toISOString(), leaseDurationSeconds: 15 },
});

const found = async (...objects: KubeObject[]) => findOriginalOperators(clusterWith(...objects));

const pytorch = {
  apiVersion: 'kubeflow.org/v1',
  kind: 'PyTorchJob',
  namespace: 'ml',
  isOwn: false,
};

describe('an original operator', () => {
  it('is found by its Deployment, unless that is to have no pods', async () => {
    expect(await found(deployment('training-operator'))).toMatchObject([
      { name: 'training-operator', found: 'Deployment kubeflow/training-operator' },
    ]);
    expect(await found(deployment('training-operator', { replicas: 0 }))).toEqual([]);
    expect(await found(deployment('other'))).toEqual([]);
  });

  it('is found by a lease that somebody renews', async () => {
    const name = '1ca428e5.training-operator.kubeflow.org';
    expect(await found(lease(name, 1_000))).toMatchObject([
      { name: 'training-operator', found: `Lease kubeflow/${name}` },
    ]);
    expect(await found(lease(name, 3_600_000))).toEqual([]);
  });

  it.each([
    ['PyTorchJob', 'training-operator', 'kubeflow.org/v1'],
    ['MPIJob', 'mpi-operator', 'kubeflow.org/v2beta1'],
    ['PaddleJob', 'paddle-controller-manager', 'batch.paddlepaddle.org/v1'],
    ['TrainJob', 'kubeflow-trainer-controller-manager', 'trainer.kubeflow.org/v1alpha1'],
  ])('takes a %s', async (kind, name, apiVersion) => {
    const operators = await found(deployment(name));
    expect(rivalOf(operators, { ...pytorch, apiVersion, kind })?.found).toBe(`Deployment kubeflow/${name}`);
    expect(rivalOf(operators, { ...pytorch, apiVersion: 'other.org/v1', kind })).toBeUndefined();
  });

  it.each<[string, object]>([
    ['with an equals sign', { args: ['--enable-scheme=TFJob', '-namespace=ml'] }],
    ['as two words', { command: ['/manager', '--enable-scheme', 'tfjob', '--namespace', 'ml'] }],
    [
      'and a variable',
      { args: ['--enable-scheme=tfjob'], env: [{ name: 'KUBEFLOW_NAMESPACE', value: 'ml' }] },
    ],
  ])('takes only the kinds and the namespace of its flags, %s', async (_, container) => {
    const operators = await found(deployment('training-operator', {}, container));
    expect(rivalOf(operators, { ...pytorch, kind: 'TFJob' })).toBeDefined();
    expect(rivalOf(operators, { ...pytorch, kind: 'TFJob', namespace: 'other' })).toBeUndefined();
    expect(rivalOf(operators, pytorch)).toBeUndefined();
  });

  it.each([
    ['takes jobs', [], true],
    ['takes jobs', ['--controllers=*,-sharding-controller'], true],
    ['leaves jobs', ['--controllers=*,-job-controller'], false],
    ['leaves jobs', ['--controllers', '+queue-controller,+pg-controller'], false],
  ])('of Volcano %s with the flags %j', async (_, args, takes) => {
    const operators = await found(deployment('volcano-controllers', {}, { args }));
    const job = { ...pytorch, apiVersion: 'batch.volcano.sh/v1alpha1', kind: 'Job' };
    expect(rivalOf(operators, job)?.found).toBe(
      takes ? 'Deployment kubeflow/volcano-controllers' : undefined,
    );
    expect(rivalOf(operators, pytorch)).toBeUndefined();
  });

  it('may be looked for by the role of the bridge, and nothing else', () => {
    const isRole = (one: KubeObject) => one.metadata.name === 'signalbox-bridge-operators' && 'rules' in one;
    const { rules } = bridgeManifests().find(isRole) as Rules;
    const named = (resource: string) =>
      rules.find(({ resources }) => resources.includes(resource))?.resourceNames;
    expect(named('deployments')).toEqual(ORIGINAL_OPERATORS.flatMap((one) => one.deployments));
    expect(named('leases')).toEqual(ORIGINAL_OPERATORS.flatMap((one) => one.leases));
  });

  it('leaves jobs whose managedBy names signalbox, but for JAXJobs, where it does not look', async () => {
    const operators = await found(deployment('training-operator'));
    expect(rivalOf(operators, { ...pytorch, isOwn: true })).toBeUndefined();
    expect(rivalOf(operators, { ...pytorch, kind: 'JAXJob', isOwn: true })).toBeDefined();
  });
});
