import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ensureSandbox, resetSandbox } from '@signalbox/sandbox';
import type { Client } from '@temporalio/client';
import { ClusterClient } from '../../cluster/client.ts';
import {
  CONFIG_MAPS,
  type KubeObject,
  NETWORK_POLICIES,
  NODES,
  PODS,
  type Resource,
  ROLE_BINDINGS,
  ROLES,
  SECRETS,
  SERVICES,
  STORAGE_CLASSES,
  VOLUME_CLAIMS,
} from '../../contracts/kubernetes.ts';
import { anchorNameOf } from '../../contracts/labels.ts';
import { TRAINING_JOB } from '../../contracts/messages.ts';
import { RPC, type RpcAnswer } from '../../contracts/rpc.ts';
import type { JobStatus, WhyAnswer } from '../../contracts/types.ts';
import { connectTemporal } from '../../temporal/connection.ts';
import { eventually } from '../eventually.ts';
import { boundClaim, withVolumes } from '../scenarios/volumes.ts';
import { createToken } from '../service-account.ts';
import { EngineProcess } from './engine-process.ts';
import {
  clusterManifests,
  collectionOf,
  findManifest,
  mpiManifests,
  NAMESPACE,
  questionManifests,
  type Rules,
  type Settings,
} from './manifests.ts';
import { kubeconfigOf } from './proxied-kubeconfig.ts';
import { type Sender, send } from './raw-request.ts';
import { type RecordingProxy, startRecordingProxy } from './recording-proxy.ts';

/**
 * The engine on a real API server, with nothing but the accounts of deploy/kubernetes/cluster: it can do all it has to,
 * uses all it was given, and can do nothing else.
 */

let dir: string;
let admin: Sender;
let cluster: ClusterClient;
let temporal: Client;
const accounts = {} as Record<'worker' | 'watcher', Account>;
const processes: EngineProcess[] = [];

interface Account {
  readonly proxy: RecordingProxy;
  readonly sender: Sender;
}

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'signalbox-deploy-'));
  const sandbox = await ensureSandbox({ dir, durable: false, localNode: false, simulatedNodes: 1 });
  const { kubeconfig, kubernetesUrl: url, temporalAddress: address } = sandbox;
  const { clusters, users } = JSON.parse(await readFile(kubeconfig, 'utf8'));
  const ca = Buffer.from(clusters[0].cluster['certificate-authority-data'], 'base64').toString();
  admin = { url, ca, token: users[0].user.token };
  cluster = await ClusterClient.connect({ kubeconfig });
  temporal = await connectTemporal({ address, namespace: 'default' });
  // Strict: an unknown or a doubled field is refused.
  for (const object of clusterManifests()) {
    expect(await create(object, 'Strict')).toBe(201);
  }
  for (const part of ['worker', 'watcher'] as const) await start(part, address);
  await eventually('worker and watchers are ready', async () => {
    const answers = await Promise.all(processes.map((engine) => engine.readiness()));
    return answers.every((answer) => answer?.status === 200);
  });
}, 30 * 60_000);

afterAll(async () => {
  await Promise.all(processes.map((engine) => engine.stop()));
  for (const { proxy } of Object.values(accounts)) await proxy.close();
  await temporal?.connection.close();
  await cluster?.close();
  if (dir) await resetSandbox(dir);
  if (dir) await rm(dir, { recursive: true, force: true });
});

const create = (object: KubeObject, fieldValidation = 'Warn') =>
  send(admin, 'POST', `${collectionOf(object)}?fieldValidation=${fieldValidation}`, object);

/** The process of a Deployment: its arguments and settings, its account's token; only addresses are this machine's. */
async function start(part: 'worker' | 'watcher', address: string): Promise<void> {
  const token = await createToken(cluster, { namespace: NAMESPACE, name: `signalbox-${part}` });
  const proxy = await startRecordingProxy(admin.url, admin.ca);
  accounts[part] = { proxy, sender: { ...admin, token } };
  const kubeconfig = join(dir, `${part}.kubeconfig`);
  await writeFile(kubeconfig, JSON.stringify(kubeconfigOf(proxy.url, token)));
  const { data } = findManifest<Settings>('ConfigMap', 'signalbox-settings');
  const settings = {
    ...data,
    TEMPORAL_ADDRESS: address,
    SIGNALBOX_KUBECONFIG: kubeconfig,
    SIGNALBOX_EVIDENCE_DIR: join(dir, 'evidence'),
    SIGNALBOX_ARCHIVE_DIR: join(dir, 'archive'),
    SIGNALBOX_HTTP_HOST: '127.0.0.1',
    SIGNALBOX_HTTP_PORT: '0',
    SIGNALBOX_SCAN_INTERVAL: '1',
  };
  // Of two watchers one stands by, and needs other rights than the one that leads.
  const replicas = part === 'watcher' ? 2 : 1;
  for (let i = 0; i < replicas; i++) processes.push(new EngineProcess([part], settings));
}

/** A manifest whose pods run until they are told to end. */
function aJob(name: string, cleanPodPolicy: string, annotations = {}) {
  const template = { spec: { containers: [{ name: 'pytorch', image: 'simulated' }] } };
  const role = (replicas: number) => ({ replicas, restartPolicy: 'OnFailure', template });
  return {
    apiVersion: 'kubeflow.org/v1',
    kind: 'PyTorchJob',
    metadata: {
      ...{ name, namespace: 'default' },
      // Its log is followed.
      annotations: { 'signalbox.dev/policy': 'progress: { log: step }', ...annotations },
    },
    spec: { runPolicy: { cleanPodPolicy }, pytorchReplicaSpecs: { Master: role(1), Worker: role(2) } },
  };
}

function aVolcanoJob(name: string) {
  const template = { spec: { containers: [{ name: 'main', image: 'simulated' }] } };
  return {
    apiVersion: 'batch.volcano.sh/v1alpha1',
    kind: 'Job',
    metadata: { name, namespace: 'default' },
    spec: { plugins: { svc: [] }, tasks: [{ name: 'worker', replicas: 2, template }] },
  };
}

function anMpiJob(name: string, version: string) {
  const template = { spec: { containers: [{ name: 'mpi', image: 'simulated' }] } };
  return {
    apiVersion: `kubeflow.org/${version}`,
    kind: 'MPIJob',
    metadata: { name, namespace: 'default' },
    spec: { mpiReplicaSpecs: { Launcher: { template }, Worker: { replicas: 2, template } } },
  };
}

const submit = (manifest: { readonly metadata: { readonly name: string } }) =>
  temporal.workflow.start(TRAINING_JOB, {
    workflowId: `job/default/${manifest.metadata.name}`,
    taskQueue: 'signalbox',
    args: [manifest],
  });

const statusOf = (name: string) =>
  temporal.workflow.getHandle(`job/default/${name}`).query<JobStatus>('status');

const reaches = (name: string, phase: string, holds: (status: JobStatus) => boolean = () => true) =>
  eventually(`${name} is ${phase}`, async () => {
    const status = await statusOf(name);
    if (status.phase !== phase) throw new Error(`it is ${status.phase}: ${status.cause?.message}`);
    return holds(status);
  });

const end = (pod: string, how: 'succeeded' | 'failed') =>
  cluster.patch(
    PODS,
    { namespace: 'default', name: pod },
    { metadata: { annotations: { 'signalbox.dev/simulate': how } } },
  );

describe('with the accounts of the manifests', () => {
  test('a gang runs to Completed, and what its clean-up policy names is removed', async () => {
    const job = await submit(aJob('first', 'Running'));
    await reaches('first', 'Running');
    await end('first-master-0', 'succeeded');
    await expect(job.result()).resolves.toMatchObject({ phase: 'Completed' });
    const { items } = await cluster.list(PODS, { namespace: 'default' });
    expect(items.map(({ metadata }) => metadata.name)).toEqual(['first-master-0']);
  });

  test('a failed pod is replaced', async () => {
    const job = await submit(aJob('second', 'All'));
    await reaches('second', 'Running');
    await end('second-worker-1', 'failed');
    await reaches('second', 'Running', ({ restarts }) => restarts === 1);
    await end('second-master-0', 'succeeded');
    await expect(job.result()).resolves.toMatchObject({ phase: 'Completed', restarts: 1 });
  });

  test('a job takes over the name of an ended one', async () => {
    await submit(aJob('first', 'All'));
    await reaches('first', 'Running');
  });

  test('a gated gang waits for the claims that it mounts', async () => {
    const [node] = (await cluster.list(NODES, {})).items;
    const { name } = node!.metadata;
    const removeVolume = await boundClaim({ cluster, namespace: 'default' }, { claim: 'bound', node: name });
    await cluster.create(STORAGE_CLASSES, {
      ...{ apiVersion: 'storage.k8s.io/v1', kind: 'StorageClass', metadata: { name: 'slow' } },
      ...{ provisioner: 'nobody', volumeBindingMode: 'Immediate' },
    });
    const requests = { storage: '1Gi' };
    await cluster.create(VOLUME_CLAIMS, {
      ...{
        apiVersion: 'v1',
        kind: 'PersistentVolumeClaim',
        metadata: { name: 'late', namespace: 'default' },
      },
      spec: { accessModes: ['ReadWriteOnce'], storageClassName: 'slow', resources: { requests } },
    });
    const volumes = ['bound', 'late'].map((claimName) => ({
      ...{ name: claimName, persistentVolumeClaim: { claimName } },
    }));
    const job = await submit(
      withVolumes(aJob('mounting', 'All', { 'signalbox.dev/gang': 'gated' }), volumes),
    );
    await reaches('mounting', 'Pending', ({ cause }) =>
      /the PersistentVolumeClaim late is not bound yet by its StorageClass slow/.test(cause?.message ?? ''),
    );
    await job.executeUpdate('stop', { args: [{}] });
    await job.result();
    await removeVolume();
  });

  test('a deleted Service is restored', async () => {
    await cluster.delete(SERVICES, 'default', 'first-worker-0');
    await eventually('it is there again', () => cluster.find(SERVICES, 'default', 'first-worker-0'));
  });

  test('the objects of a terminated workflow are cleaned up', async () => {
    await temporal.workflow.getHandle('job/default/first').terminate();
    await eventually('its pods are gone', async () => {
      const { items } = await cluster.list(PODS, { namespace: 'default' });
      return items.length === 0;
    });
    await eventually('its anchor says so', async () => {
      const { data } = await cluster.get(CONFIG_MAPS, 'default', anchorNameOf('first'));
      return (JSON.parse(data?.status ?? '{}') as JobStatus).cause?.reason === 'WorkflowTerminated';
    });
  });

  test('a job writes a checkpoint before it stops', async () => {
    const { metadata, ...manifest } = aJob('third', 'All');
    const annotations = { 'signalbox.dev/policy': 'checkpoint: { file: /signalbox/checkpoint, within: 1s }' };
    const asking = { ...manifest, metadata: { ...metadata, annotations } };
    const job = await submit(asking);
    await reaches('third', 'Running');
    await job.executeUpdate('stop', { args: [{ checkpoint: true }] });
    await expect(job.result()).resolves.toMatchObject({ phase: 'Stopped' });
  });

  test('a job without progress in its annotation stalls', async () => {
    const { metadata, ...manifest } = aJob('fourth', 'All');
    const policy = {
      progress: { annotation: 'example.com/step', stalledAfter: '1s' },
      failures: { classes: { stalled: { final: true } } },
    };
    const annotations = { 'signalbox.dev/policy': JSON.stringify(policy) };
    const silent = { ...manifest, metadata: { ...metadata, annotations } };
    await submit(silent);
    await reaches('fourth', 'Failed', ({ cause }) => cause?.reason === 'Stalled');
  });

  test('a Volcano Job runs with the policy of its network, which goes when it is stopped', async () => {
    const job = await submit(aVolcanoJob('fifth'));
    await reaches('fifth', 'Running');
    expect(await namesOf(NETWORK_POLICIES)).toHaveLength(1);
    await job.executeUpdate('stop', { args: [{}] });
    await expect(job.result()).resolves.toMatchObject({ phase: 'Stopped' });
    expect(await namesOf(NETWORK_POLICIES)).toEqual([]);
  });

  test('no request was refused', () => {
    expect([...accounts.worker.proxy.forbidden]).toEqual([]);
    expect([...accounts.watcher.proxy.forbidden]).toEqual([]);
  });
});

const PEEK = {
  secrets: ['GET', '/api/v1/namespaces/default/secrets'],
  'secrets of its own namespace': ['GET', `/api/v1/namespaces/${NAMESPACE}/secrets`],
  'a secret by name': ['GET', '/api/v1/namespaces/default/secrets/any'],
  'a shell in a pod': ['POST', '/api/v1/namespaces/default/pods/any/exec'],
  'tokens of accounts': ['POST', `/api/v1/namespaces/${NAMESPACE}/serviceaccounts/signalbox-worker/token`],
  roles: ['GET', '/apis/rbac.authorization.k8s.io/v1/clusterroles'],
  deployments: ['GET', '/apis/apps/v1/deployments'],
  'any lease': ['GET', '/apis/coordination.k8s.io/v1/namespaces/kube-system/leases'],
} as const;

/** Each of the two may what the other may not. */
const NODE_READS = {
  'all nodes': ['GET', '/api/v1/nodes'],
  'a node by name': ['GET', '/api/v1/nodes/any'],
} as const;

const WRITE = {
  pods: ['POST', '/api/v1/namespaces/default/pods'],
  'deletion of pods': ['DELETE', '/api/v1/namespaces/default/pods?labelSelector=any'],
  'ConfigMaps to write': ['PATCH', '/api/v1/namespaces/default/configmaps/any'],
  'a lease of another name': ['PUT', `/apis/coordination.k8s.io/v1/namespaces/${NAMESPACE}/leases/another`],
} as const;

describe('the manifests forbid', () => {
  test.each([
    ...Object.keys(PEEK).flatMap((what) => [['worker', what] as const, ['watcher', what] as const]),
    ...Object.keys(WRITE).map((what) => ['watcher', what] as const),
    ['worker', 'a lease of another name'] as const,
    ['worker', 'all nodes'] as const,
    ['watcher', 'a node by name'] as const,
  ])('the %s to have %s', async (part, what) => {
    const [method, path] = { ...PEEK, ...NODE_READS, ...WRITE }[what as keyof typeof PEEK];
    const body = method === 'GET' ? undefined : {};
    expect(await send(accounts[part].sender, method, path, body)).toBe(403);
  });
});

describe('with the permissions for MPIJobs added', () => {
  test('both kinds of MPIJobs run, and leave nothing when they are stopped', async () => {
    const refused = new Set(accounts.worker.proxy.forbidden);
    for (const object of mpiManifests()) expect(await create(object)).toBe(201);
    for (const version of ['v1', 'v2beta1']) {
      const name = `mpi-${version}`;
      const job = await submit(anMpiJob(name, version));
      await reaches(name, 'Running');
      await job.executeUpdate('stop', { args: [{}] });
      await expect(job.result()).resolves.toMatchObject({ phase: 'Stopped' });
    }
    const refusedSince = [...accounts.worker.proxy.forbidden].filter((verb) => !refused.has(verb));
    expect(refusedSince).toEqual([]);
    expect(await namesOf(ROLES, SECRETS, ROLE_BINDINGS)).toEqual([]);
  });
});

async function namesOf(...resources: readonly Resource[]): Promise<string[]> {
  const lists = await Promise.all(resources.map((one) => cluster.list(one, { namespace: 'default' })));
  return lists.flatMap(({ items }) => items.map(({ metadata }) => metadata.name));
}

/**
 * Only after a lost answer, to look whether what is there already is ours; after somebody has removed labels or owners; and of jobs that are scaled, with a gang
 * scheduler that this cluster does not have, or with a launcher; and in queues of Kueue (test/long/kueue.long.ts).
 */
const RARE = [
  ...['create', 'get', 'list', 'patch', 'delete'].map((verb) => `${verb} workloads`),
  ...['patch workloads/status', 'get resourceflavors', 'get workloadpriorityclasses'],
  ...['get priorityclasses', 'list priorityclasses'],
  'patch podgroups',
  'patch roles',
  'get services',
  'get networkpolicies',
  // Of TrainJobs, whose runtimes this cluster does not serve (scenarios/train-jobs.scenario.test.ts).
  ...['get clustertrainingruntimes', 'get trainingruntimes'],
  ...['create', 'get', 'delete'].map((verb) => `${verb} persistentvolumeclaims`),
  'get podgroups',
  'get serviceaccounts',
  'get roles',
  'get rolebindings',
  'get secrets',
];

/** Held to be given on: the launcher of an MPIJob uses them. */
const GIVEN_ON = ['watch pods', 'create pods/exec'];

describe('the roles grant exactly the permissions in use:', () => {
  test.each([
    [
      'worker',
      [
        findManifest<Rules>('ClusterRole', 'signalbox-worker'),
        findManifest<Rules>('ClusterRole', 'signalbox-worker-mpi'),
        findManifest<Rules>('ClusterRole', 'signalbox-worker-cluster-id'),
        findManifest<Rules>('ClusterRole', 'signalbox-worker-flavors'),
      ],
      [...RARE, ...GIVEN_ON],
    ],
    [
      'watcher',
      [
        findManifest<Rules>('ClusterRole', 'signalbox-watcher'),
        findManifest<Rules>('ClusterRole', 'signalbox-watcher-nodes'),
        findManifest<Rules>('ClusterRole', 'signalbox-watcher-cluster-id'),
        findManifest<Rules>('Role', 'signalbox-watcher-lease'),
      ],
      ['list workloads', 'watch workloads'],
    ],
  ] as const)('%s', (part, roles, rare) => {
    const granted = roles.flatMap(({ rules }) =>
      rules.flatMap(({ resources, verbs }) =>
        resources.flatMap((resource) => verbs.map((verb) => `${verb} ${resource}`)),
      ),
    );
    const used = new Set([...accounts[part].proxy.allowed, ...rare]);
    expect([...used].sort()).toEqual([...new Set(granted)].sort());
  });
});

describe('who asks why a job would wait', () => {
  const asked = async () => {
    const given = { manifest: aJob('asked', 'All'), namespace: 'default' };
    const answer: RpcAnswer = await temporal.workflow.execute(RPC, {
      ...{ workflowId: `${RPC}/${randomUUID()}`, taskQueue: 'signalbox' },
      args: [{ method: 'whyManifest', arguments: given }],
    });
    return answer.result as WhyAnswer;
  };

  test('is told what the worker may not read', async () => {
    const { unknown } = await asked();
    expect(unknown.join('\n')).toMatch(/nodes may not be listed/);
    expect(unknown.join('\n')).toMatch(/ResourceQuotas may not be listed/);
  });

  test('is told all with the permissions for questions added', async () => {
    for (const object of questionManifests()) expect(await create(object)).toBe(201);
    await eventually('the rights are in effect', async () => (await asked()).placements.length > 0);
    expect(await asked()).toMatchObject({ reasons: [], fits: 'yes', unknown: [] });
  });
});
