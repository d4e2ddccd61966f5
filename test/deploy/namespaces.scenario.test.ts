import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ensureSandbox, resetSandbox } from '@signalbox/sandbox';
import type { Client } from '@temporalio/client';
import type { Finding } from '../../cli/doctor/finding.ts';
import { ClusterClient } from '../../cluster/client.ts';
import { CONFIG_MAPS, type ConfigMap, NAMESPACES, PODS } from '../../contracts/kubernetes.ts';
import { TRAINING_JOB } from '../../contracts/messages.ts';
import type { JobStatus } from '../../contracts/types.ts';
import { connectTemporal } from '../../temporal/connection.ts';
import { signalbox } from '../cli/process.ts';
import { eventually } from '../eventually.ts';
import { createToken } from '../service-account.ts';
import { EngineProcess } from './engine-process.ts';
import { type Installer, openInstallers } from './installers.ts';
import { NAMESPACE } from './manifests.ts';
import { kubeconfigOf } from './proxied-kubeconfig.ts';
import { type RecordingProxy, startRecordingProxy } from './recording-proxy.ts';

/** deploy/kubernetes/teams on a real API server: one engine, with rights in two namespaces only. */

type Part = 'worker' | 'watcher';

let dir: string;
/** Of an administrator. */
let kubeconfig: string;
let cluster: ClusterClient;
let temporal: Client;
let kubectl: Installer;
const proxies = {} as Record<Part, RecordingProxy>;
const settings = {} as Record<Part, Record<string, string>>;
const engines = {} as Record<Part, EngineProcess>;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'signalbox-namespaces-'));
  const sandbox = await ensureSandbox({ dir, durable: false, localNode: false, simulatedNodes: 1 });
  const { temporalAddress: address } = sandbox;
  kubeconfig = sandbox.kubeconfig;
  cluster = await ClusterClient.connect({ kubeconfig });
  temporal = await connectTemporal({ address, namespace: 'default' });
  ({ kubectl } = await openInstallers(kubeconfig));
  for (const name of ['team-a', 'team-b', 'team-c'])
    await cluster.create(NAMESPACES, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  await kubectl('apply', '-k', 'deploy/kubernetes/teams');
  const { clusters } = JSON.parse(await readFile(kubeconfig, 'utf8'));
  const ca = Buffer.from(clusters[0].cluster['certificate-authority-data'], 'base64').toString();
  const installed = await cluster.get<ConfigMap>(CONFIG_MAPS, NAMESPACE, 'signalbox-settings');
  for (const part of ['worker', 'watcher'] as const) {
    const token = await createToken(cluster, { namespace: NAMESPACE, name: `signalbox-${part}` });
    proxies[part] = await startRecordingProxy(sandbox.kubernetesUrl, ca);
    const file = join(dir, `${part}.kubeconfig`);
    await writeFile(file, JSON.stringify(kubeconfigOf(proxies[part].url, token)));
    settings[part] = { ...installed.data, ...here(address), SIGNALBOX_KUBECONFIG: file };
    engines[part] = new EngineProcess([part], settings[part]);
    await untilReady(part);
  }
}, 30 * 60_000);

afterAll(async () => {
  await Promise.all(Object.values(engines).map((engine) => engine.stop()));
  for (const proxy of Object.values(proxies)) await proxy.close();
  await temporal?.connection.close();
  await cluster?.close();
  if (dir) await resetSandbox(dir);
  if (dir) await rm(dir, { recursive: true, force: true });
});

/** What is different on this machine. */
const here = (address: string) => ({
  TEMPORAL_ADDRESS: address,
  SIGNALBOX_EVIDENCE_DIR: join(dir, 'evidence'),
  SIGNALBOX_ARCHIVE_STORE: 'none',
  SIGNALBOX_HTTP_HOST: '127.0.0.1',
  SIGNALBOX_HTTP_PORT: '0',
  SIGNALBOX_SCAN_INTERVAL: '1',
  SIGNALBOX_LEASE_DURATION: '3',
});

const untilReady = (part: Part) =>
  eventually(`the ${part} is ready`, async () => {
    const answer = await engines[part].readiness();
    if (answer?.status !== 200) throw new Error(answer?.text ?? 'it does not answer');
    return answer;
  });

const template = { spec: { containers: [{ name: 'pytorch', image: 'simulated' }] } };

const submit = (namespace: string, name: string) =>
  temporal.workflow.start(TRAINING_JOB, {
    workflowId: `job/${namespace}/${name}`,
    taskQueue: 'signalbox',
    args: [
      {
        ...{ apiVersion: 'kubeflow.org/v1', kind: 'PyTorchJob', metadata: { name, namespace } },
        spec: { pytorchReplicaSpecs: { Master: { template }, Worker: { replicas: 2, template } } },
      },
    ],
  });

type Job = Awaited<ReturnType<typeof submit>>;

const untilPhase = (job: Job, phase: string) =>
  eventually(`${job.workflowId} is ${phase}`, async () => {
    const status = await job.query<JobStatus>('status');
    if (status.phase !== phase) throw new Error(`it is ${status.phase}: ${status.cause?.message}`);
    return status;
  });

async function complete(job: Job): Promise<void> {
  const [, namespace, name] = job.workflowId.split('/');
  await untilPhase(job, 'Running');
  const metadata = { annotations: { 'signalbox.dev/simulate': 'succeeded' } };
  await cluster.patch(PODS, { namespace: namespace!, name: `${name}-master-0` }, { metadata });
  await expect(job.result()).resolves.toMatchObject({ phase: 'Completed' });
}

async function rightsOf(part: Part, more: Record<string, string> = {}): Promise<readonly Finding[]> {
  const env = { ...settings[part], ...more };
  const { stdout } = await signalbox(['doctor', '-o', 'json', '--for', part], { env });
  return (JSON.parse(stdout) as Finding[]).filter(
    ({ check }) => check === 'rights' || check === 'namespaces',
  );
}

test('jobs of both namespaces run to Completed, without a right anywhere else', async () => {
  const jobs = [await submit('team-a', 'train'), await submit('team-b', 'train')];
  for (const job of jobs) await complete(job);
  expect([...proxies.worker.forbidden].sort()).toEqual(['get namespaces']);
  expect([...proxies.watcher.forbidden].sort()).toEqual(['get namespaces', 'list nodes']);
});

test('a job of a third namespace is refused, and nothing of it is there', async () => {
  const job = await submit('team-c', 'train');
  await expect(job.result()).rejects.toMatchObject({
    cause: {
      type: 'InvalidManifest',
      message:
        'metadata.namespace: expected a namespace that this installation serves (team-a, team-b), got "team-c"',
    },
  });
  const { items } = await cluster.list(CONFIG_MAPS, { namespace: 'team-c' });
  expect(items.map(({ metadata }) => metadata.name)).toEqual(['kube-root-ca.crt']);
});

test.each(['worker', 'watcher'] as const)('signalbox doctor finds the rights of the %s', async (part) => {
  const found = await rightsOf(part);
  expect(found.filter(({ state }) => state === 'fault')).toEqual([]);
});

test('a namespace that gives no rights holds up no other, is named, and is served when it gives them', async () => {
  await kubectl('delete', 'rolebinding', '-n', 'team-b', 'signalbox-watcher');
  expect(await rightsOf('watcher')).toContainEqual(
    expect.objectContaining({
      state: 'fault',
      message: expect.stringMatching(
        /^this account may not list pods, watch pods, .* in namespace team-b; without: jobs$/,
      ),
    }),
  );
  await engines.watcher.stop();
  engines.watcher = new EngineProcess(['watcher'], settings.watcher);
  const [ours, theirs] = [await submit('team-a', 'next'), await submit('team-b', 'next')];
  await complete(ours);
  expect(await untilReady('watcher')).toMatchObject({
    text: expect.stringMatching(
      /v1\/pods in team-b: .*may not list pods in namespace team-b.*; its jobs are not followed/,
    ),
  });
  await kubectl('apply', '-k', 'deploy/kubernetes/teams');
  await complete(theirs);
  await eventually('nothing is impaired', async () => {
    const { text } = await untilReady('watcher');
    return !text.includes('team-b');
  });
});

test('a namespace that does not exist is named, by its rights or, to whom may read namespaces, as missing', async () => {
  const missing = { SIGNALBOX_NAMESPACES: 'team-a,team-x' };
  expect(await rightsOf('watcher', missing)).toContainEqual(
    expect.objectContaining({
      message: expect.stringMatching(
        /^this account may not list pods, .* in namespace team-x; without: jobs$/,
      ),
    }),
  );
  expect(await rightsOf('watcher', { ...missing, SIGNALBOX_KUBECONFIG: kubeconfig })).toEqual([
    expect.objectContaining({ state: 'fault', message: 'the cluster has no namespace team-x' }),
    expect.objectContaining({ state: 'ok', check: 'rights' }),
  ]);
});
