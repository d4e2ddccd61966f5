import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { JobHandle } from '../../client/handles/job-handle.ts';
import type { Digest } from '../../contracts/digest.ts';
import { CONFIG_MAPS, POD_GROUPS, PODS } from '../../contracts/kubernetes.ts';
import { DIGEST_SIGNAL } from '../../contracts/messages.ts';
import { eventually } from '../eventually.ts';
import { statusOf } from '../status-of.ts';
import { attemptsOf, renewed, untilAttempt, untilStatus } from './attempts.ts';
import { simulatedJob, withPolicy } from './manifests.ts';
import { openStage, type Stage, untilPhase } from './stage.ts';

/** When one member fails, all start again: as a new attempt, and not before the last pod of the old one is gone. */

let stage: Stage;

beforeAll(async () => {
  stage = await openStage({ sharesEngine: true });
});

afterAll(() => stage.close());

const GANG = { restart: { ladder: [{ scope: 'gang' }], backOff: { initial: '0s' } } };

async function running(name: string, policy: object, options: object = {}): Promise<JobHandle> {
  const manifest = simulatedJob({ name, namespace: stage.namespace, ...options });
  const job = await stage.client.submit(withPolicy(manifest, policy));
  await untilPhase(job, 'Running');
  return job;
}

describe('the restart of a gang', () => {
  it.concurrent('recreates every pod, with the number of its attempt in label and environment', async () => {
    const job = await running('anew', GANG);
    const before = await stage.pods('anew');
    await stage.endPod('anew-worker-1', { exitCode: 1 });
    const status = await untilAttempt(job, 2);
    const after = await stage.pods('anew');
    expect(attemptsOf(after)).toEqual(['2, env 2']);
    expect(renewed(before, after)).toEqual(['anew-master-0', 'anew-worker-0', 'anew-worker-1']);
    expect(status).toMatchObject({
      restarts: 1,
      evidence: [{ pod: 'anew-worker-1', exitCode: 1, attempt: 1 }],
    });
    expect(status.timeline.map(({ state }) => state)).toEqual(
      expect.arrayContaining(['Restarting.Capturing', 'Restarting.Draining', 'Pending.Creating']),
    );
    await stage.endPod('anew-master-0', { exitCode: 0 });
    expect((await job.wait()).phase).toBe('Completed');
  });

  it.concurrent('creates nothing while a pod of the old attempt is left, and shows which one it waits for', async () => {
    const job = await running('fenced', GANG);
    const stuck = { namespace: stage.namespace, name: 'fenced-worker-0' };
    await stage.cluster.patch(PODS, stuck, { metadata: { finalizers: ['test.signalbox.dev/stuck'] } });
    await stage.endPod('fenced-worker-1', { exitCode: 1 });
    const waiting = await eventually('it says what it waits for', async () => {
      const status = await statusOf(job);
      return status.cause?.reason === 'PodsTerminating' ? status : undefined;
    });
    expect(waiting.cause).toMatchObject({ pod: 'fenced-worker-0' });
    expect((await stage.pods('fenced')).map(({ metadata }) => metadata.name)).toEqual(['fenced-worker-0']);
    await stage.cluster.patch(PODS, stuck, { metadata: { finalizers: [] } });
    await untilAttempt(job, 2);
    await job.stop({});
    expect((await job.wait()).phase).toBe('Stopped');
  });

  it.concurrent('also recreates succeeded pods, and the group', async () => {
    const job = await running('group', GANG, { annotations: { 'signalbox.dev/gang': 'native' } });
    await stage.endPod('group-worker-0', { exitCode: 0 });
    await eventually('it has succeeded', async () => {
      const { status } = await stage.pod('group-worker-0');
      return status?.phase === 'Succeeded';
    });
    const before = await stage.pods('group');
    await stage.endPod('group-worker-1', { exitCode: 1 });
    await untilAttempt(job, 2);
    const after = await stage.pods('group');
    expect(renewed(before, after)).toEqual(['group-master-0', 'group-worker-0', 'group-worker-1']);
    const ofJob = { namespace: stage.namespace, labelSelector: 'signalbox.dev/job=group' };
    const { items } = await stage.cluster.list(POD_GROUPS, ofJob);
    expect(items.map(({ metadata }) => metadata.name)).toEqual(['group.2']);
    expect(items[0]?.metadata.labels?.['signalbox.dev/attempt']).toBe('2');
    for (const { spec } of after) expect(spec.schedulingGroup).toEqual({ podGroupName: 'group.2' });
    await stage.endPod('group-master-0', { exitCode: 0 });
    expect((await job.wait()).phase).toBe('Completed');
  });

  it.concurrent('ignores late events about the old attempt', async () => {
    const job = await running('late', GANG);
    await stage.endPod('late-worker-1', { exitCode: 1 });
    const before = await untilAttempt(job, 2);
    const pods = await stage.pods('late');
    const handle = stage.temporal.workflow.getHandle(job.workflowId);
    for (const word of await lateWords('late')) await handle.signal(DIGEST_SIGNAL, word);
    const after = await untilStatus(job, 'it has received them', ({ phase }) => phase === 'Running');
    expect(after).toEqual(before);
    expect(renewed(pods, await stage.pods('late'))).toEqual([]);
    await job.stop({});
    await job.wait();
  });
});

/** That attempt 1 has failed again, is gone, or has succeeded: each newer than all that the job has heard. */
async function lateWords(name: string): Promise<Digest[]> {
  const { items, metadata } = await stage.cluster.list(CONFIG_MAPS, { namespace: stage.namespace });
  const anchor = items.find((one) => one.metadata.name === `${name}.signalbox`)?.metadata.uid ?? '';
  const none = {
    unscheduled: 0,
    scheduled: 0,
    ready: 0,
    succeeded: 0,
    failed: 0,
    terminating: 0,
    succeededIndices: '',
  };
  const failure = {
    pod: `${name}-worker-0`,
    uid: 'x',
    role: 'worker',
    index: 0,
    exitCode: 1,
    reason: 'Error',
  };
  const digestWith = (roles: Digest['roles'], failures: Digest['failures'] = []): Digest => ({
    anchor,
    anchorDeleted: false,
    attempt: 1,
    resourceVersions: { pods: Number(metadata.resourceVersion) + 1, groups: {} },
    roles,
    earlier: 0,
    restarts: 0,
    failures,
  });
  return [
    digestWith({ master: { ...none, ready: 1 }, worker: { ...none, ready: 1, failed: 1 } }, [failure]),
    digestWith({}),
    digestWith({
      master: { ...none, succeeded: 1, succeededIndices: '0' },
      worker: { ...none, succeeded: 2, succeededIndices: '0-1' },
    }),
  ];
}
