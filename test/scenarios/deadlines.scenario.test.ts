import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { JobHandle } from '../../client/handles/job-handle.ts';
import { CONFIG_MAPS } from '../../contracts/kubernetes.ts';
import type { JobStatus } from '../../contracts/types.ts';
import { eventually } from '../eventually.ts';
import { statusOf } from '../status-of.ts';
import { type Manifest, SUCCEEDS, simulatedJob, withPolicy } from './manifests.ts';
import { openStage, type Stage, untilLeft, untilPhase } from './stage.ts';
import { timersOf } from './workflow-history.ts';

/** Times that run while a job is active, and after it has ended. */

let stage: Stage;

beforeAll(async () => {
  stage = await openStage({ sharesEngine: true });
});

afterAll(() => stage.close());

type Options = Omit<Parameters<typeof simulatedJob>[0], 'namespace'>;

const aJob = (options: Options) => simulatedJob({ namespace: stage.namespace, ...options });

async function submit(manifest: Manifest): Promise<JobHandle> {
  return await stage.client.submit(manifest);
}

const deadlinesOf = (job: JobHandle) => timersOf(stage.temporal, job, 'activeDeadline');

const timeBetween = ({ startTime, completionTime }: JobStatus) =>
  Date.parse(completionTime!) - Date.parse(startTime!);

describe('activeDeadlineSeconds', () => {
  const GANG = { ladder: [{ scope: 'gang' }] };

  it.concurrent('does not restart with the gang', async () => {
    const manifest = aJob({ name: 'once', runPolicy: { activeDeadlineSeconds: 3_600 } });
    const job = await submit(withPolicy(manifest, { restart: GANG }));
    const { startTime } = await untilPhase(job, 'Running');
    await stage.endPod('once-worker-0', { exitCode: 1 });
    const status = await eventually('the second attempt runs', async () => {
      const { attempt, phase, ...rest } = await statusOf(job);
      return attempt === 2 && phase === 'Running' && rest;
    });
    expect(status.startTime).toBe(startTime);
    expect(await deadlinesOf(job)).toEqual([3_600]);
    await job.stop({});
    await job.wait();
  });

  it.concurrent('ends a job that waits for its next attempt, with nothing else happening', async () => {
    const fails = { annotations: { 'signalbox.dev/simulate': 'failed' } };
    const manifest = aJob({ name: 'waits', master: fails, runPolicy: { activeDeadlineSeconds: 20 } });
    const backOff = { initial: '1h', max: '1h', firstAtOnce: false };
    const job = await submit(withPolicy(manifest, { restart: { ...GANG, backOff } }));
    const { phase, cause, timeline } = await job.wait();
    expect(phase).toBe('Failed');
    expect(cause).toMatchObject({
      reason: 'DeadlineExceeded',
      rule: 'spec.runPolicy.activeDeadlineSeconds: 20',
    });
    expect(timeline.map(({ state }) => state).slice(-3)).toEqual([
      'Restarting.Drained',
      'Finishing.CleaningUp',
      'Failed',
    ]);
    expect(await stage.pods('waits')).toEqual([]);
  });

  it.concurrent('stops while a job is suspended, and restarts in full with a new start time', async () => {
    const job = await submit(aJob({ name: 'rests', runPolicy: { activeDeadlineSeconds: 3_600 } }));
    const first = await untilPhase(job, 'Running');
    await job.suspend({});
    await eventually('no pods remain', async () => (await statusOf(job)).state === 'Suspended.Resting');
    expect(await deadlinesOf(job)).toEqual([3_600]);
    // Times in a status are whole seconds.
    await eventually('it is another second', () => Date.now() > Date.parse(first.startTime!) + 1_000);
    await job.resume({});
    const second = await untilPhase(job, 'Running');
    expect(Date.parse(second.startTime!)).toBeGreaterThan(Date.parse(first.startTime!));
    expect(await deadlinesOf(job)).toEqual([3_600, 3_600]);
    await job.stop({});
    await job.wait();
  });

  it.concurrent('ends a job that was resumed, however long it had been suspended', async () => {
    const job = await submit(aJob({ name: 'later', runPolicy: { suspend: true, activeDeadlineSeconds: 1 } }));
    await untilPhase(job, 'Suspended');
    await job.resume({});
    const outcome = await job.wait();
    expect(outcome.cause?.reason).toBe('DeadlineExceeded');
    expect(timeBetween(outcome)).toBeGreaterThanOrEqual(1_000);
    const resumed = outcome.timeline.find(({ cause }) => cause.startsWith('resumed by '));
    expect(Date.parse(outcome.startTime!)).toBeGreaterThanOrEqual(Date.parse(resumed!.at));
  });
});

describe('ttlSecondsAfterFinished', () => {
  /** The watcher starts it when the time has come. */
  const untilExpired = (name: string, anchorUid: string): Promise<unknown> =>
    eventually(`what is left of ${name} expires`, () =>
      stage.temporal.workflow.getHandle(`expire/${stage.namespace}/${name}/${anchorUid}`).result(),
    );

  const anchorUidOf = async (name: string) =>
    (await stage.cluster.get(CONFIG_MAPS, stage.namespace, `${name}.signalbox`)).metadata.uid!;

  it.concurrent.each([
    { exitCode: 0, phase: 'Completed' },
    { exitCode: 1, phase: 'Failed' },
  ])('removes a job that is $phase from the cluster, and its record stays', async (ending) => {
    const { exitCode, phase } = ending;
    const name = `expires-${phase.toLowerCase()}`;
    const runPolicy = { ttlSecondsAfterFinished: 2, cleanPodPolicy: 'None' };
    const job = await submit(aJob({ name, runPolicy, master: { restartPolicy: 'Never' } }));
    await untilPhase(job, 'Running');
    const anchorUid = await anchorUidOf(name);
    await stage.endPod(`${name}-master-0`, { exitCode });
    const outcome = await job.wait();
    expect(outcome.phase).toBe(phase);
    expect(await untilExpired(name, anchorUid)).toBe('expired');
    await untilLeft(stage, name, []);

    expect(outcome).toMatchObject(await statusOf(job));
    expect(await job.summary()).toMatchObject({ name, phase });
    const listed: string[] = [];
    for await (const summary of stage.client.list({ namespace: stage.namespace })) listed.push(summary.name);
    expect(listed).toContain(name);
  });

  it.concurrent('does not affect a later job of the same name', async () => {
    const runPolicy = { ttlSecondsAfterFinished: 3 };
    const first = await submit(aJob({ name: 'renewed', runPolicy, master: { annotations: SUCCEEDS } }));
    await eventually('the anchor is there', () => anchorUidOf('renewed'));
    const anchorUid = await anchorUidOf('renewed');
    await first.wait();
    const second = await submit(aJob({ name: 'renewed', worker: { replicas: 1 } }));
    await untilPhase(second, 'Running');
    // What ended later has expired: the watcher has been round since the first one's time was over.
    const later = await submit(aJob({ name: 'ends-later', runPolicy, master: { annotations: SUCCEEDS } }));
    await later.wait();
    expect(await untilExpired('ends-later', await anchorUidOf('ends-later'))).toBe('expired');
    expect(await anchorUidOf('renewed')).not.toBe(anchorUid);
    expect((await statusOf(second)).phase).toBe('Running');
    const pods = await stage.pods('renewed');
    expect(pods.filter(({ metadata }) => metadata.deletionTimestamp)).toEqual([]);
    expect(pods).toHaveLength(2);
    await second.stop({});
    await second.wait();
  });
});
