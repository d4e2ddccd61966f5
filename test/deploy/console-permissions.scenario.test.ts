import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import { parseAllDocuments, stringify } from 'yaml';
import { SignalboxClient } from '../../client/handles/client.ts';
import type { JobHandle } from '../../client/handles/job-handle.ts';
import { type RunningConsole, startConsole } from '../../console/console.ts';
import { type KubeObject, type Resource, SERVICE_ACCOUNTS } from '../../contracts/kubernetes.ts';
import { EventReader } from '../console/event-reader.ts';
import { eventually } from '../eventually.ts';
import { simulatedJob } from '../scenarios/manifests.ts';
import { openStage, type Stage, untilPhase } from '../scenarios/stage.ts';
import { createToken } from '../service-account.ts';
import { ROOT, type Rules } from './manifests.ts';
import { kubeconfigOf } from './proxied-kubeconfig.ts';
import { type Sender, send } from './raw-request.ts';
import { type RecordingProxy, startRecordingProxy } from './recording-proxy.ts';

/** The console with nothing but the account of the chart: it shows all it has to, and its account can do nothing else. */

let stage: Stage;
let folder: string;
let proxy: RecordingProxy;
let running: RunningConsole;
let account: Sender;
let person: Readonly<Record<string, string>>;
let job: JobHandle;

const suffix = randomUUID().slice(0, 8);
const access = parseAllDocuments(
  await readFile(join(ROOT, 'charts/signalbox/access/console/console.yaml'), 'utf8'),
).map((document) => document.toJS() as KubeObject);

const ofRbac = (kind: string, plural: string): Resource => ({
  ...{ apiVersion: 'rbac.authorization.k8s.io/v1', kind, plural },
  namespaced: false,
});
const RESOURCES: Readonly<Record<string, Resource>> = {
  ServiceAccount: SERVICE_ACCOUNTS,
  ClusterRole: ofRbac('ClusterRole', 'clusterroles'),
  ClusterRoleBinding: ofRbac('ClusterRoleBinding', 'clusterrolebindings'),
};

/** As the chart does for a release: in its namespace, with names of its own. */
function ofRelease(object: KubeObject): KubeObject {
  const text = JSON.stringify(object)
    .replaceAll('"signalbox-system"', `"${stage.namespace}"`)
    .replaceAll(/"(signalbox-console[\w-]*)"/g, `"$1-${suffix}"`);
  return JSON.parse(text) as KubeObject;
}

beforeAll(async () => {
  stage = await openStage({ sharesEngine: true });
  const { cluster, sandbox, namespace } = stage;
  for (const object of access) await cluster.create(RESOURCES[object.kind]!, ofRelease(object));
  folder = await mkdtemp(join(tmpdir(), 'signalbox-console-'));
  const { clusters } = JSON.parse(await readFile(sandbox.kubeconfig, 'utf8'));
  const ca = Buffer.from(clusters[0].cluster['certificate-authority-data'], 'base64').toString();
  const token = await createToken(cluster, { namespace, name: `signalbox-console-${suffix}` });
  account = { url: sandbox.kubernetesUrl, ca, token };
  proxy = await startRecordingProxy(sandbox.kubernetesUrl, ca);
  const kubeconfig = join(folder, 'kubeconfig');
  await writeFile(kubeconfig, JSON.stringify(kubeconfigOf(proxy.url, token)));
  running = await startConsole(
    {
      ...{
        temporal: { address: sandbox.temporalAddress, namespace: 'default' },
        cluster: { kubeconfig, connections: 8 },
      },
      ...{ taskQueue: 'signalbox', logLevel: 'error', http: { host: '', port: 0 } },
      console: {
        ...{ host: '127.0.0.1', port: 0, identity: 'kubernetes', proxies: [], isReadOnly: false },
        ...{ userHeader: 'x-forwarded-user', groupsHeader: 'x-forwarded-groups' },
      },
    },
    pino({ level: 'error' }),
    () =>
      SignalboxClient.connect({
        ...{ temporal: { address: sandbox.temporalAddress, namespace: 'default' }, namespace },
        cluster: { kubeconfig },
      }),
  );
  await letAnaIn();
  job = await stage.client.submit(simulatedJob({ name: 'seen', namespace, worker: false, gpus: 2 }));
  await untilPhase(job, 'Running');
});

afterAll(async () => {
  await running?.stop();
  await proxy?.close();
  for (const object of access.filter(({ kind }) => kind !== 'ServiceAccount'))
    await stage.cluster.delete(RESOURCES[object.kind]!, undefined, ofRelease(object).metadata.name);
  await rm(folder, { recursive: true, force: true });
  await stage?.close();
});

/** Somebody who may do anything with jobs of the namespace, and nothing else. */
async function letAnaIn(): Promise<void> {
  const { cluster, namespace } = stage;
  const metadata = { name: 'ana', namespace };
  await cluster.create(SERVICE_ACCOUNTS, { apiVersion: 'v1', kind: 'ServiceAccount', metadata });
  const { apiVersion } = RESOURCES.ClusterRole!;
  const rules = [{ apiGroups: ['signalbox.dev'], resources: ['*'], verbs: ['*'] }];
  const role: Resource = { apiVersion, kind: 'Role', plural: 'roles', namespaced: true };
  await cluster.create(role, { apiVersion, kind: 'Role', metadata, rules } as KubeObject);
  await cluster.create({ ...role, kind: 'RoleBinding', plural: 'rolebindings' }, {
    ...{ apiVersion, kind: 'RoleBinding', metadata },
    subjects: [{ kind: 'ServiceAccount', name: 'ana', namespace }],
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'ana' },
  } as KubeObject);
  person = { authorization: `Bearer ${await createToken(cluster, { namespace, name: 'ana' })}` };
}

async function page(path: string, init: RequestInit = {}) {
  const headers = { ...person, ...(init.headers as object) };
  const answer = await fetch(running.address + path, { redirect: 'manual', ...init, headers });
  return { status: answer.status, text: await answer.text(), headers: answer.headers };
}

/** As a person does: loads the form, fills it in, sends it. */
async function post(path: string, fields: Readonly<Record<string, string>>) {
  const { text, headers } = await page(path);
  const token = /name="token" value="([^"]+)"/.exec(text)?.[1] ?? '';
  const cookie = headers.get('set-cookie')?.split(';')[0] ?? '';
  const body = new URLSearchParams({ token, ...fields });
  return page(path, { method: 'POST', body, headers: { cookie, origin: running.address } });
}

describe('with the account of the chart', () => {
  it('lists, pages, logs, streams, the map of GPUs and checks of manifests work', async () => {
    const { namespace } = stage;
    const path = `/jobs/${namespace}/seen`;
    await eventually('it is listed', async () => (await page('/')).text.includes(path));
    for (const one of [path, `${path}/logs`, `${path}/report`, '/waiting', `/team?namespace=${namespace}`])
      expect({ one, status: (await page(one)).status }).toEqual({ one, status: 200 });
    const stream = new EventReader(`${running.address}${path}/events`, person);
    expect(await stream.status).toBe(200);
    stream.close();
    const manifest = stringify(simulatedJob({ name: 'other', namespace, worker: false }));
    expect((await post('/submit', { manifest, do: 'check' })).text).toContain('It is valid.');
  });

  it('why a job waits is known, node by node', async () => {
    const waiting = await stage.client.submit(
      simulatedJob({ name: 'waits', namespace: stage.namespace, worker: false, gpus: 4_000 }),
    );
    await eventually('it waits', async () =>
      /No node|nodes? /i.test((await page(`/jobs/${stage.namespace}/waits`)).text),
    );
    await waiting.stop({ why: 'a test' });
  });

  it('what somebody asks is done', async () => {
    const answer = await post(`/jobs/${stage.namespace}/seen/do/stop`, { why: 'a test', confirm: 'seen' });
    expect(answer.status).toBe(303);
    expect((await job.wait()).phase).toBe('Stopped');
  });

  /** A dry run of the pods of a manifest; its page says that they were not tried. */
  it('nothing was refused but what only those may who make pods', () => {
    expect([...proxy.forbidden]).toEqual(['create pods']);
  });
});

/** Of silent jobs, of jobs with claims, priorities, queues of Kueue and Volcano, gang schedulers, lanes; and of people in some namespaces alone. */
const RARE = [
  ...['get persistentvolumeclaims', 'get persistentvolumes', 'list persistentvolumes', 'get serviceaccounts'],
  ...['get storageclasses', 'get csidrivers', 'get priorityclasses', 'get runtimeclasses', 'get queues'],
  ...['get leases', 'list leases', 'get podgroups', 'get localqueues', 'list workloads'],
  ...['get localqueues/pendingworkloads', 'watch configmaps', 'get pods'],
];

it('the roles grant nothing that is not used', () => {
  const granted = access.flatMap((object) =>
    ((object as Rules).rules ?? []).flatMap(({ resources, verbs }) =>
      resources.flatMap((resource) => verbs.map((verb) => `${verb} ${resource}`)),
    ),
  );
  const used = [...new Set([...proxy.allowed, ...RARE])].filter(
    (one) => !one.endsWith('selfsubjectaccessreviews'),
  );
  expect(used.sort()).toEqual([...new Set(granted)].sort());
});

describe('the account may not', () => {
  it.each([
    ['read Secrets', 'GET', '/api/v1/secrets'],
    ['make pods', 'POST', '/api/v1/namespaces/default/pods'],
    ['delete pods', 'DELETE', '/api/v1/namespaces/default/pods/any'],
    ['change ConfigMaps', 'PATCH', '/api/v1/namespaces/default/configmaps/any'],
    ['execute in pods', 'POST', '/api/v1/namespaces/default/pods/any/exec'],
    ['take tokens', 'POST', '/api/v1/namespaces/default/serviceaccounts/default/token'],
    ['read roles', 'GET', '/apis/rbac.authorization.k8s.io/v1/clusterroles'],
  ])('%s', async (_, method, path) => {
    expect(await send(account, method, path, method === 'GET' ? undefined : {})).toBe(403);
  });
});
