import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sandboxLayout } from '@signalbox/sandbox';
import { msToTs } from '@temporalio/common/lib/time.js';
import { parse, stringify } from 'yaml';
import type { Finding } from '../../cli/doctor/finding.ts';
import { LEASES, SERVICE_ACCOUNTS } from '../../contracts/kubernetes.ts';
import { LABELS } from '../../contracts/labels.ts';
import { installationOf } from '../../temporal/installation.ts';
import { freePort } from '../../worker/free-port.ts';
import { eventually } from '../eventually.ts';
import { openStage, type Stage } from '../scenarios/stage.ts';
import { createToken } from '../service-account.ts';
import { commandLine } from './in-process.ts';

/** Breaks one thing after the other, and looks whether `signalbox doctor` names it. */

let stage: Stage;
let folder: string;
beforeAll(async () => {
  stage = await openStage();
  await stage.engine('up');
  folder = await mkdtemp(join(tmpdir(), 'signalbox-doctor-'));
  // The one before may have been killed, and its lease may not be over.
  await eventually('a watcher leads', async () => (await find('watcher', 'lease')).state === 'ok');
});
afterAll(async () => {
  await stage.close();
  await rm(folder, { recursive: true });
});

interface Doctored {
  readonly flags?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

async function doctor({ flags = [], env = {} }: Doctored = {}) {
  const { sandbox, namespace } = stage;
  const { code, stdout, stderr } = await commandLine(['doctor', '-o', 'json', ...flags], {
    env: {
      TEMPORAL_ADDRESS: sandbox.temporalAddress,
      SIGNALBOX_KUBECONFIG: sandbox.kubeconfig,
      SIGNALBOX_NAMESPACE: namespace,
      SIGNALBOX_EVIDENCE_DIR: sandboxLayout(sandbox.dir).evidence,
      SIGNALBOX_ARCHIVE_STORE: 'none',
      SIGNALBOX_LEASE_DURATION: '3',
      HOME: folder,
      ...env,
    },
  });
  return { code, findings: JSON.parse(stdout) as Finding[], stderr };
}

/** What is said of one thing. */
async function find(part: Finding['part'], check: string, doctored?: Doctored): Promise<Finding> {
  const { findings } = await doctor(doctored);
  const found = findings.find((finding) => finding.part === part && finding.check === check);
  if (!found) throw new Error(`nothing of ${part} ${check}: ${JSON.stringify(findings)}`);
  return found;
}

test('reports no fault where everything works', async () => {
  const { code, findings, stderr } = await doctor();
  const states = findings.map(({ part, check, state }) => `${state} ${part} ${check}`);
  expect(states).toEqual([
    'ok settings version',
    'ok Temporal server',
    // A development server keeps ended workflows for a day.
    'warning Temporal namespace',
    'ok Temporal search',
    'ok workers polling',
    'ok workers version',
    'ok Temporal clock',
    'ok workers clock',
    'ok cluster server',
    'ok cluster clock',
    'ok cluster rights',
    'ok watcher lease',
    'ok watcher clock',
    'ok gangs schedulers',
    'ok evidence store',
    // No archive is set up here.
    'warning archive store',
  ]);
  expect(stderr).toBe('2 warnings\n');
  expect(code).toBe(0);
});

test('prints a line for each check, and the remedy below a fault', async () => {
  const { sandbox } = stage;
  const env = {
    TEMPORAL_ADDRESS: sandbox.temporalAddress,
    SIGNALBOX_KUBECONFIG: sandbox.kubeconfig,
  };
  const { code, stdout } = await commandLine(['doctor', '--task-queue', 'nobody'], { env });
  expect(stdout).toMatch(/^ok +Temporal server +127\.0\.0\.1:\d+ answers, version 1\./m);
  expect(stdout).toMatch(
    /^fault +workers polling +no worker polls the task queue nobody.*\n +Start one: `signalbox up`/m,
  );
  expect(code).toBe(9);
});

describe('for Temporal, signalbox doctor', () => {
  test('reports that no server answers, and still checks the cluster', async () => {
    const env = { TEMPORAL_ADDRESS: `127.0.0.1:${await freePort()}` };
    const { code, findings } = await doctor({ env });
    expect(findings).toContainEqual(
      expect.objectContaining({
        ...{ part: 'Temporal', check: 'server', state: 'fault' },
        message: expect.stringContaining(`no answer at ${env.TEMPORAL_ADDRESS} (from TEMPORAL_ADDRESS`),
      }),
    );
    expect(findings).toContainEqual(
      expect.objectContaining({ part: 'cluster', check: 'rights', state: 'ok' }),
    );
    expect(code).toBe(9);
  });

  test('reports that the namespace does not exist', async () => {
    expect(await find('Temporal', 'namespace', { flags: ['--temporal-namespace', 'nowhere'] })).toMatchObject(
      {
        state: 'fault',
        message: 'there is no nowhere',
        remedy: expect.stringContaining('temporal operator namespace create --namespace nowhere'),
      },
    );
  });

  test('reports unregistered search attributes, and accepts a long retention', async () => {
    const namespace = `doctor-${process.pid}`;
    const workflowExecutionRetentionPeriod = msToTs('30 days');
    await stage.temporal.workflowService.registerNamespace({ namespace, workflowExecutionRetentionPeriod });
    const flags = ['--temporal-namespace', namespace];
    const search = await eventually('the server knows its new namespace', async () => {
      const { findings } = await doctor({ flags });
      if (findings.find(({ check }) => check === 'namespace')?.state !== 'ok') return undefined;
      return findings.find(({ check }) => check === 'search');
    });
    expect(search).toMatchObject({
      state: 'fault',
      message: expect.stringContaining('JobKind, JobName'),
      remedy: expect.stringContaining(`create --namespace ${namespace} --name JobKind --type Keyword --name`),
    });
  });
});

describe('for workers, signalbox doctor', () => {
  test('reports that none polls the task queue', async () => {
    const { findings, code } = await doctor({ flags: ['--task-queue', 'nobody'] });
    expect(findings).toContainEqual(
      expect.objectContaining({ part: 'workers', check: 'polling', state: 'fault' }),
    );
    expect(code).toBe(9);
  });

  test('reports workers of another version', async () => {
    const name = `doctor-${process.pid}`;
    const { temporal } = stage;
    const poll = temporal.withDeadline(Date.now() + 60_000, () =>
      temporal.workflowService.pollWorkflowTaskQueue({
        ...{ namespace: 'default', taskQueue: { name }, identity: 'signalbox-0.0.1 1@older' },
      }),
    );
    // It ends with the connection.
    poll.catch(() => undefined);
    const found = await eventually('the poller is known', async () => {
      const { findings } = await doctor({ flags: ['--task-queue', name] });
      return findings.find(({ part, check }) => part === 'workers' && check === 'version');
    });
    expect(found).toMatchObject({
      state: 'warning',
      message: expect.stringContaining('workers have version 0.0.1'),
    });
  });
});

describe('for the cluster, signalbox doctor', () => {
  /** A kubeconfig of the sandbox with another user or server. */
  async function kubeconfig(change: { token?: string; server?: string }): Promise<string> {
    const config = parse(await readFile(stage.sandbox.kubeconfig, 'utf8')) as {
      users: { user: unknown }[];
      clusters: { cluster: { server: string } }[];
    };
    if (change.token) config.users[0]!.user = { token: change.token };
    if (change.server) config.clusters[0]!.cluster.server = change.server;
    const path = join(folder, 'kubeconfig');
    await writeFile(path, stringify(config));
    return path;
  }

  test('reports a missing kubeconfig', async () => {
    const env = { SIGNALBOX_KUBECONFIG: join(folder, 'none') };
    expect(await find('cluster', 'kubeconfig', { env })).toMatchObject({ state: 'fault' });
  });

  test('reports that no server answers', async () => {
    const server = `https://127.0.0.1:${await freePort()}`;
    const env = { SIGNALBOX_KUBECONFIG: await kubeconfig({ server }) };
    expect(await find('cluster', 'server', { env })).toMatchObject({
      state: 'fault',
      message: expect.stringContaining(`no answer from ${server}`),
    });
  });

  test('reports refused credentials', async () => {
    const env = { SIGNALBOX_KUBECONFIG: await kubeconfig({ token: 'expired' }) };
    expect(await find('cluster', 'server', { env })).toMatchObject({
      state: 'fault',
      message: expect.stringContaining('does not accept the credentials'),
    });
  });

  test('reports missing permissions, of a user and of a worker', async () => {
    const { cluster, namespace } = stage;
    const account = { namespace, name: 'nobody' };
    await cluster.create(SERVICE_ACCOUNTS, { apiVersion: 'v1', kind: 'ServiceAccount', metadata: account });
    const env = { SIGNALBOX_KUBECONFIG: await kubeconfig({ token: await createToken(cluster, account) }) };
    expect(await find('cluster', 'rights', { env })).toMatchObject({
      state: 'warning',
      message: expect.stringContaining(
        `may not list pods, watch pods, get pods/log in namespace ${namespace}`,
      ),
    });
    expect(await find('cluster', 'rights', { env, flags: ['--for', 'worker'] })).toMatchObject({
      state: 'fault',
      message: expect.stringContaining('create configmaps'),
      remedy: expect.stringContaining('access/engine/worker.yaml'),
    });
    expect(await find('watcher', 'lease', { env })).toMatchObject({
      state: 'warning',
      message: expect.stringContaining('cannot be read'),
    });
  });
});

describe('for the watcher, signalbox doctor', () => {
  const lease = async (name: string, installation: string) => {
    const { cluster, namespace } = stage;
    const spec = {
      holderIdentity: 'gone',
      leaseDurationSeconds: 3,
      renewTime: '2026-01-01T00:00:00.000000Z',
    };
    await cluster.create(LEASES, {
      ...{ apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', spec },
      metadata: { name, namespace, annotations: { [LABELS.installation]: installation } },
    });
    return { SIGNALBOX_LEASE_NAMESPACE: namespace, SIGNALBOX_LEASE_NAME: name };
  };

  test('reports that none has ever run', async () => {
    const env = { SIGNALBOX_LEASE_NAME: 'never' };
    expect(await find('watcher', 'lease', { env })).toMatchObject({
      state: 'fault',
      message: expect.stringContaining('there is no lease default/never'),
    });
  });

  test('reports that none renews the lease', async () => {
    const env = await lease('stale', await installationOf(stage.temporal));
    expect(await find('watcher', 'lease', { env })).toMatchObject({
      state: 'fault',
      message: expect.stringContaining('no watcher holds the lease'),
    });
  });

  test('reports that the lease belongs to another installation', async () => {
    const env = await lease('foreign', 'another');
    expect(await find('watcher', 'lease', { env })).toMatchObject({
      state: 'fault',
      message: expect.stringContaining('belongs to another installation (another)'),
    });
  });
});

test('signalbox doctor reports a missing evidence directory, and does not create it', async () => {
  const env = { SIGNALBOX_EVIDENCE_DIR: join(folder, 'evidence') };
  expect(await find('evidence', 'store', { env })).toMatchObject({ state: 'warning' });
  expect(await find('evidence', 'store', { env })).toMatchObject({ state: 'warning' });
});
