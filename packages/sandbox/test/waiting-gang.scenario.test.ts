import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Agent, request } from 'undici';
import { ClusterClient } from '../../../cluster/client.ts';
import { POD_GROUPS } from '../../../contracts/kubernetes.ts';
import { ensureSandbox } from '../sandbox.ts';
import { createPod } from './pods.ts';
import { emptyDir, FIRST_RUN_MS, removeSandbox, stateOf, throwaway, until } from './support.ts';

let dir: string;
let cluster: ClusterClient;
/** Returns the metrics of kube-scheduler. */
let metrics: () => Promise<string>;

beforeAll(async () => {
  dir = await emptyDir();
  const { kubeconfig } = await ensureSandbox({ ...throwaway, dir, simulatedNodes: 1, gpusPerNode: 8 });
  cluster = await ClusterClient.connect({ kubeconfig });
  metrics = await metricsOf(kubeconfig);
}, FIRST_RUN_MS);

afterAll(async () => {
  await cluster?.close();
  await removeSandbox(dir);
});

test('a gang without room is tried again after a pause, and another gang is placed at once', async () => {
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
});

/** Each member requests half a node. */
async function createGang(name: string, members: number): Promise<void> {
  await cluster.create(POD_GROUPS, {
    apiVersion: POD_GROUPS.apiVersion,
    kind: 'PodGroup',
    metadata: { name, namespace: 'default' },
    spec: { schedulingPolicy: { gang: { minCount: members } } },
  });
  for (let index = 0; index < members; index++)
    await createPod(cluster, `${name}-${index}`, {}, { gpus: 4, podGroup: name });
}

/** How often kube-scheduler tried to schedule a gang, by result. */
async function attempts(result: 'scheduled' | 'unschedulable'): Promise<number> {
  const lines = (await metrics()).split('\n');
  const line = lines.find(
    (one) =>
      one.startsWith('scheduler_podgroup_schedule_attempts_total{') && one.includes(`result="${result}"`),
  );
  return Number(line?.split(' ').at(-1) ?? 0);
}

async function metricsOf(kubeconfig: string): Promise<() => Promise<string>> {
  const { users } = JSON.parse(await readFile(kubeconfig, 'utf8'));
  const ca = await readFile(`${dir}/credentials/kube-scheduler/kube-scheduler.crt`, 'utf8');
  const url = `https://127.0.0.1:${stateOf(dir).ports.scheduler}/metrics`;
  const headers = { authorization: `Bearer ${users[0].user.token}` };
  const dispatcher = new Agent({ connect: { ca } });
  return async () => (await request(url, { headers, dispatcher })).body.text();
}
