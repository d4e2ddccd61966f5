import { readdir, readFile, readlink, stat } from 'node:fs/promises';
import { connect as connectTcp } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ClusterClient } from '../../../cluster/client.ts';
import { CONFIG_MAPS, type Condition, NODES, POD_GROUPS, PODS } from '../../../contracts/kubernetes.ts';
import { isAlive } from '../../../runtime/process-identity.mjs';
import {
  addSimulatedNodes,
  ensureSandbox,
  resetSandbox,
  restartComponent,
  type Sandbox,
  sandboxStatus,
  stopSandbox,
} from '../sandbox.ts';
import { annotate, boundOf, createPod, podIn, podNames, terminated } from './pods.ts';
import { emptyDir, FIRST_RUN_MS, removeSandbox, stateOf, throwaway, until } from './support.ts';

let dir: string;
let sandbox: Sandbox;
let cluster: ClusterClient;

beforeAll(async () => {
  dir = await emptyDir();
  sandbox = await ensureSandbox({ ...throwaway, dir, simulatedNodes: 2, gpusPerNode: 8 });
  cluster = await ClusterClient.connect(sandbox);
}, FIRST_RUN_MS);

afterAll(async () => {
  await cluster?.close();
  await removeSandbox(dir);
});

describe('`sandbox up`', () => {
  test('leaves every component ready', () => {
    expect(
      stateOf(dir)
        .components.map(({ name, state }) => `${name} ${state}`)
        .sort(),
    ).toEqual([
      'etcd ready',
      'kube-apiserver ready',
      'kube-controller-manager ready',
      'kube-scheduler ready',
      'kwok ready',
      'temporal ready',
    ]);
  });

  test('serves the Temporal UI', async () => {
    expect((await fetch(sandbox.temporalUiUrl)).status).toBe(200);
  });

  test('makes its credentials readable for the user only', async () => {
    expect((await stat(sandbox.kubeconfig)).mode & 0o777).toBe(0o600);
    expect((await stat(`${dir}/credentials/tokens.csv`)).mode & 0o777).toBe(0o600);
  });

  test('lets no other user reach etcd', async () => {
    expect((await stat(`${dir}/credentials`)).mode & 0o777).toBe(0o700);
    expect((await stat(`${dir}/credentials/etcd.sock`)).isSocket()).toBe(true);
    expect(await tcpListenersOf(component('etcd').process?.pid)).toEqual([]);
    expect(await tcpListenersOf(component('kube-apiserver').process?.pid)).toHaveLength(1);
  });

  test('finds a running sandbox, and says which options need a `down` first', async () => {
    const again = await ensureSandbox({ dir, durable: true, ports: { temporal: 1 } });
    expect(again).toMatchObject({
      started: false,
      kubeconfig: sandbox.kubeconfig,
      temporalAddress: sandbox.temporalAddress,
    });
    expect(again.pending).toEqual([
      expect.stringContaining('fsync off'),
      expect.stringContaining('temporal port'),
    ]);
  });
});

describe('a simulated pod', () => {
  test('runs until its annotations say otherwise', async () => {
    await createPod(cluster, 'runs', {});
    const pod = await until('the pod is Running', () => podIn(cluster, 'runs', 'Running'));
    expect(pod.status?.podIP).toMatch(/^10\.64\./);
    expect(pod.status?.conditions).toEqual(
      expect.arrayContaining([expect.objectContaining({ type: 'PodScheduled', status: 'True' })]),
    );
    await annotate(cluster, 'runs', { 'signalbox.dev/simulate': 'succeeded' });
    const done = await until('the pod has Succeeded', () => podIn(cluster, 'runs', 'Succeeded'));
    expect(terminated(done)).toEqual({ exitCode: 0, reason: 'Completed' });
  });

  test.each([
    ['the exit code it was told', { 'signalbox.dev/simulate-exit-code': '137' }, 137],
    ['exit code 1 otherwise', {}, 1],
  ])('fails with %s', async (_what, annotations, exitCode) => {
    const name = `fails-${exitCode}`;
    await createPod(cluster, name, { 'signalbox.dev/simulate': 'failed', ...annotations });
    const pod = await until('the pod has Failed', () => podIn(cluster, name, 'Failed'));
    expect(terminated(pod)).toEqual({ exitCode, reason: 'Error' });
  });

  test('runs for the time that its annotation requests', async () => {
    await createPod(cluster, 'later', {
      'signalbox.dev/simulate': 'succeeded',
      'signalbox.dev/simulate-after': '1500ms',
    });
    await until('the pod is Running', () => podIn(cluster, 'later', 'Running'));
    const since = Date.now();
    await until('the pod has Succeeded', () => podIn(cluster, 'later', 'Succeeded'));
    expect(Date.now() - since).toBeGreaterThan(1_000);
  });

  test.each([
    ['by the signal', {}, 'Failed', { exitCode: 143, reason: 'Error' }],
    [
      'with the code that it was told',
      { 'signalbox.dev/simulate-stop-code': '0' },
      'Succeeded',
      { exitCode: 0, reason: 'Completed' },
    ],
  ])(
    'ends %s when it is deleted, and is gone when no finalizer holds it',
    async (_how, annotations, phase, end) => {
      const name = `held-${end.exitCode}`;
      await createPod(cluster, name, annotations, { finalizers: ['signalbox.dev/test'] });
      await until('the pod is Running', () => podIn(cluster, name, 'Running'));
      await cluster.delete(PODS, 'default', name);
      const pod = await until('the pod has ended', () => podIn(cluster, name, phase));
      expect(terminated(pod)).toEqual(end);
      await cluster.patch(PODS, { namespace: 'default', name }, { metadata: { finalizers: null } });
      await until('the pod is gone', async () => (await podNames(cluster)).every((one) => one !== name));
    },
  );

  test.each([
    ['ended', { 'signalbox.dev/simulate': 'failed' }, 'Failed', {}],
    ['was deleted by force', {}, 'Running', { gracePeriodSeconds: 0 }],
  ])(
    'survives late updates about a pod of the same name that %s',
    async (how, annotations, phase, deletion) => {
      const name = `replaced-${how.length}`;
      await createPod(cluster, name, annotations);
      await until(`the first pod is ${phase}`, () => podIn(cluster, name, phase));
      const kwok = component('kwok').process?.pid ?? Number.NaN;
      process.kill(kwok, 'SIGSTOP');
      await cluster.delete(PODS, 'default', name, deletion);
      await until('the first pod is gone', async () => !(await podNames(cluster)).includes(name));
      await createPod(cluster, name, {});
      const { metadata } = await cluster.get(PODS, 'default', name);
      process.kill(kwok, 'SIGCONT');
      await until('the second pod is Running', () => podIn(cluster, name, 'Running'));
      // By then the node has done all that it does about the first one.
      await annotate(cluster, name, { 'signalbox.dev/simulate': 'succeeded' });
      const second = await until('the second pod has Succeeded', () => podIn(cluster, name, 'Succeeded'));
      expect(second.metadata.uid).toBe(metadata.uid);
    },
  );
});

test('a gang that does not fit binds nothing, and all of it once a node is added', async () => {
  await cluster.create(POD_GROUPS, {
    apiVersion: POD_GROUPS.apiVersion,
    kind: 'PodGroup',
    metadata: { name: 'gang', namespace: 'default' },
    spec: { schedulingPolicy: { gang: { minCount: 5 } } },
  });
  const members = ['gang-0', 'gang-1', 'gang-2', 'gang-3', 'gang-4'];
  await Promise.all(members.map((name) => createPod(cluster, name, {}, { gpus: 4, podGroup: 'gang' }))); // 20 GPUs wanted, 16 there
  await until('the scheduler says that the gang does not fit', async () => {
    const { status } = await cluster.get(POD_GROUPS, 'default', 'gang');
    const { conditions } = (status ?? {}) as { readonly conditions?: readonly Condition[] };
    return conditions?.some(
      (one) => /^PodGroup(Initially)?Scheduled$/.test(one.type) && one.status === 'False',
    );
  });
  expect(await boundOf(cluster, members)).toEqual([]);
  expect(await addSimulatedNodes(dir, { count: 1 })).toEqual(['sim-2']);
  await until(
    'the whole gang is bound',
    async () => (await boundOf(cluster, members)).length === members.length,
    30_000,
  );
});

test('a scheduler that is killed is started again', async () => {
  const before = component('kube-scheduler').process;
  process.kill(before?.pid ?? Number.NaN, 'SIGKILL');
  const after = await until('the scheduler is back', () => {
    const { state, process: now, restarts } = component('kube-scheduler');
    return state === 'ready' && now?.pid !== before?.pid && { restarts };
  });
  expect(after.restarts).toBe(1);
});

test('a kwok that is killed takes over its nodes again at once', async () => {
  await restartComponent(dir, 'kwok', 'kill');
  await createPod(cluster, 'after-kwok', {});
  await until('the pod is Running', () => podIn(cluster, 'after-kwok', 'Running'));
});

test('an API server that is killed comes back on its port with its data', async () => {
  await cluster.create(CONFIG_MAPS, {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'kept', namespace: 'default' },
    data: { answer: '42' },
  });
  await restartComponent(dir, 'kube-apiserver', 'kill');
  expect(await cluster.get(CONFIG_MAPS, 'default', 'kept')).toMatchObject({
    data: { answer: '42' },
  });
});

test('a Temporal server that is killed comes back on its port with its workflows', async () => {
  await startWorkflow('kept');
  await restartComponent(dir, 'temporal', 'kill');
  expect(await workflowStatus('kept')).toBe('WORKFLOW_EXECUTION_STATUS_RUNNING');
});

test('down stops everything, and the next up has the same ports and data', async () => {
  const before = stateOf(dir);
  expect(await stopSandbox(dir)).toBe(true);
  expect(sandboxStatus(dir).running).toBe(false);
  expect(before.components.filter(({ process }) => process && isAlive(process))).toEqual([]);
  expect(await accepts(before.ports.temporal)).toBe(false);
  expect(await stopSandbox(dir)).toBe(false);

  const again = await ensureSandbox({ dir, simulatedNodes: 1 });
  expect({ ...again, started: undefined }).toEqual({ ...sandbox, started: undefined });
  expect(stateOf(dir).options).toMatchObject({
    durable: false,
    simulatedNodes: { count: 1, gpusPerNode: 8 },
  });
  expect(await cluster.list(NODES)).toMatchObject({ items: [{ metadata: { name: 'sim-0' } }] });
  expect(await cluster.get(CONFIG_MAPS, 'default', 'kept')).toMatchObject({
    data: { answer: '42' },
  });
  expect(await workflowStatus('kept')).toBe('WORKFLOW_EXECUTION_STATUS_RUNNING');
});

test('`reset` deletes all data', async () => {
  expect(await resetSandbox(dir)).toBe(true);
  expect(sandboxStatus(dir)).toEqual({ running: false });
  await expect(stat(`${dir}/data`)).rejects.toThrow('ENOENT');
});

function component(name: string) {
  const found = stateOf(dir).components.find((each) => each.name === name);
  if (found === undefined) throw new Error(`expected a component ${name}`);
  return found;
}

async function startWorkflow(id: string): Promise<void> {
  const body = { workflowType: { name: 'nobody-runs-this' }, taskQueue: { name: 'none' }, requestId: id };
  const answer = await fetch(workflowUrl(id), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(answer.status).toBe(200);
}

async function workflowStatus(id: string): Promise<string> {
  const answer = (await (await fetch(workflowUrl(id))).json()) as {
    workflowExecutionInfo: { status: string };
  };
  return answer.workflowExecutionInfo.status;
}

function workflowUrl(id: string): string {
  return `http://127.0.0.1:${stateOf(dir).ports.temporalHttp}/api/v1/namespaces/default/workflows/${id}`;
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connectTcp(port, '127.0.0.1');
    socket.once('error', () => resolve(false));
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
  });
}

/** Returns the addresses that a process listens on, in the kernel's hexadecimal form. */
async function tcpListenersOf(pid: number | undefined): Promise<string[]> {
  const fds = await readdir(`/proc/${pid}/fd`);
  const links = await Promise.all(fds.map((fd) => readlink(`/proc/${pid}/fd/${fd}`).catch(() => '')));
  const tables = await Promise.all(
    ['tcp', 'tcp6'].map((name) => readFile(`/proc/${pid}/net/${name}`, 'utf8')),
  );
  const LISTEN = '0A';
  return tables
    .flatMap((table) => table.split('\n').map((line) => line.trim().split(/\s+/)))
    .filter(([, , , state, , , , , , inode]) => state === LISTEN && links.includes(`socket:[${inode}]`))
    .map(([, address]) => address as string);
}
