import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { restartComponent } from '@signalbox/sandbox';
import type { JobHandle } from '../../client/handles/job-handle.ts';
import type { Digest } from '../../contracts/digest.ts';
import { CONFIG_MAPS, type Pod, SERVICES } from '../../contracts/kubernetes.ts';
import { DIGEST_SIGNAL } from '../../contracts/messages.ts';
import type { Engine } from '../../demo/engine.ts';
import { freePort } from '../../worker/free-port.ts';
import { eventually } from '../eventually.ts';
import { statusOf } from '../status-of.ts';
import { TEST_SANDBOX_DIR } from '../test-sandbox.ts';
import { kubeconfigAt } from './kubeconfig-at.ts';
import { simulatedJob } from './manifests.ts';
import { objectsOf, openStage, type Stage, untilLeft, untilPhase } from './stage.ts';

/** Each fault is judged by where it ends: the right outcome, nothing doubled, and nothing left over. */

let stage: Stage;
let worker: Engine;
let watcher: Engine;

beforeAll(async () => {
  stage = await openStage();
  [worker, watcher] = await Promise.all([stage.engine('worker'), stage.engine('watcher')]);
});

/** The test before may have ended one. */
beforeEach(() => Promise.all([worker, watcher].map((engine) => engine.isRunning || engine.start())));

afterAll(() => stage.close());

const uidsOf = (pods: readonly Pod[]) =>
  new Map(pods.map(({ metadata }) => [metadata.name, metadata.uid] as const));

async function complete(job: JobHandle, name: string): Promise<void> {
  await stage.endPod(`${name}-master-0`, { exitCode: 0 });
  const { phase } = await job.wait();
  expect(phase).toBe('Completed');
  await untilLeft(stage, name, [`ConfigMap/${name}.signalbox`]);
}

const submit = async (options: Omit<Parameters<typeof simulatedJob>[0], 'namespace'>) => {
  const runPolicy = { cleanPodPolicy: 'All', ...options.runPolicy };
  const job = await stage.client.submit(simulatedJob({ ...options, runPolicy, namespace: stage.namespace }));
  return job;
};

describe('after the worker is killed', () => {
  it('while it creates 100 pods, the next one creates the rest, and none twice', async () => {
    // Few requests at a time, so that it can be caught at it.
    await worker.stop();
    await worker.start({ SIGNALBOX_CONNECTIONS: '2' });
    const job = await submit({ name: 'many', worker: { replicas: 99 } });
    const early = await eventually(
      'the first pods exist',
      async () => {
        const pods = await stage.pods('many');
        return pods.length >= 20 ? pods : undefined;
      },
      { everyMs: 5 },
    );
    await worker.kill();
    const created = uidsOf(await stage.pods('many'));
    expect(early.length).toBeLessThan(100);
    expect(created.size).toBeLessThan(100);

    await worker.start();
    await untilPhase(job, 'Running');
    const pods = uidsOf(await stage.pods('many'));
    expect(pods.size).toBe(100);
    for (const [name, uid] of created) expect(pods.get(name)).toBe(uid);
    const services = await stage.cluster.list(SERVICES, { namespace: stage.namespace });
    expect(services.items).toHaveLength(100);
    await complete(job, 'many');
  });

  it('while it admits a job, a hold and a stop of the job still take effect', async () => {
    const silent = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    await worker.kill();
    await worker.start({
      SIGNALBOX_KUBECONFIG: await kubeconfigAt(stage, (silent.address() as AddressInfo).port),
    });
    const job = await submit({ name: 'hasty' });
    await eventually('it is being admitted', async () => {
      const { pendingActivities } = (await stage.temporal.workflow.getHandle(job.workflowId).describe()).raw;
      return pendingActivities?.[0]?.lastStartedTime;
    });
    await worker.kill();
    silent.close();
    await worker.start();
    await job.hold({ seconds: 1 });
    await job.stop({ by: 'ana' });
    expect(await job.wait()).toMatchObject({ phase: 'Stopped', cause: { reason: 'StopRequested' } });
    // The next worker may have admitted it before it heard of that: then the job has a record.
    await eventually('no more than its record is left', async () =>
      (await objectsOf(stage, 'hasty')).every((object) => object === 'ConfigMap/hasty.signalbox'),
    );
  });
});

describe('after the watcher is killed', () => {
  it('its successor reports a pod that failed meanwhile, once', async () => {
    const job = await submit({ name: 'unwatched' });
    await untilPhase(job, 'Running');
    const before = uidsOf(await stage.pods('unwatched'));
    await watcher.kill();
    await stage.endPod('unwatched-worker-0', { exitCode: 1 });
    await eventually('the pod has failed', async () => {
      const { status } = await stage.pod('unwatched-worker-0');
      return status?.phase === 'Failed';
    });
    expect((await statusOf(job)).phase).toBe('Running');

    await watcher.start();
    await eventually('the pod is replaced', async () => {
      const { metadata, status } = await stage.pod('unwatched-worker-0');
      return metadata.uid !== before.get('unwatched-worker-0') && status?.phase === 'Running';
    });
    expect((await untilPhase(job, 'Running')).restarts).toBe(1);
    const after = uidsOf(await stage.pods('unwatched'));
    expect(after.get('unwatched-worker-1')).toBe(before.get('unwatched-worker-1'));
    await complete(job, 'unwatched');
  });
});

describe('a server is restarted', () => {
  it.each(['temporal', 'kube-apiserver'] as const)(
    '%s restarts: the running job does not change',
    async (server) => {
      const name = server === 'temporal' ? 'timeless' : 'headless';
      const job = await submit({ name });
      await untilPhase(job, 'Running');
      const before = uidsOf(await stage.pods(name));
      await restartComponent(TEST_SANDBOX_DIR, server, 'kill');
      await eventually('the job answers', async () => (await statusOf(job)).phase === 'Running');
      expect(uidsOf(await stage.pods(name))).toEqual(before);
      await complete(job, name);
    },
  );

  it('kube-apiserver stops: a job that waits for it can be stopped', async () => {
    await worker.kill();
    const job = await submit({ name: 'early' });
    await worker.start({ SIGNALBOX_KUBECONFIG: await kubeconfigOfNobody() });
    await eventually('the job waits for the cluster', async () => {
      const { pendingActivities } = (await stage.temporal.workflow.getHandle(job.workflowId).describe()).raw;
      return (pendingActivities?.[0]?.attempt ?? 0) > 1;
    });
    await job.stop({ by: 'ana' });
    expect(await job.wait()).toMatchObject({ phase: 'Stopped', cause: { reason: 'StopRequested' } });
    expect(await objectsOf(stage, 'early')).toEqual([]);
    await worker.kill();
  });

  it('kube-apiserver restarts while pods are created: all exist in the end, and none twice', async () => {
    const job = await submit({ name: 'midway', worker: { replicas: 99 } });
    await eventually('the first pods exist', async () => (await stage.pods('midway')).length >= 10, {
      everyMs: 5,
    });
    await restartComponent(TEST_SANDBOX_DIR, 'kube-apiserver', 'kill');
    // On a busy machine requests may wait for a connection that died with the server: 30 s for an answer, and as long
    // for the check of the connection (undici's HTTP/2).
    const isRunning = async () => (await statusOf(job)).phase === 'Running';
    await eventually('the job is Running', isRunning, { withinMs: 180_000 });
    expect(await stage.pods('midway')).toHaveLength(100);
    expect((await statusOf(job)).restarts).toBe(0);
    await complete(job, 'midway');
  });
});

describe('digests', () => {
  it('change nothing if they arrive twice, late, or are from an earlier run of the name', async () => {
    const job = await submit({ name: 'echo', worker: { restartPolicy: 'Never' } });
    await untilPhase(job, 'Running');
    // From here on the only digests are the ones below.
    await watcher.stop();
    const { metadata } = await stage.cluster.get(CONFIG_MAPS, stage.namespace, 'echo.signalbox');
    const now = await podsResourceVersion();
    const healthy = digestOf({ anchor: metadata.uid!, resourceVersion: now, failed: false });
    const failing = { anchor: metadata.uid!, failed: true };
    const handle = stage.temporal.workflow.getHandle(job.workflowId);
    const words: Digest[] = [
      healthy,
      healthy,
      digestOf({ ...failing, resourceVersion: now - 1 }),
      digestOf({ ...failing, resourceVersion: now + 1, anchor: 'the anchor of an earlier run' }),
      digestOf({ ...failing, resourceVersion: now + 1, attempt: 7 }),
      healthy,
    ];
    for (const word of words) await handle.signal(DIGEST_SIGNAL, word);
    const status = await statusOf(job);
    expect(status).toMatchObject({ phase: 'Running', restarts: 0, attempt: 1 });
    expect(status.timeline.at(-1)?.state).toBe('Running');
    // The same word, were it news, would have decided.
    await handle.signal(DIGEST_SIGNAL, digestOf({ ...failing, resourceVersion: now + 1 }));
    expect(await job.wait()).toMatchObject({ phase: 'Failed', cause: { reason: 'PodFailed' } });
    await untilLeft(stage, 'echo', ['ConfigMap/echo.signalbox']);
  });
});

/** Of a cluster where nobody listens. */
const kubeconfigOfNobody = async () => kubeconfigAt(stage, await freePort());

async function podsResourceVersion(): Promise<number> {
  const { metadata } = await stage.cluster.list(CONFIG_MAPS, { namespace: stage.namespace });
  return Number(metadata.resourceVersion);
}

function digestOf(options: {
  readonly anchor: string;
  readonly resourceVersion: number;
  readonly failed: boolean;
  readonly attempt?: number;
}): Digest {
  const { anchor, resourceVersion, failed, attempt = 1 } = options;
  const none = {
    unscheduled: 0,
    scheduled: 0,
    ready: 0,
    succeeded: 0,
    failed: 0,
    terminating: 0,
    succeededIndices: '',
  };
  const failure = { pod: 'echo-worker-0', uid: 'x', role: 'worker', index: 0, exitCode: 1, reason: 'Error' };
  return {
    anchor,
    anchorDeleted: false,
    attempt,
    resourceVersions: { pods: resourceVersion, groups: {} },
    roles: {
      master: { ...none, ready: 1 },
      worker: failed ? { ...none, ready: 1, failed: 1 } : { ...none, ready: 2 },
    },
    earlier: 0,
    restarts: 0,
    failures: failed ? [failure] : [],
  };
}
