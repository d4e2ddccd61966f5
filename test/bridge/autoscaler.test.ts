import { describe, expect, it } from '@jest/globals';
import { applyAutoscaler } from '../../bridge/autoscaler.ts';
import { autoscalingOf } from '../../bridge/autoscaling.ts';
import { ApiError } from '../../cluster/errors.ts';
import type { HorizontalPodAutoscaler } from '../../contracts/kubernetes.ts';
import { aResource } from './fixtures.ts';

const METRICS = [{ type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization' } } }];

describe('how a job is to be scaled', () => {
  const of = (spec: object) =>
    autoscalingOf({
      ...{ apiVersion: 'kubeflow.org/v1', kind: 'PyTorchJob', metadata: { name: 'train' } },
      spec: { pytorchReplicaSpecs: { Worker: { replicas: 3 } }, ...spec },
    });

  it.each([
    ['both bounds', { minReplicas: 2, maxReplicas: 5 }, { minReplicas: 2, maxReplicas: 5 }],
    ['the other bound', { maxReplicas: 5 }, { minReplicas: 5, maxReplicas: 5 }],
    ['its workers without bounds', {}, { minReplicas: 3, maxReplicas: 3 }],
  ])('%s', (_name, policy, bounds) => {
    expect(of({ elasticPolicy: { ...policy, metrics: METRICS } })).toEqual({ ...bounds, metrics: METRICS });
  });

  it.each([
    ['without metrics', { elasticPolicy: { maxReplicas: 5 } }],
    ['with metrics of a wrong type', { elasticPolicy: { metrics: 'cpu' } }],
    ['while it is suspended', { elasticPolicy: { metrics: METRICS }, runPolicy: { suspend: true } }],
  ])('by nothing %s', (_name, spec) => {
    expect(of(spec)).toBe('none');
  });

  it('is no question for a job that is not elastic', () => {
    expect(of({})).toBeUndefined();
  });
});

describe('the autoscaler of a resource', () => {
  const wanted = { minReplicas: 1, maxReplicas: 4, metrics: METRICS };
  const resource = aResource();
  const own = {
    apiVersion: resource.apiVersion,
    kind: resource.kind,
    name: 'train',
    uid: 'u1',
    controller: true,
  };
  const existing = (more: object = {}): HorizontalPodAutoscaler => ({
    ...{ apiVersion: 'autoscaling/v2', kind: 'HorizontalPodAutoscaler' },
    metadata: { name: 'train', namespace: 'ml', uid: 'h1', ownerReferences: [own] },
    spec: { scaleTargetRef: { apiVersion: 'kubeflow.org/v1', kind: 'PyTorchJob', name: 'train' }, ...wanted },
    ...more,
  });

  /** Notes the requests that change something. */
  function clusterWith(found: HorizontalPodAutoscaler | undefined, refusal?: ApiError) {
    const requests: unknown[] = [];
    const note =
      (verb: string) =>
      async (_: unknown, ...args: unknown[]) => {
        requests.push([verb, ...args]);
        if (refusal) throw refusal;
      };
    const cluster = {
      find: async () => found,
      create: note('create'),
      patch: note('patch'),
      delete: note('delete'),
    };
    return { cluster: cluster as unknown as Parameters<typeof applyAutoscaler>[0], requests };
  }

  it('is made, and is the resource’s', async () => {
    const { cluster, requests } = clusterWith(undefined);
    expect(await applyAutoscaler(cluster, resource, wanted)).toBeUndefined();
    const { uid: _, ...metadata } = existing().metadata;
    expect(requests).toEqual([['create', { ...existing(), metadata }]]);
  });

  it('stays as it is, with what somebody added', async () => {
    const { cluster, requests } = clusterWith(existing({ spec: { ...existing().spec, behavior: {} } }));
    await applyAutoscaler(cluster, resource, wanted);
    expect(requests).toEqual([]);
  });

  it('is changed with the resource', async () => {
    const { cluster, requests } = clusterWith(existing());
    await applyAutoscaler(cluster, resource, { ...wanted, maxReplicas: 9 });
    const spec = { ...existing().spec, maxReplicas: 9 };
    expect(requests).toEqual([
      ['patch', { namespace: 'ml', name: 'train' }, { metadata: { uid: 'h1' }, spec }],
    ]);
  });

  it('is deleted where there is to be none', async () => {
    const { cluster, requests } = clusterWith(existing());
    await applyAutoscaler(cluster, resource, 'none');
    expect(requests).toEqual([['delete', 'ml', 'train', { uid: 'h1' }]]);
  });

  it.each([wanted, 'none'] as const)('is left alone if it is somebody else’s', async (is) => {
    const { cluster, requests } = clusterWith(existing({ metadata: { name: 'train', uid: 'h2' } }));
    const notice = await applyAutoscaler(cluster, resource, is);
    expect(notice?.reason).toBe(is === 'none' ? undefined : 'AutoscalerNotOurs');
    expect(requests).toEqual([]);
  });

  it.each([
    [403, 'Forbidden'],
    [422, 'Invalid'],
  ])('that the API server refuses with %i is an event', async (status, reason) => {
    const refusal = new ApiError('POST', { status, reason, message: 'metrics: no' });
    const { cluster } = clusterWith(undefined, refusal);
    expect(await applyAutoscaler(cluster, resource, wanted)).toMatchObject({
      ...{ type: 'Warning', reason: 'AutoscalerRefused', message: 'metrics: no' },
    });
  });

  it('is tried again when the API server cannot answer', async () => {
    const away = new ApiError('POST', { status: 503, reason: 'ServiceUnavailable', message: 'away' });
    await expect(applyAutoscaler(clusterWith(undefined, away).cluster, resource, wanted)).rejects.toBe(away);
  });
});
