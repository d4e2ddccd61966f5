import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { JobHandle } from '../../client/handles/job-handle.ts';
import { CONFIG_MAPS } from '../../contracts/kubernetes.ts';
import { ANNOTATIONS } from '../../contracts/labels.ts';
import { eventually } from '../eventually.ts';
import { untilAttempt, untilStatus } from './attempts.ts';
import { denyDeletion } from './denied-deletions.ts';
import { keep, letGo } from './kept-pods.ts';
import { simulatedJob, withPolicy } from './manifests.ts';
import { openStage, type Stage, untilLeft, untilPhase } from './stage.ts';

/** Jobs that wait for what others have to do, on a worker that has room for two activities. */

const ROOM = 2;

let stage: Stage;

beforeAll(async () => {
  process.env.SIGNALBOX_ACTIVITIES = String(ROOM);
  stage = await openStage({ sharesEngine: true });
});

afterAll(() => stage.close());

const GANG = { restart: { ladder: [{ scope: 'gang' }], backOff: { initial: '0s' } } };
const DONE = { 'signalbox.dev/simulate': 'succeeded' };

const aJob = (name: string, options: object = {}) =>
  simulatedJob({
    name,
    namespace: stage.namespace,
    worker: { replicas: 1, restartPolicy: 'OnFailure' },
    // A group of Kubernetes' own stays for as long as one of its pods does.
    annotations: { 'signalbox.dev/gang': 'none' },
    ...options,
  });

async function running(manifest: ReturnType<typeof simulatedJob>): Promise<JobHandle> {
  const job = await stage.client.submit(manifest);
  await untilPhase(job, 'Running');
  return job;
}

const waitsFor = (job: JobHandle, pod: string, state: string) =>
  untilStatus(
    job,
    `it waits for ${pod} in ${state}`,
    (status) =>
      status.cause?.reason === 'PodsTerminating' && status.cause.pod === pod && status.state === state,
  );

/** Jobs whose gangs start again, and that cannot, as a worker of theirs does not go. */
async function restartsThatWait(names: readonly string[]): Promise<JobHandle[]> {
  return Promise.all(
    names.map(async (name) => {
      const job = await running(withPolicy(aJob(name), GANG));
      await keep(stage, `${name}-worker-0`);
      await stage.endPod(`${name}-master-0`, { exitCode: 1 });
      await waitsFor(job, `${name}-worker-0`, 'Restarting.Draining');
      return job;
    }),
  );
}

describe('jobs that wait for terminating pods', () => {
  it('do not block the worker for others, and continue when the pods are gone', async () => {
    const names = Array.from({ length: ROOM + 2 }, (_, index) => `stuck-${index}`);
    const jobs = await restartsThatWait(names);

    const other = await running(aJob('other'));
    await other.stop({});
    expect((await other.wait()).phase).toBe('Stopped');

    for (const name of names) await letGo(stage, `${name}-worker-0`);
    await Promise.all(jobs.map((job) => untilAttempt(job, 2)));
    await Promise.all(jobs.map((job) => job.stop({})));
  });
});

describe('a name whose last job left a terminating pod', () => {
  const leaveBehind = async (name: string, policy: object = {}) => {
    const first = await running(withPolicy(aJob(name, { worker: false, master: {} }), policy));
    await keep(stage, `${name}-master-0`);
    await stage.endPod(`${name}-master-0`, { exitCode: 0 });
    expect((await first.wait()).phase).toBe('Completed');
  };

  it('is blocked, with a message that names the pod, and available when the pod is gone', async () => {
    await leaveBehind('again');
    const job = await stage.client.submit(aJob('again', { master: { annotations: DONE }, worker: false }));
    const { cause, phase } = await waitsFor(job, 'again-master-0', 'Pending.Admitting');
    expect([phase, cause?.node]).toEqual(['Pending', (await stage.pod('again-master-0')).spec.nodeName]);
    await letGo(stage, 'again-master-0');
    expect((await job.wait()).phase).toBe('Completed');
  });

  it('is not waited for by a stopped job', async () => {
    await leaveBehind('never');
    const job = await stage.client.submit(aJob('never'));
    await waitsFor(job, 'never-master-0', 'Pending.Admitting');
    await job.stop({});
    expect((await job.wait()).phase).toBe('Stopped');
    await letGo(stage, 'never-master-0');
  });
});

describe('a pod without delete permission', () => {
  it('does not block other pods, and its job says why it has not ended until it is deleted', async () => {
    const job = await running(aJob('denied', { worker: { replicas: 3 } }));
    const denial = await denyDeletion(stage, 'denied-worker-1');
    try {
      await job.stop({});
      const { phase } = await untilStatus(
        job,
        'it says that its clean-up is refused',
        ({ state, cause }) =>
          state === 'Finishing.CleaningUp' && (cause?.message ?? '').includes(denial.words),
      );
      expect(phase).toBe('Stopped');
      await untilLeft(stage, 'denied', ['ConfigMap/denied.signalbox', 'Pod/denied-worker-1']);
    } finally {
      await denial.end();
    }
    await job.retryNow({});
    expect((await job.wait()).timeline.at(-1)?.cause).toBe('clean-up finished');
    await untilLeft(stage, 'denied', ['ConfigMap/denied.signalbox']);
  });

  it('is cleaned up in the end, and its anchor records no end before that', async () => {
    const job = await running(aJob('orphan', { worker: { replicas: 2 } }));
    const phase = async () => {
      const { metadata } = await stage.cluster.get(CONFIG_MAPS, stage.namespace, 'orphan.signalbox');
      return metadata.annotations?.[ANNOTATIONS.phase];
    };
    const denial = await denyDeletion(stage, 'orphan-worker-1');
    try {
      await stage.temporal.workflow.getHandle(job.workflowId).terminate('a test');
      await untilLeft(stage, 'orphan', ['ConfigMap/orphan.signalbox', 'Pod/orphan-worker-1']);
      expect(await phase()).toBe('Running');
    } finally {
      await denial.end();
    }
    await untilLeft(stage, 'orphan', ['ConfigMap/orphan.signalbox']);
    await eventually('its end is noted', async () => (await phase()) === 'Stopped');
  });
});
