import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { JobHandle } from '../../client/handles/job-handle.ts';
import { ClusterClient } from '../../cluster/client.ts';
import {
  CONFIG_MAPS,
  type ConfigMap,
  NAMESPACES,
  ROLE_BINDINGS,
  ROLES,
  SERVICE_ACCOUNTS,
} from '../../contracts/kubernetes.ts';
import { anchorNameOf } from '../../contracts/labels.ts';
import { installationOf } from '../../temporal/installation.ts';
import { eventually } from '../eventually.ts';
import { createToken } from '../service-account.ts';
import { statusOf } from '../status-of.ts';
import { type AnchorChoice, anAnchor } from '../watcher/fixtures.ts';
import { simulatedJob } from './manifests.ts';
import { openStage, type Stage, untilPhase } from './stage.ts';
import { digestsTo } from './workflow-history.ts';

let stage: Stage;
let dir: string;
/** A namespace, and a client that may write ConfigMaps in it and nothing else. */
let tenant: { readonly namespace: string; readonly cluster: ClusterClient };
let victim: JobHandle;
let pods: readonly (string | undefined)[];
/** All at once: each is left alone for half a minute, before it counts as one whose workflow is not there. */
let dealtWith: ReadonlyMap<string, Promise<unknown>>;

beforeAll(async () => {
  stage = await openStage({ localNode: false, sharesEngine: true });
  dir = await mkdtemp(join(tmpdir(), 'signalbox-tenant-'));
  tenant = await openTenant();
  victim = await stage.client.submit(simulatedJob({ name: 'victim', namespace: stage.namespace }));
  await untilPhase(victim, 'Running');
  pods = await uids();
  const forgeries = Object.entries({ ...FORGERIES, [TAKEN]: nameTaken });
  dealtWith = new Map(
    forgeries.map(([what, forgery]) => [what, forge(...forgery(stage.namespace)).then(untilDealtWith)]),
  );
  for (const dealing of dealtWith.values()) dealing.catch(() => undefined); // Awaited by the tests.
});

afterAll(async () => {
  await tenant?.cluster.close();
  if (tenant) await stage.cluster.delete(NAMESPACES, undefined, tenant.namespace);
  await stage?.close();
  if (dir) await rm(dir, { recursive: true, force: true });
});

async function openTenant(): Promise<typeof tenant> {
  const namespace = `${stage.namespace}-tenant`;
  const config = JSON.parse(await readFile(stage.sandbox.kubeconfig, 'utf8'));
  const of = (name: string) => ({ name, namespace });
  await stage.cluster.create(NAMESPACES, {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: namespace },
  });
  await stage.cluster.create(SERVICE_ACCOUNTS, {
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: of('tenant'),
  });
  await stage.cluster.create(ROLES, {
    apiVersion: ROLES.apiVersion,
    kind: 'Role',
    metadata: of('writes-configmaps'),
    rules: [{ apiGroups: [''], resources: ['configmaps'], verbs: ['create', 'get', 'patch', 'delete'] }],
  });
  await stage.cluster.create(ROLE_BINDINGS, {
    apiVersion: ROLE_BINDINGS.apiVersion,
    kind: 'RoleBinding',
    metadata: of('writes-configmaps'),
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'writes-configmaps' },
    subjects: [{ kind: 'ServiceAccount', name: 'tenant', namespace }],
  });
  config.users[0].user = { token: await createToken(stage.cluster, of('tenant')) };
  const path = join(dir, 'kubeconfig');
  await writeFile(path, JSON.stringify(config));
  return { namespace, cluster: await ClusterClient.connect({ kubeconfig: path }) };
}

const uids = async () => (await stage.pods('victim')).map(({ metadata }) => metadata.uid).sort();

/** As the tenant makes it, who knows everything that is no secret: labels, the installation, the victim's name. */
async function forge(choice: AnchorChoice, job: object): Promise<ConfigMap> {
  const installation = await installationOf(stage.temporal);
  const { metadata, ...anchor } = anAnchor({
    installation,
    workflowId: 'nobody',
    ...choice,
    namespace: tenant.namespace,
  });
  const { uid: _, ...made } = metadata;
  return tenant.cluster.create(CONFIG_MAPS, {
    ...anchor,
    metadata: made,
    data: { job: JSON.stringify(job) },
  });
}

const recorded = (name: string, namespace: string) => ({
  apiVersion: 'kubeflow.org/v1',
  kind: 'PyTorchJob',
  name,
  namespace,
  roles: [],
  warnings: [],
  plan: { roles: [], runPolicy: {} },
});

/** Its workflow is not there: it is cleaned up, as far as it is believed. */
const untilDealtWith = (anchor: ConfigMap) =>
  eventually(`${anchor.metadata.name} is dealt with`, async () => {
    const { namespace, name } = anchor.metadata;
    const found = await stage.cluster.find(CONFIG_MAPS, namespace, name);
    return !found || found.metadata.annotations?.['signalbox.dev/phase'] === 'Stopped';
  });

type Forgery = (namespace: string) => [AnchorChoice, object];

const FORGERIES: Readonly<Record<string, Forgery>> = {
  'another namespace in its record': (namespace) => [{ job: 'a' }, recorded('victim', namespace)],
  'another job’s name in its label': (namespace) => [{ job: 'victim' }, recorded('victim', namespace)],
  'a path in its record': (namespace) => [{ job: 'b' }, recorded('victim', `${namespace}/pods?x=`)],
  'no namespace in its record': () => [{ job: 'c' }, recorded('victim', '')],
  'a name with a path': (namespace) => [{ job: 'd' }, recorded(`../../${namespace}/pods/victim`, 'x')],
  'no job in its record': () => [{ job: 'e' }, []],
};
const TAKEN = 'a name that is taken later';
const nameTaken: Forgery = (namespace) => [{ job: 'taken' }, recorded('taken', namespace)];

it.each(Object.keys(FORGERIES))('an anchor with %s does not delete a pod of another job', async (what) => {
  await dealtWith.get(what);
  expect(await uids()).toEqual(pods);
  expect(await statusOf(victim)).toMatchObject({ phase: 'Running', restarts: 0 });
});

it('an anchor that names another job’s workflow sends it no signal', async () => {
  const forged = await forge({ job: 'f', workflowId: victim.workflowId }, recorded('f', tenant.namespace));
  // Whatever is told for it would be on its way before this is: one and the same watcher tells both.
  const other = await stage.client.submit(simulatedJob({ name: 'other', namespace: stage.namespace }));
  await untilPhase(other, 'Running');
  const digests = await digestsTo(stage.temporal, victim);
  expect(digests.map(({ anchor }) => anchor)).not.toContain(forged.metadata.uid);
  expect(digests.length).toBeGreaterThan(0);
  await other.stop();
  await other.wait();
});

it('an anchor of the victim’s name blocks no name in another namespace', async () => {
  await dealtWith.get(TAKEN);
  const job = await stage.client.submit(simulatedJob({ name: 'taken', namespace: stage.namespace }));
  await untilPhase(job, 'Running');
  await stage.endPod('taken-master-0', { exitCode: 0 });
  expect(await job.wait()).toMatchObject({ phase: 'Completed' });
  expect(anchorNameOf('taken')).toBe('taken.signalbox');
});

it('the victim still completes', async () => {
  await stage.endPod('victim-master-0', { exitCode: 0 });
  expect(await victim.wait()).toMatchObject({ phase: 'Completed', restarts: 0 });
});
