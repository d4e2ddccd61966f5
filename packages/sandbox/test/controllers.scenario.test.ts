import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { ApiError } from '../../../cluster/errors.ts';
import { PODS, type Pod, type Resource } from '../../../contracts/kubernetes.ts';
import { eventually } from '../../../test/eventually.ts';
import { eviction } from '../../../test/scenarios/disruptions.ts';
import { openStage, type Stage } from '../../../test/scenarios/stage.ts';

/** The controllers of a cluster that matter to jobs run in the sandbox, too. */

let stage: Stage;

beforeAll(async () => {
  stage = await openStage({ localNode: false });
});

afterAll(() => stage.close());

const spec = {
  nodeSelector: { 'signalbox.dev/node': 'simulated' },
  containers: [{ name: 'main', image: 'any' }],
};

const podOf = (name: string): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace: stage.namespace, labels: { app: name } },
  spec,
});

const resource = (apiVersion: string, kind: string, plural: string): Resource => ({
  ...{ apiVersion, kind, plural },
  namespaced: true,
});
const QUOTAS = resource('v1', 'ResourceQuota', 'resourcequotas');
const DEPLOYMENTS = resource('apps/v1', 'Deployment', 'deployments');
const BUDGETS = resource('policy/v1', 'PodDisruptionBudget', 'poddisruptionbudgets');

const make = (of: Resource, name: string, content: unknown) =>
  stage.cluster.create(of, {
    apiVersion: of.apiVersion,
    kind: of.kind,
    metadata: { name, namespace: stage.namespace },
    spec: content,
  });

const refusal = (asked: Promise<unknown>): Promise<ApiError> =>
  asked.then(
    () => Promise.reject(new Error('expected a refusal')),
    (error) => (error instanceof ApiError ? error : Promise.reject(error)),
  );

/** The used amount in the quota's status. */
const untilUsed = (pods: string) =>
  eventually(`the quota has counted ${pods} pods`, async () => {
    const { status } = await stage.cluster.get(QUOTAS, stage.namespace, 'one');
    return (status as { used?: { pods?: string } })?.used?.pods === pods;
  });

it('a quota refuses a second pod, and lets it in when the first has gone', async () => {
  await make(QUOTAS, 'one', { hard: { pods: '1' } });
  await untilUsed('0');
  await eventually('the first pod is let in', () => stage.cluster.create(PODS, podOf('first')));
  await untilUsed('1');
  expect(await refusal(stage.cluster.create(PODS, podOf('second')))).toMatchObject({
    status: 403,
    message: expect.stringContaining('exceeded quota: one'),
  });
  await stage.cluster.delete(PODS, stage.namespace, 'first');
  await eventually('the second pod is let in', () => stage.cluster.create(PODS, podOf('second')));
  await stage.cluster.delete(QUOTAS, stage.namespace, 'one');
});

it('a Deployment makes its pod', async () => {
  const labels = { app: 'deployed' };
  const template = { metadata: { labels }, spec };
  await make(DEPLOYMENTS, 'deployed', { selector: { matchLabels: labels }, template });
  const pod = await eventually('its pod runs', async () => {
    const options = { namespace: stage.namespace, labelSelector: 'app=deployed' };
    const { items } = await stage.cluster.list(PODS, options);
    return items.find(({ status }) => status?.phase === 'Running');
  });
  expect(pod.metadata.ownerReferences?.[0]).toMatchObject({ kind: 'ReplicaSet', controller: true });
});

it('a disruption budget holds off an eviction', async () => {
  await stage.cluster.create(PODS, podOf('guarded'));
  await make(BUDGETS, 'guarded', { minAvailable: 1, selector: { matchLabels: { app: 'guarded' } } });
  await eventually('the budget has counted its pod', async () => {
    const { status } = await stage.cluster.get(BUDGETS, stage.namespace, 'guarded');
    return (status as { currentHealthy?: number })?.currentHealthy === 1;
  });
  expect(await refusal(eviction(stage, 'guarded'))).toMatchObject({
    status: 429,
    message: expect.stringContaining('disruption budget'),
  });
  await stage.cluster.delete(BUDGETS, stage.namespace, 'guarded');
  await eventually('the eviction is accepted', () => eviction(stage, 'guarded'));
});
