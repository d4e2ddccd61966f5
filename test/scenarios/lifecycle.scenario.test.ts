import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { JobHandle } from '../../client/handles/job-handle.ts';
import { CONFIG_MAPS, PODS, SERVICES } from '../../contracts/kubernetes.ts';
import { ANNOTATIONS, workflowIdOf } from '../../contracts/labels.ts';
import { TRAINING_JOB } from '../../contracts/messages.ts';
import { eventually } from '../eventually.ts';
import { statusOf } from '../status-of.ts';
import { SUCCEEDS, simulatedJob } from './manifests.ts';
import { openStage, type Stage, untilLeft, untilPhase } from './stage.ts';
import { activitiesOf } from './workflow-history.ts';

let stage: Stage;

beforeAll(async () => {
  stage = await openStage({ sharesEngine: true });
});

afterAll(() => stage.close());

const job = (options: Omit<Parameters<typeof simulatedJob>[0], 'namespace'>) =>
  simulatedJob({ namespace: stage.namespace, ...options });

async function submitRunning(manifest: ReturnType<typeof simulatedJob>): Promise<JobHandle> {
  const job = await stage.client.submit(manifest);
  await untilPhase(job, 'Running');
  return job;
}

describe('a job that is suspended', () => {
  it.concurrent('has no pod, and continues with new ones when it is resumed', async () => {
    const handle = await submitRunning(
      job({ name: 'pause', annotations: { 'signalbox.dev/gang': 'volcano' } }),
    );
    const before = await stage.pods('pause');
    await handle.suspend({ by: 'ana', why: 'others need the nodes' });
    await untilLeft(stage, 'pause', ['ConfigMap/pause.signalbox']);
    const resting = await untilPhase(handle, 'Suspended');
    expect(resting.cause).toEqual({
      reason: 'Suspended',
      message: 'suspended by ana: others need the nodes',
      ...{ by: 'ana', why: 'others need the nodes' },
      remedy: expect.stringContaining('`signalbox resume pause '),
    });
    await expect(handle.suspend({})).rejects.toThrow('the job is already suspended');
    await handle.resume({ by: 'ana' });
    const status = await untilPhase(handle, 'Running');
    expect(status).toMatchObject({ attempt: 2, restarts: 0 });
    const after = await stage.pods('pause');
    const uids = before.map(({ metadata }) => metadata.uid);
    expect(after.filter(({ metadata }) => uids.includes(metadata.uid))).toEqual([]);
    await expect(handle.resume({})).rejects.toThrow('the job is not suspended: Running');
    await stage.endPod('pause-master-0', { exitCode: 0 });
    expect((await handle.wait()).conditions.map(({ type, status }) => `${type}=${status}`)).toEqual([
      'Created=True',
      'Suspended=False',
      'Running=False',
      'Succeeded=True',
    ]);
    await handle.stop({});
    await removeAnchor('pause');
  });

  it.concurrent('from the start creates no pods until it is resumed, and can be stopped instead', async () => {
    const handle = await stage.client.submit(
      job({ name: 'later', runPolicy: { suspend: true, cleanPodPolicy: 'All' } }),
    );
    await untilPhase(handle, 'Suspended');
    await untilLeft(stage, 'later', ['ConfigMap/later.signalbox']);
    await handle.stop({});
    expect(await handle.wait()).toMatchObject({ phase: 'Stopped' });
    await removeAnchor('later');
  });
});

describe('a job that runs to its end', () => {
  it.concurrent('passes through its states, and keeps the pods of its clean-up policy', async () => {
    const handle = await submitRunning(job({ name: 'happy', runPolicy: { cleanPodPolicy: 'Running' } }));
    await stage.endPod('happy-master-0', { exitCode: 0 });
    const outcome = await handle.wait();
    expect(outcome.phase).toBe('Completed');
    expect(outcome.timeline.map(({ phase }) => phase)).toEqual(
      expect.arrayContaining(['Pending', 'Running', 'Completed']),
    );
    expect(outcome.conditions.map(({ type, status }) => `${type}=${status}`)).toEqual([
      'Created=True',
      'Running=False',
      'Succeeded=True',
    ]);
    await untilLeft(stage, 'happy', [
      'ConfigMap/happy.signalbox',
      'Pod/happy-master-0',
      'Service/happy-master-0',
    ]);
    const anchor = await stage.cluster.get(CONFIG_MAPS, stage.namespace, 'happy.signalbox');
    expect(JSON.parse(anchor.data!.status!)).toEqual(outcome);
    await removeAnchor('happy');
  });

  it.concurrent('needs two activities: one admits and begins it, and its clean-up records the end', async () => {
    let activities = await activitiesToSuccess('cheap-1');
    // On a slow machine the pods may be left to an activity of their own, and a state may last so long that it is recorded.
    for (const name of ['cheap-2', 'cheap-3'])
      if (new Set(activities).size > 2) activities = await activitiesToSuccess(name);
    expect([...new Set(activities)]).toEqual(['admit', 'cleanUp']);
    expect(activities.at(-1)).toBe('cleanUp');
  });

  it.concurrent('records that it runs once more if its anchor does not say so', async () => {
    const handle = await submitRunning(job({ name: 'unrecorded' }));
    const target = { namespace: stage.namespace, name: 'unrecorded.signalbox' };
    const phaseOnAnchor = async () =>
      (await stage.cluster.get(CONFIG_MAPS, target.namespace, target.name)).metadata.annotations?.[
        ANNOTATIONS.phase
      ];
    await eventually('the anchor says Running', async () => (await phaseOnAnchor()) === 'Running');
    // As if the worker had been killed before it wrote it.
    const annotations = { [ANNOTATIONS.phase]: 'Pending' };
    await stage.cluster.patch(CONFIG_MAPS, target, { metadata: { annotations } });
    // The watcher tells it after a minute, and again each minute while the job was busy then.
    const withinMs = 240_000;
    await eventually('the anchor says Running again', async () => (await phaseOnAnchor()) === 'Running', {
      withinMs,
    });
    expect(await activitiesOf(stage.temporal, handle)).toContain('recordStatus');
  });

  it.concurrent('allows a new run of the same name, which removes left-over objects', async () => {
    const first = await stage.client.submit(job({ name: 'again', master: { annotations: SUCCEEDS } }));
    await first.wait();
    const old = await stage.pod('again-master-0');
    const second = await stage.client.submit(job({ name: 'again', worker: { replicas: 1 } }));
    expect(second.submission).toBe('started');
    await untilPhase(second, 'Running');
    const pods = await stage.pods('again');
    expect(pods.map(({ metadata }) => metadata.name).sort()).toEqual(['again-master-0', 'again-worker-0']);
    expect(pods.map(({ metadata }) => metadata.uid)).not.toContain(old.metadata.uid);
    await second.stop({});
    await second.wait();
    await untilLeft(stage, 'again', ['ConfigMap/again.signalbox']);
    await removeAnchor('again');
  });
});

describe('a job that fails', () => {
  it.concurrent('shows which pod, exit code, node and rule decided', async () => {
    const handle = await submitRunning(
      job({ name: 'never', worker: { restartPolicy: 'Never' }, runPolicy: { cleanPodPolicy: 'All' } }),
    );
    await stage.endPod('never-worker-1', { exitCode: 3 });
    const { phase, cause, conditions } = await handle.wait();
    expect(phase).toBe('Failed');
    expect(cause).toMatchObject({
      reason: 'PodFailed',
      pod: 'never-worker-1',
      exitCode: 3,
      node: expect.stringMatching(/^sim-/),
      rule: 'spec.pytorchReplicaSpecs.Worker.restartPolicy: Never',
    });
    expect(conditions.at(-1)).toMatchObject({
      type: 'Failed',
      status: 'True',
      reason: 'PyTorchJobFailed',
      message: 'PyTorchJob never is failed because 1 Worker replica(s) failed.',
    });
    await untilLeft(stage, 'never', ['ConfigMap/never.signalbox']);
    await removeAnchor('never');
  });

  it.concurrent.each([
    { exitCode: 1, ends: 'PermanentExitCode' },
    { exitCode: 137, ends: 'Completed' },
  ])('has the end $ends with restartPolicy ExitCode and code $exitCode', async ({ exitCode, ends }) => {
    const name = `exit-${ends.toLowerCase()}`;
    const handle = await submitRunning(
      job({ name, worker: { restartPolicy: 'ExitCode' }, runPolicy: { cleanPodPolicy: 'All' } }),
    );
    const failed = await stage.pod(`${name}-worker-0`);
    await stage.endPod(`${name}-worker-0`, { exitCode });
    if (ends === 'Completed') {
      await eventually('the pod is replaced', async () => {
        const { metadata } = await stage.pod(`${name}-worker-0`);
        return metadata.uid !== failed.metadata.uid;
      });
      const { restarts } = await untilPhase(handle, 'Running');
      expect(restarts).toBe(1);
      await stage.endPod(`${name}-master-0`, { exitCode: 0 });
    }
    const { phase, cause } = await handle.wait();
    expect(cause?.reason ?? phase).toBe(ends);
    await untilLeft(stage, name, [`ConfigMap/${name}.signalbox`]);
    await removeAnchor(name);
  });

  it.concurrent('has the reason BackoffLimitExceeded after more restarts than allowed', async () => {
    const handle = await submitRunning(
      job({ name: 'often', runPolicy: { backoffLimit: 1, cleanPodPolicy: 'All' } }),
    );
    const failed = await stage.pod('often-worker-0');
    await stage.endPod('often-worker-0', { exitCode: 1 });
    await eventually('the pod runs again', async () => {
      const { metadata, status } = await stage.pod('often-worker-0');
      return metadata.uid !== failed.metadata.uid && status?.phase === 'Running';
    });
    await stage.endPod('often-worker-0', { exitCode: 1 });
    const { cause, restarts } = await handle.wait();
    expect(cause).toMatchObject({ reason: 'BackoffLimitExceeded', rule: 'spec.runPolicy.backoffLimit: 1' });
    expect(restarts).toBe(1);
    await untilLeft(stage, 'often', ['ConfigMap/often.signalbox']);
    await removeAnchor('often');
  });

  it.concurrent('has the reason DeadlineExceeded without any other event', async () => {
    const handle = await submitRunning(job({ name: 'long', runPolicy: { activeDeadlineSeconds: 8 } }));
    const { cause } = await handle.wait();
    expect(cause?.reason).toBe('DeadlineExceeded');
    await untilLeft(stage, 'long', ['ConfigMap/long.signalbox']);
    await removeAnchor('long');
  });
});

describe('a pod that is deleted by hand', () => {
  it.concurrent('is recreated, and the job continues', async () => {
    const handle = await submitRunning(job({ name: 'byhand', runPolicy: { cleanPodPolicy: 'All' } }));
    const before = await stage.pod('byhand-worker-1');
    await stage.cluster.delete(PODS, stage.namespace, 'byhand-worker-1');
    await eventually('it is made again', async () => {
      const { metadata } = await stage.pod('byhand-worker-1');
      return metadata.uid !== before.metadata.uid;
    });
    await untilPhase(handle, 'Running');
    await stage.endPod('byhand-master-0', { exitCode: 0 });
    const outcome = await handle.wait();
    expect(outcome.phase).toBe('Completed');
    expect(outcome.timeline.map(({ phase }) => phase)).toContain('Restarting');
    await untilLeft(stage, 'byhand', ['ConfigMap/byhand.signalbox']);
    await removeAnchor('byhand');
  });
});

describe('a job that is ended from outside', () => {
  it.concurrent('cleans up when it is stopped, and shows who asked and why', async () => {
    const handle = await submitRunning(job({ name: 'stopped' }));
    await handle.stop({ by: 'ana', why: 'wrong data' });
    const { phase, cause } = await handle.wait();
    expect(phase).toBe('Stopped');
    expect(cause).toMatchObject({ reason: 'StopRequested', message: 'stopped by ana: wrong data' });
    await untilLeft(stage, 'stopped', ['ConfigMap/stopped.signalbox']);
    await removeAnchor('stopped');
  });

  it.concurrent('cleans up when its workflow is cancelled', async () => {
    const handle = await submitRunning(job({ name: 'cancelled' }));
    await stage.temporal.workflow.getHandle(handle.workflowId).cancel();
    const { phase, cause } = await handle.wait();
    expect(phase).toBe('Stopped');
    expect(cause?.reason).toBe('Cancelled');
    await untilLeft(stage, 'cancelled', ['ConfigMap/cancelled.signalbox']);
    await removeAnchor('cancelled');
  });

  it.concurrent('is cleaned up when its workflow was terminated', async () => {
    const handle = await submitRunning(job({ name: 'terminated' }));
    await stage.temporal.workflow.getHandle(handle.workflowId).terminate('by the test');
    await untilLeft(stage, 'terminated', ['ConfigMap/terminated.signalbox']);
    const recorded = await eventually('the anchor records it', async () => {
      const { data } = await stage.cluster.get(CONFIG_MAPS, stage.namespace, 'terminated.signalbox');
      const status = JSON.parse(data!.status!) as { phase: string; cause?: { reason: string } };
      return status.phase === 'Stopped' ? status : undefined;
    });
    expect(recorded.cause?.reason).toBe('WorkflowTerminated');
    await removeAnchor('terminated');
  });

  it.concurrent('stops when its anchor is deleted', async () => {
    const handle = await submitRunning(job({ name: 'unanchored' }));
    await stage.cluster.delete(CONFIG_MAPS, stage.namespace, 'unanchored.signalbox');
    const { phase, cause } = await handle.wait();
    expect(phase).toBe('Stopped');
    expect(cause?.reason).toBe('AnchorDeleted');
    await untilLeft(stage, 'unanchored', []);
  });
});

describe('a job with a fault', () => {
  it.concurrent('is refused with every fault by its path, before anything is created', async () => {
    const manifest = job({
      name: 'faulty',
      master: { replicas: 2, restartPolicy: 'Sometimes' },
      worker: { replicas: 0 },
    });
    // The engine itself, not the client before it.
    const { workflow } = stage.temporal;
    const workflowId = workflowIdOf(manifest.metadata);
    await workflow.start(TRAINING_JOB, { args: [manifest], workflowId, taskQueue: 'signalbox' });
    const { phase, cause } = await stage.client.job({ workflowId }).wait();
    expect(phase).toBe('Failed');
    expect(cause?.reason).toBe('InvalidManifest');
    expect(cause?.message).toContain('spec.pytorchReplicaSpecs.Master.restartPolicy: expected one of');
    expect(cause?.message).toContain(
      'spec.pytorchReplicaSpecs.Worker.replicas: expected an integer >= 1, got 0',
    );
    expect((await stage.objects()).filter((object) => object.includes('faulty'))).toEqual([]);
  });

  it.concurrent('fails when a name that it needs is in use, and does not change that object', async () => {
    const alien = {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'taken-worker-1', namespace: stage.namespace },
    };
    await stage.cluster.create(SERVICES, { ...alien, spec: { clusterIP: 'None', ports: [{ port: 80 }] } });
    const handle = await stage.client.submit(job({ name: 'taken' }));
    const { phase, cause } = await handle.wait();
    expect(phase).toBe('Failed');
    expect(cause).toMatchObject({ reason: 'NameTaken', message: expect.stringContaining('taken-worker-1') });
    await untilLeft(stage, 'taken', ['ConfigMap/taken.signalbox', 'Service/taken-worker-1']);
    await stage.cluster.delete(SERVICES, stage.namespace, 'taken-worker-1');
    await removeAnchor('taken');
  });

  it.concurrent('is refused while another job has its name, whatever its workflow id', async () => {
    const first = await submitRunning(job({ name: 'mine' }));
    const second = await stage.client.submit(job({ name: 'mine', worker: false }), {
      workflowId: `other-${stage.namespace}`,
    });
    const { cause } = await second.wait();
    expect(cause).toMatchObject({ reason: 'NameTaken', message: expect.stringContaining(first.workflowId) });
    expect((await statusOf(first)).phase).toBe('Running');
    await first.stop({});
    await first.wait();
    await removeAnchor('mine');
  });

  it.concurrent('is the same job when the same manifest is submitted twice', async () => {
    const manifest = job({ name: 'twice' });
    const first = await submitRunning(manifest);
    const second = await stage.client.submit(manifest);
    expect(second.submission).toBe('already-running');
    expect(second.workflowId).toBe(first.workflowId);
    await expect(stage.client.submit(job({ name: 'twice', worker: false }))).rejects.toMatchObject({
      name: 'NameTakenError',
    });
    expect(await stage.pods('twice')).toHaveLength(3);
    await first.stop({});
    await first.wait();
    await removeAnchor('twice');
  });
});

async function activitiesToSuccess(name: string): Promise<string[]> {
  const handle = await submitRunning(job({ name }));
  await stage.endPod(`${name}-master-0`, { exitCode: 0 });
  await handle.wait();
  const activities = await activitiesOf(stage.temporal, handle);
  await removeAnchor(name);
  return activities;
}

/** All else of the job goes with its anchor. */
async function removeAnchor(name: string): Promise<void> {
  await stage.cluster.delete(CONFIG_MAPS, stage.namespace, `${name}.signalbox`);
  await untilLeft(stage, name, []);
}
