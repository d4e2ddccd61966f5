import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { JobHandle } from '../../client/handles/job-handle.ts';
import { KUEUE_WORKLOADS } from '../../contracts/kubernetes.ts';
import { eventually } from '../eventually.ts';
import { simulatedJob } from './manifests.ts';
import { kueueOf, openRecordedKueue, PREEMPTED, type RecordedKueue } from './recorded-kueue.ts';
import { openStage, type Stage, untilPhase } from './stage.ts';

/** A job in a queue of Kueue, whose part this file has. */

let stage: Stage;
let recorded: RecordedKueue;
let kueue: ReturnType<typeof kueueOf>;

beforeAll(async () => {
  stage = await openStage({ localNode: false });
  recorded = await openRecordedKueue(stage);
  kueue = kueueOf(stage, 'queued');
  await Promise.all([stage.engine('watcher'), stage.engine('worker')]);
});

afterAll(async () => {
  await recorded?.close();
  await stage.close();
});

const untilWaiting = (job: JobHandle, attempt: number, words: RegExp) =>
  eventually(`attempt ${attempt} waits: ${words}`, async () => {
    const status = await job.status();
    const isSaid = words.test(status.cause?.message ?? '');
    return status.state === 'Pending.Queued' && status.attempt === attempt && isSaid && status;
  });

async function expectPodsOfFlavor(): Promise<void> {
  for (const { metadata, spec } of await stage.pods('queued')) {
    expect(spec.nodeSelector).toMatchObject(recorded.nodeLabels);
    expect(spec.tolerations).toContainEqual({ key: 'reserved', operator: 'Exists' });
    expect(metadata.labels).toMatchObject({
      'kueue.x-k8s.io/podset': metadata.labels!['signalbox.dev/role'],
      'kueue.x-k8s.io/cluster-queue-name': 'cluster',
    });
  }
}

it('waits for quota, runs where its flavor says, is preempted, and waits again', async () => {
  const manifest = simulatedJob({ name: 'queued', namespace: stage.namespace, worker: { replicas: 1 } });
  const labels = { 'kueue.x-k8s.io/queue-name': 'team' };
  const job = await stage.client.submit({ ...manifest, metadata: { ...manifest.metadata, labels } });
  await untilWaiting(job, 1, /Kueue: it has said nothing of the job yet/);
  expect((await kueue.workload()).spec).toMatchObject({
    queueName: 'team',
    podSets: [{ count: 1 }, { count: 1 }],
  });
  await kueue.refuses();
  await untilWaiting(job, 1, /insufficient unused quota/);
  expect(await stage.pods('queued')).toEqual([]);
  await kueue.admits();
  await untilPhase(job, 'Running');
  await expectPodsOfFlavor();
  await eventually(
    'Kueue hears that it runs',
    async () => (await kueue.condition('PodsReady'))?.status === 'True',
  );

  await kueue.preempts();
  await eventually(
    'its quota is free',
    async () => (await kueue.condition('QuotaReserved'))?.status === 'False',
  );
  expect(await stage.pods('queued')).toEqual([]);
  expect(await kueue.condition('Requeued')).toMatchObject({
    status: 'True',
    reason: 'Preempted',
    message: PREEMPTED,
  });
  expect(await untilWaiting(job, 2, /Preempted to accommodate/)).toMatchObject({ restarts: 0 });
  expect(JSON.stringify(await job.history())).toMatch(/"Preempted"/);
  await kueue.admits();
  await untilPhase(job, 'Running');
  await expectPodsOfFlavor();
  await job.stop({ why: 'enough' });
  await untilPhase(job, 'Stopped');
  await eventually('its Workload is gone', async () => {
    return (await stage.cluster.find(KUEUE_WORKLOADS[0]!, stage.namespace, 'queued')) === undefined;
  });
  expect(await stage.pods('queued')).toEqual([]);
});
