import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ensureSandbox, resetSandbox } from '@signalbox/sandbox';
import { SignalboxClient } from '../../client/handles/client.ts';
import { ClusterClient } from '../../cluster/client.ts';
import { CONFIG_MAPS, NAMESPACES, PODS } from '../../contracts/kubernetes.ts';
import { anchorNameOf } from '../../contracts/labels.ts';
import { Engine } from '../../demo/engine.ts';
import { connectTemporal } from '../../temporal/connection.ts';
import { eventually } from '../eventually.ts';
import { statusOf } from '../status-of.ts';
import { simulatedJob } from './manifests.ts';
import { openStage, type Stage, untilPhase } from './stage.ts';

let stage: Stage;
let ourEngine: Engine;
const closing: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  stage = await openStage({ localNode: false });
  ourEngine = await stage.engine('up');
});

afterAll(async () => {
  for (const close of closing.toReversed()) await close();
  await stage?.close();
});

const uidsOf = async (cluster: ClusterClient, namespace: string) =>
  (await cluster.list(PODS, { namespace })).items.map(({ metadata }) => metadata.uid).sort();

/** A Temporal namespace beside the usual one, and its client. */
async function anotherTemporalNamespace(): Promise<{
  readonly name: string;
  readonly client: SignalboxClient;
}> {
  const name = `team-${randomUUID().slice(0, 8)}`;
  const { workflowService } = stage.temporal;
  const seconds = (n: number) => ({ seconds: n as never });
  await workflowService.registerNamespace({
    namespace: name,
    workflowExecutionRetentionPeriod: seconds(86_400),
  });
  const temporal = { address: stage.sandbox.temporalAddress, namespace: name };
  await eventually('the namespace is there', async () => {
    const client = await connectTemporal(temporal);
    await client.workflowService.describeNamespace({ namespace: name });
    await client.workflow.count();
    await client.connection.close();
    return true;
  });
  const client = await SignalboxClient.connect({ temporal, namespace: stage.namespace });
  closing.push(() => client.close());
  return { name, client };
}

async function startEngine(
  name: string,
  sandbox: Stage['sandbox'],
  settings: NodeJS.ProcessEnv,
): Promise<Engine> {
  const engine = new Engine('up', sandbox, { logFile: join(stage.sandbox.dir, 'engines', `${name}.log`) });
  closing.push(() => engine.stop());
  return engine.start(settings);
}

describe('two installations on one cluster, each with a Temporal namespace of its own', () => {
  it('each run their own jobs, clean up their own, and do not touch the other’s', async () => {
    const { name, client } = await anotherTemporalNamespace();
    const ours = await stage.client.submit(simulatedJob({ name: 'ours', namespace: stage.namespace }));
    await untilPhase(ours, 'Running');
    const before = await uidsOf(stage.cluster, stage.namespace);
    await startEngine(name, stage.sandbox, {
      TEMPORAL_NAMESPACE: name,
      SIGNALBOX_LEASE_NAME: name,
    });
    // The second one runs, and cleans up what is left of a job of its own: it has been round.
    const theirs = await client.submit(simulatedJob({ name: 'theirs', namespace: stage.namespace }));
    await untilPhase(theirs, 'Running');
    const temporal = await connectTemporal({ address: stage.sandbox.temporalAddress, namespace: name });
    closing.push(() => temporal.connection.close());
    await temporal.workflow.getHandle(theirs.workflowId).terminate('a test');
    await eventually('its pods are cleaned up', async () => (await stage.pods('theirs')).length === 0);
    expect(await uidsOf(stage.cluster, stage.namespace)).toEqual(before);
    expect(await statusOf(ours)).toMatchObject({ phase: 'Running', restarts: 0 });
    await stage.endPod('ours-master-0', { exitCode: 0 });
    expect(await ours.wait()).toMatchObject({ phase: 'Completed' });
  });

  it('count, follow and explain their own jobs only', async () => {
    const { name, client } = await anotherTemporalNamespace();
    const theirEngine = await startEngine(name, stage.sandbox, {
      TEMPORAL_NAMESPACE: name,
      SIGNALBOX_LEASE_NAME: name,
    });
    const { namespace } = stage;
    const ours = await stage.client.submit(simulatedJob({ name: 'mine', namespace, gpus: 1 }));
    await untilPhase(ours, 'Running');
    // It has been told of pods: the stream has gone past those of the other job.
    const theirs = await client.submit(simulatedJob({ name: 'yours', namespace, worker: false, gpus: 1 }));
    await untilPhase(theirs, 'Running');

    const ofNamespace = (page: string, metric: string) =>
      page
        .split('\n')
        .filter((line) => line.startsWith(`${metric}{`) && line.includes(`job_namespace="${namespace}"`))
        .map((line) => [/(?:phase|state)="(\w+)"/.exec(line)?.[1], Number(line.split(' ').at(-1))]);
    const counted = (engine: Engine, metric: string, expected: readonly (readonly [string, number])[]) =>
      eventually(`${metric} is that of its own jobs`, async () => {
        const found = ofNamespace(await (await fetch(`${engine.address}/metrics`)).text(), metric);
        if (JSON.stringify(found) !== JSON.stringify(expected)) throw new Error(JSON.stringify(found));
        return true;
      });
    await counted(ourEngine, 'signalbox_gpus', [['Running', 3]]);
    await counted(theirEngine, 'signalbox_gpus', [['Running', 1]]);
    await counted(theirEngine, 'signalbox_pods', [['ready', 1]]);
    const pages = await Promise.all(
      [ourEngine, theirEngine].map(async ({ address }) => (await fetch(`${address}/metrics`)).text()),
    );
    const phasesOfUse = pages.map((page) =>
      ofNamespace(page, 'signalbox_gpu_seconds_total').map(([phase]) => phase),
    );
    expect(phasesOfUse.flat()).not.toContain('Pending');
    expect(/^signalbox_watcher_jobs (\d+)$/m.exec(pages[1]!)?.[1]).toBe('1');
    await Promise.all([ours.stop(), theirs.stop()]);
    await Promise.all([ours.wait(), theirs.wait()]);
  });

  it('block a name for each other, also when the job has ended', async () => {
    const { name, client } = await anotherTemporalNamespace();
    await startEngine(name, stage.sandbox, {
      TEMPORAL_NAMESPACE: name,
      SIGNALBOX_LEASE_NAME: name,
    });
    const manifest = simulatedJob({ name: 'shared-name', namespace: stage.namespace });
    const first = await stage.client.submit(manifest);
    await untilPhase(first, 'Running');
    const refused = await client.submit(manifest);
    expect(await refused.wait()).toMatchObject({
      phase: 'Failed',
      cause: {
        reason: 'NameTaken',
        message: expect.stringContaining('belongs to a job of another signalbox installation'),
      },
    });
    await first.stop();
    await first.wait();
    const again = await client.submit(manifest, { rerun: true });
    expect(await again.wait()).toMatchObject({ phase: 'Failed', cause: { reason: 'NameTaken' } });
    const anchor = await stage.cluster.get(CONFIG_MAPS, stage.namespace, anchorNameOf('shared-name'));
    expect(anchor.metadata.annotations?.['signalbox.dev/phase']).toBe('Stopped');
  });
});

describe('two clusters in one Temporal namespace, each with a task queue of its own', () => {
  /** The second cluster, with the Temporal server of the first. */
  let far: Stage['sandbox'];
  let cluster: ClusterClient;

  beforeAll(async () => {
    const dir = await mkdtemp(join(tmpdir(), 'signalbox-second-'));
    closing.push(async () => {
      await resetSandbox(dir);
      await rm(dir, { recursive: true, force: true });
    });
    const second = await ensureSandbox({ dir, durable: false, localNode: false, simulatedNodes: 1 });
    far = { ...second, temporalAddress: stage.sandbox.temporalAddress };
    cluster = await ClusterClient.connect({ kubeconfig: second.kubeconfig });
    closing.push(() => cluster.close());
  });

  it('have watchers that do not take the other’s jobs for jobs without an anchor', async () => {
    const here = await stage.client.submit(simulatedJob({ name: 'here', namespace: stage.namespace }));
    await untilPhase(here, 'Running');
    const taskQueue = `second-${stage.namespace}`;
    const settings = { SIGNALBOX_TASK_QUEUE: taskQueue };
    const engine = await startEngine(taskQueue, far, settings);
    const client = await SignalboxClient.connect({
      temporal: { address: stage.sandbox.temporalAddress, namespace: 'default' },
      taskQueue,
      namespace: 'default',
    });
    closing.push(() => client.close());
    const there = await client.submit(simulatedJob({ name: 'there', namespace: 'default' }));
    await untilPhase(there, 'Running');
    // An anchor that was deleted while nobody looked is found by the first round, which looks at the others as well.
    const lost = await client.submit(simulatedJob({ name: 'lost', namespace: 'default' }));
    await untilPhase(lost, 'Running');
    await engine.stop();
    await cluster.delete(CONFIG_MAPS, 'default', anchorNameOf('lost'));
    await engine.start(settings);
    expect(await lost.wait()).toMatchObject({ phase: 'Stopped', cause: { reason: 'AnchorDeleted' } });
    for (const job of [here, there]) expect(await statusOf(job)).toMatchObject({ phase: 'Running' });
    await Promise.all([here.stop(), there.stop()]);
    await Promise.all([here.wait(), there.wait()]);
    await engine.stop();
  });

  it('have workers that reject work for the other cluster', async () => {
    // Both serve one task queue: a mistake, in which nothing may be made in the wrong cluster.
    const job = await stage.client.submit(simulatedJob({ name: 'homely', namespace: stage.namespace }));
    await untilPhase(job, 'Running');
    const { namespace } = stage;
    // Without the namespace nothing could be made there anyway.
    await cluster.create(NAMESPACES, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
    await startEngine(`strange-${namespace}`, far, {});
    for (let round = 0; round < 3; round++) {
      await job.suspend();
      await untilPhase(job, 'Suspended');
      await job.resume();
      await untilPhase(job, 'Running');
    }
    expect((await cluster.list(PODS, { namespace })).items).toEqual([]);
    await job.stop();
    expect(await job.wait()).toMatchObject({ phase: 'Stopped' });
  });
});
