import { afterAll, beforeAll, expect, it } from '@jest/globals';
import pino from 'pino';
import type { JobHandle } from '../../client/handles/job-handle.ts';
import { CONFIG_MAPS, NAMESPACES } from '../../contracts/kubernetes.ts';
import { ANNOTATIONS, anchorNameOf } from '../../contracts/labels.ts';
import type { Running } from '../../contracts/settings.ts';
import { installationOf } from '../../temporal/installation.ts';
import { startWatcher } from '../../watcher/watcher.ts';
import { eventually } from '../eventually.ts';
import { anAnchor } from '../watcher/fixtures.ts';
import { copyPod } from './copied-pods.ts';
import { simulatedJob } from './manifests.ts';
import { openStage, type Stage, untilPhase } from './stage.ts';

/**
 * ConfigMaps in the namespace of one tenant name workflows for which Temporal answers nothing. A watcher starts beside
 * them, and has work in another namespace that only its searches find.
 */

const POISONED = 12;

let stage: Stage;
let tenant: string;
let watcher: Running;
let logged: { readonly msg: string; readonly anchor?: string }[];
let jobs: Readonly<Record<'terminated' | 'ended' | 'orphaned' | 'bystander', JobHandle>>;
/** Why the watcher was not ready, at any look since it started. */
const troubles = new Set<string>();

beforeAll(async () => {
  stage = await openStage({ localNode: false });
  // First in lists, as what a search meets first.
  tenant = `a-${stage.namespace}`;
  const metadata = { name: tenant };
  await stage.cluster.create(NAMESPACES, { apiVersion: 'v1', kind: 'Namespace', metadata });
  await stage.engine('worker');
  watcher = await watch();
  await prepare();
  await watcher.stop();
  await leaveWork();
  for (let index = 0; index < POISONED; index++) await poison(index);
  watcher = await watch();
  await eventually('the watcher has begun', () => watcher.unready() === undefined);
  await eventually('it follows jobs', () => logged.some(({ msg }) => msg === 'following jobs'));
});

afterAll(async () => {
  await watcher?.stop();
  if (tenant) await stage.cluster.delete(NAMESPACES, undefined, tenant);
  await stage?.close();
});

function watch(): Promise<Running> {
  logged = [];
  const log = pino({ level: 'info' }, { write: (line) => logged.push(JSON.parse(line)) });
  const settings = {
    temporal: { address: stage.sandbox.temporalAddress, namespace: 'default' },
    cluster: { kubeconfig: stage.sandbox.kubeconfig, connections: 8 },
    taskQueue: 'signalbox',
    logLevel: 'info',
    http: { host: '127.0.0.1', port: 0 },
    leaseNamespace: stage.namespace,
    leaseName: 'poisoned',
    scanIntervalMs: 1_000,
  } as const;
  return startWatcher(settings, log);
}

async function prepare(): Promise<void> {
  const { namespace } = stage;
  const worker = { replicas: 1, restartPolicy: 'Never' };
  const names = ['terminated', 'ended', 'orphaned', 'bystander'] as const;
  const runPolicy = { cleanPodPolicy: 'All' };
  const submitted = names.map(async (name) => {
    const job = await stage.client.submit(simulatedJob({ name, namespace, worker, runPolicy }));
    await untilPhase(job, 'Running');
    return [name, job] as const;
  });
  jobs = Object.fromEntries(await Promise.all(submitted)) as typeof jobs;
}

/** What only a search of the watcher finds: an anchor that was deleted while none ran. */
async function leaveWork(): Promise<void> {
  await stage.cluster.delete(CONFIG_MAPS, stage.namespace, anchorNameOf('orphaned'));
}

/** All that the tenant needs to know is no secret. */
async function poison(index: number): Promise<void> {
  const installation = await installationOf(stage.temporal);
  const workflowId = 'x'.repeat(200_000);
  const job = `poisoned-${index}`;
  const { uid: _, ...metadata } = anAnchor({ job, namespace: tenant, installation, workflowId }).metadata;
  await stage.cluster.create(CONFIG_MAPS, { apiVersion: 'v1', kind: 'ConfigMap', metadata });
}

/** Looks at the watcher's readiness, too, each time. */
const untilReady = (what: string, ask: () => Promise<boolean>) =>
  eventually(what, async () => {
    const trouble = watcher.unready();
    if (trouble !== undefined) troubles.add(trouble);
    return ask();
  });

const phaseOn = async (job: string) =>
  (await stage.cluster.get(CONFIG_MAPS, stage.namespace, anchorNameOf(job))).metadata.annotations?.[
    ANNOTATIONS.phase
  ];

it('a workflow whose anchor was deleted is informed', async () => {
  await untilReady('it has ended', async () => (await jobs.orphaned.status()).phase === 'Stopped');
  expect((await jobs.orphaned.status()).cause?.reason).toBe('AnchorDeleted');
});

it('a pod that appears after the end of its job is deleted', async () => {
  const worker = await stage.pod('ended-worker-0');
  await stage.endPod('ended-master-0', { exitCode: 0 });
  expect((await jobs.ended.wait()).phase).toBe('Completed');
  await copyPod(stage, worker, { name: 'ended-worker-0' });
  await untilReady('it is gone', async () => (await stage.pods('ended')).length === 0);
});

it('another job gets signals about its pods', async () => {
  await stage.endPod('bystander-master-0', { exitCode: 0 });
  await untilReady('it has completed', async () => (await jobs.bystander.status()).phase === 'Completed');
});

it('a job whose workflow was terminated is cleaned up, although none of its pods changes', async () => {
  await stage.temporal.workflow.getHandle(jobs.terminated.workflowId).terminate('a test');
  await untilReady('it is cleaned up', async () => (await phaseOn('terminated')) === 'Stopped');
  expect(await stage.pods('terminated')).toEqual([]);
});

it('the watcher was ready all the time, and has logged each of the ConfigMaps once', async () => {
  expect([...troubles].filter((trouble) => trouble.includes('signals'))).toEqual([]);
  const named = logged.filter(({ msg }) => msg.includes('is labelled as the anchor of a job'));
  expect(named.map(({ anchor }) => anchor).sort()).toEqual(
    Array.from({ length: POISONED }, (_, index) => `${tenant}/poisoned-${index}.signalbox`).sort(),
  );
});
