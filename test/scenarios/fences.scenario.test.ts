import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { PODS } from '../../contracts/kubernetes.ts';
import { LABELS } from '../../contracts/labels.ts';
import { Engine } from '../../demo/engine.ts';
import { eventually } from '../eventually.ts';
import { statusOf } from '../status-of.ts';
import { simulatedJob } from './manifests.ts';
import { openStage, type Stage, untilPhase } from './stage.ts';

/** A worker that was away for longer than Temporal waits for it writes no more: another one may have begun. */

let stage: Stage;
let slow: Engine;
/** Of the slow worker: so many requests at once. */
const CONNECTIONS = 2;

beforeAll(async () => {
  stage = await openStage();
  const { sandbox, namespace } = stage;
  slow = new Engine('worker', sandbox, { logFile: join(sandbox.dir, 'engines', `${namespace}-slow.log`) });
  await stage.engine('watcher');
});

afterAll(async () => {
  if (slow.pid !== undefined) process.kill(slow.pid, 'SIGCONT');
  await slow.stop();
  await stage.close();
});

it('a worker that is paused while it creates a gang creates no more pods when it continues', async () => {
  await slow.start({ SIGNALBOX_CONNECTIONS: String(CONNECTIONS) });
  const job = await stage.client.submit(
    simulatedJob({ name: 'large', namespace: stage.namespace, worker: { replicas: 60 } }),
  );
  const isBegun = async () => (await stage.pods('large')).length >= 5;
  await eventually('some pods are there', isBegun, { withinMs: 240_000 });
  process.kill(slow.pid!, 'SIGSTOP');
  expect((await stage.pods('large')).length).toBeLessThan(50);
  const other = await stage.engine('worker');
  // What Temporal has given to the one that is away comes back after its time-outs: until then nobody answers.
  const isStopped = async () => {
    await job.stop().catch(() => undefined);
    return (await statusOf(job)).phase === 'Stopped';
  };
  await eventually('the job is stopped', isStopped, { withinMs: 120_000 });
  expect((await job.wait()).phase).toBe('Stopped');
  expect(await stage.pods('large')).toEqual([]);

  const made = watchPods('large');
  process.kill(slow.pid!, 'SIGCONT');
  await other.stop();
  // It is at work again.
  const next = await stage.client.submit(simulatedJob({ name: 'next', namespace: stage.namespace }));
  await untilPhase(next, 'Running');
  // It may have been stopped between its last look at the time and the sending of a request; such a pod is removed.
  expect((await made.names()).length).toBeLessThanOrEqual(CONNECTIONS);
  await eventually('no pod of the stopped job is left', async () => (await stage.pods('large')).length === 0);
}, 600_000);

/** Names of a job's pods that are made from now on. */
function watchPods(job: string) {
  const { cluster, namespace } = stage;
  const stop = new AbortController();
  const names: string[] = [];
  const watching = (async () => {
    const selection = { namespace, labelSelector: `${LABELS.job}=${job}` };
    const { metadata } = await cluster.list(PODS, selection);
    const resourceVersion = metadata.resourceVersion ?? '';
    for await (const { type, object } of cluster.watch(PODS, {
      ...selection,
      resourceVersion,
      signal: stop.signal,
    })) {
      if (type === 'ADDED') names.push(object.metadata.name);
    }
  })().catch(() => undefined);
  return {
    names: async () => {
      stop.abort();
      await watching;
      return names;
    },
  };
}
