import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { JobHandle } from '../../client/handles/job-handle.ts';
import { CONFIG_MAPS, PODS } from '../../contracts/kubernetes.ts';
import { readCase, readManifest } from '../comparison/case.ts';
import { asPaddleOperator } from '../comparison/paddle-statuses.ts';
import { eventually } from '../eventually.ts';
import { statusOf } from '../status-of.ts';
import { untilAttempt, untilStatus } from './attempts.ts';
import { type Manifest, onSimulatedNodes, withPolicy } from './manifests.ts';
import { openStage, type Stage, untilLeft } from './stage.ts';

/**
 * The course through which paddle-operator was led when it was made to scale, on real servers. Where signalbox differs,
 * the test says by which of the listed differences (test/golden-differences/paddle-operator.ts).
 */

const CASE = 'paddlejob-scale-v0.3.0';
const { job, observed } = readCase(CASE);

interface Snapshot {
  readonly objects: readonly string[];
  readonly configMap: readonly Readonly<Record<string, string>>[];
  readonly status: Readonly<Record<string, unknown>>;
}

let stage: Stage;

beforeAll(async () => {
  stage = await openStage({ sharesEngine: true });
});

afterAll(() => stage.close());

async function submitted(): Promise<JobHandle> {
  const { metadata, ...manifest } = readManifest(CASE) as Manifest;
  // Kubernetes keeps its own kind of group for as long as a pod of it runs; paddle-operator had none.
  const annotations = { 'signalbox.dev/gang': 'none' };
  const named = { ...manifest, metadata: { ...metadata, namespace: stage.namespace, annotations } };
  const policy = { scaleByRestart: true };
  return await stage.client.submit(onSimulatedNodes(withPolicy(named, policy)));
}

const seen = (snapshot: string) => observed[snapshot] as Snapshot;

/** `except`: what is missing here, by a listed difference. */
const untilObjectsOf = (snapshot: string, except: readonly string[] = []) => {
  const wanted = seen(snapshot).objects.filter((object) => !except.includes(object));
  return untilLeft(stage, 'sc', ['ConfigMap/sc.signalbox', ...wanted]);
};

async function expectStatusOf(snapshot: string, handle: JobHandle, workers: number): Promise<void> {
  const roles = job.roles.map((role) => (role.name === 'worker' ? { ...role, replicas: workers } : role));
  const { jobFinalizers: _, ...wanted } = seen(snapshot).status;
  const status = await statusOf(handle);
  expect(asPaddleOperator({ ...job, roles }, { status, scope: undefined })).toEqual(wanted);
}

const variables = async () => (await stage.cluster.get(CONFIG_MAPS, stage.namespace, 'sc')).data;

/** Difference `scaling`: every variable that names the size follows. */
const withWorkers = (workers: number) => {
  const names = Array.from({ length: workers }, (_, index) => `sc-worker-${index}`);
  return {
    ...seen('start').configMap[0],
    PADDLE_TRAINERS: names.join(','),
    PADDLE_TRAINERS_NUM: String(workers),
    PADDLE_TRAINER_ENDPOINTS: names.map((name) => `${name}:2379`).join(','),
  };
};

/** Difference `scaling`: they go with their pods. */
const STALE = ['Service/sc-worker-1', 'Service/sc-worker-2'];

it('a job that paddle-operator had to scale has the same course here, except for the listed differences', async () => {
  const handle = await submitted();
  await untilAttempt(handle, 1);
  await untilObjectsOf('start');
  await expectStatusOf('start', handle, 2);
  expect([await variables()]).toEqual(seen('start').configMap);

  await handle.scale({ role: 'worker', replicas: 3 });
  await untilAttempt(handle, 2);
  await untilObjectsOf('afterScaleUpTo3');
  await expectStatusOf('afterScaleUpTo3', handle, 3);
  expect(await variables()).toEqual(withWorkers(3));

  await handle.scale({ role: 'worker', replicas: 1 });
  await untilAttempt(handle, 3);
  await untilObjectsOf('afterScaleDownTo1', STALE);
  await expectStatusOf('afterScaleDownTo1', handle, 1);
  expect(await variables()).toEqual(withWorkers(1));

  const { metadata } = await stage.pod('sc-worker-0');
  await stage.cluster.delete(PODS, stage.namespace, 'sc-worker-0');
  await eventually('it is made again', async () => {
    const pod = await stage.pod('sc-worker-0');
    return pod.metadata.uid !== metadata.uid;
  });
  await untilStatus(handle, 'all run again', ({ phase, restarts }) => phase === 'Running' && restarts === 1);
  await untilObjectsOf('afterDeletingRunningWorker0', STALE);
  await expectStatusOf('afterDeletingRunningWorker0', handle, 1);

  for (const pod of ['sc-ps-0', 'sc-worker-0']) await stage.endPod(pod, { exitCode: 0 });
  await handle.wait();
  await untilObjectsOf('afterAllSucceeded', STALE);
  await expectStatusOf('afterAllSucceeded', handle, 1);

  // Difference `successes-are-remembered`: it is not run again, and nothing of the record changes.
  await stage.cluster.delete(PODS, stage.namespace, 'sc-worker-0');
  await untilObjectsOf('afterDeletingFinishedWorker0', [...STALE, 'Pod/sc-worker-0']);
  await expectStatusOf('afterAllSucceeded', handle, 1);

  // Difference `owner`: the anchor is what a PaddleJob is there.
  await stage.cluster.delete(CONFIG_MAPS, stage.namespace, 'sc.signalbox');
  await untilLeft(stage, 'sc', (observed.afterJobDeleted as Snapshot).objects);
});
