import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { JobHandle } from '../../client/handles/job-handle.ts';
import { PODS } from '../../contracts/kubernetes.ts';
import type { RecordedPod } from '../../contracts/types.ts';
import { eventually } from '../eventually.ts';
import { untilAttempt, untilRestarted } from './attempts.ts';
import { simulatedJob, withPolicy } from './manifests.ts';
import { openStage, type Stage, untilPhase } from './stage.ts';

/** What is known of a job's pods when they are gone. */

let stage: Stage;

beforeAll(async () => {
  stage = await openStage({ sharesEngine: true });
});

afterAll(() => stage.close());

interface Options {
  readonly ladder?: readonly object[];
  readonly cleanPodPolicy?: string;
}

async function start(
  name: string,
  { ladder = [{ scope: 'gang' }], cleanPodPolicy = 'All' }: Options = {},
): Promise<JobHandle> {
  const manifest = simulatedJob({ name, namespace: stage.namespace, runPolicy: { cleanPodPolicy } });
  const restart = { ladder, backOff: { initial: '0s' } };
  const job = await stage.client.submit(withPolicy(manifest, { restart }));
  await untilPhase(job, 'Running');
  return job;
}

const uidsNow = async (name: string) => (await stage.pods(name)).map(({ metadata }) => metadata.uid!).sort();
const uidsOf = (pods: readonly RecordedPod[]) => pods.map(({ uid }) => uid).sort();

async function complete(job: JobHandle, name: string) {
  await stage.endPod(`${name}-master-0`, { exitCode: 0 });
  expect((await job.wait()).phase).toBe('Completed');
}

/** What no other test can know: each pod that the API server ever had. */
describe('the record of pods', () => {
  it('has every pod of every attempt, also replaced ones', async () => {
    const job = await start('ladder', { ladder: [{ scope: 'pod', times: 1 }, { scope: 'gang' }] });
    const first = await uidsNow('ladder');
    await stage.endPod('ladder-worker-0', { exitCode: 9 });
    await untilRestarted(job, 1);
    const replaced = (await uidsNow('ladder')).filter((uid) => !first.includes(uid));
    await stage.endPod('ladder-worker-1', { exitCode: 7 });
    await untilAttempt(job, 2);
    const second = await uidsNow('ladder');
    await complete(job, 'ladder');

    const records = await job.pods();
    expect(records.map(({ attempt }) => attempt)).toEqual([1, 2]);
    expect(replaced).toHaveLength(1);
    expect(uidsOf(records[0]!.pods)).toEqual([...first, ...replaced].sort());
    expect(uidsOf(records[1]!.pods)).toEqual(second);
    expect(records[0]!.pods.map(({ pod }) => pod)).toEqual([
      'ladder-master-0',
      'ladder-worker-0',
      'ladder-worker-0',
      'ladder-worker-1',
    ]);
    const [failed] = records[0]!.pods.filter(({ containers }) => containers[0]?.exitCode === 9);
    expect(failed).toMatchObject({ pod: 'ladder-worker-0', phase: 'Failed', node: expect.any(String) });
    for (const { pods } of records) for (const pod of pods) expect(pod.deletedAt).toBeDefined();
  });

  it('has pods at the job’s end, whether all are kept or only ended ones', async () => {
    const kept = await start('kept', { cleanPodPolicy: 'None' });
    const all = await uidsNow('kept');
    await complete(kept, 'kept');
    const [ofKept] = await kept.pods();
    expect(uidsOf(ofKept!.pods)).toEqual(all);
    expect(ofKept!.pods.every(({ deletedAt }) => deletedAt === undefined)).toBe(true);

    const running = await start('running', { cleanPodPolicy: 'Running' });
    const both = await uidsNow('running');
    await complete(running, 'running');
    const [ofRunning] = await running.pods();
    expect(uidsOf(ofRunning!.pods)).toEqual(both);
    expect(ofRunning!.pods.map(({ role, deletedAt }) => [role, deletedAt !== undefined])).toEqual([
      ['master', false],
      ['worker', true],
      ['worker', true],
    ]);
  });

  it('has the images and times of the kubelet', async () => {
    const job = await start('images', { cleanPodPolicy: 'None' });
    const imageID = `registry.example/train@sha256:${'c'.repeat(64)}`;
    await asKubelet('images-worker-0', imageID);
    await complete(job, 'images');
    const [{ pods } = { pods: [] }] = await job.pods();
    expect(pods.find(({ pod }) => pod === 'images-worker-0')).toMatchObject({
      createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
      startedAt: expect.stringMatching(/^\d{4}-.*Z$/),
      containers: [{ name: 'pytorch', image: 'train:1', imageID, restarts: 0 }],
    });
  });

  it('has the pods of a suspended job, and of a terminated one', async () => {
    const job = await start('paused');
    const before = await uidsNow('paused');
    await job.suspend();
    await untilPhase(job, 'Suspended');
    // The phase is told when the suspension begins.
    await eventually('its pods are recorded', async () => {
      expect(uidsOf((await job.pods()).flatMap(({ pods }) => pods))).toEqual(before);
      return true;
    });
    await job.resume();
    await untilPhase(job, 'Running');
    const after = await uidsNow('paused');
    await stage.temporal.workflow.getHandle(job.workflowId).terminate('a test');
    await eventually('the orphan clean-up has recorded what it deletes', async () => {
      const records = await job.pods();
      expect(uidsOf(records.flatMap(({ pods }) => pods))).toEqual([...before, ...after].sort());
      return true;
    });
  });
});

/** Simulated nodes report no image: this writes what a kubelet would. */
async function asKubelet(name: string, imageID: string): Promise<void> {
  const { status, metadata } = await stage.pod(name);
  const containerStatuses = status!.containerStatuses!.map((one) => ({ ...one, imageID }));
  await stage.cluster.patch(
    PODS,
    { namespace: stage.namespace, name, subresource: 'status' },
    { metadata: { uid: metadata.uid }, status: { containerStatuses } },
  );
}
