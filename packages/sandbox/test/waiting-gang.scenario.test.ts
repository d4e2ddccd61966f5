import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { connect, type KubernetesApi } from '../kubernetes-api.ts';
import { ensureSandbox } from '../sandbox.ts';
import { createPod } from './pods.ts';
import { apiOf, emptyDir, FIRST_RUN_MS, removeSandbox, stateOf, throwaway, until } from './support.ts';

let dir: string;
let api: KubernetesApi;
let scheduler: KubernetesApi;

beforeAll(async () => {
  dir = await emptyDir();
  const { kubeconfig } = await ensureSandbox({ ...throwaway, dir, simulatedNodes: 1, gpusPerNode: 8 });
  api = await apiOf(kubeconfig);
  scheduler = await schedulerOf(kubeconfig);
}, FIRST_RUN_MS);

afterAll(async () => {
  await Promise.all([api?.close(), scheduler?.close()]);
  await removeSandbox(dir);
}, 60_000);

test('a gang that finds no room is tried again after a pause, and another one at once', async () => {
  await createGang('large', 3);
  const seen = await until(
    'the large gang was tried',
    async () => (await attempts('unschedulable')) || false,
  );
  const since = Date.now();
  await until(
    'the large gang was tried twice more',
    async () => (await attempts('unschedulable')) >= seen + 2,
  );
  expect(Date.now() - since).toBeGreaterThan(1_000);
  await createGang('small', 2);
  await until('the small gang is placed', async () => (await attempts('scheduled')) > 0);
}, 60_000);

/** Its members want half a node each. */
async function createGang(name: string, members: number): Promise<void> {
  await api.call('POST', '/apis/scheduling.k8s.io/v1alpha2/namespaces/default/podgroups', {
    apiVersion: 'scheduling.k8s.io/v1alpha2',
    kind: 'PodGroup',
    metadata: { name },
    spec: { schedulingPolicy: { gang: { minCount: members } } },
  });
  for (let index = 0; index < members; index++)
    await createPod(api, `${name}-${index}`, {}, { gpus: 4, podGroup: name });
}

/** How often kube-scheduler has tried to place a gang, by what came of it. */
async function attempts(result: 'scheduled' | 'unschedulable'): Promise<number> {
  const lines = (await scheduler.call<string>('GET', '/metrics')).split('\n');
  const line = lines.find(
    (one) =>
      one.startsWith('scheduler_podgroup_schedule_attempts_total{') && one.includes(`result="${result}"`),
  );
  return Number(line?.split(' ').at(-1) ?? 0);
}

async function schedulerOf(kubeconfig: string): Promise<KubernetesApi> {
  const { users } = JSON.parse(await readFile(kubeconfig, 'utf8'));
  const ca = await readFile(`${dir}/credentials/kube-scheduler/kube-scheduler.crt`, 'utf8');
  const url = `https://127.0.0.1:${stateOf(dir).ports.scheduler}`;
  return connect({ url, ca, token: users[0].user.token });
}
