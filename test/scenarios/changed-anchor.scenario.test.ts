import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { CONFIG_MAPS } from '../../contracts/kubernetes.ts';
import { ANNOTATIONS, anchorNameOf, LABELS } from '../../contracts/labels.ts';
import type { TrainingJob } from '../../contracts/training-job.ts';
import type { Engine } from '../../demo/engine.ts';
import { eventually } from '../eventually.ts';
import { statusOf } from '../status-of.ts';
import { simulatedJob, withPolicy } from './manifests.ts';
import { objectsOf, openStage, type Stage, untilLeft, untilPhase } from './stage.ts';
import { historyText } from './workflow-history.ts';

const IMAGE = 'registry.example.com/right';

let stage: Stage;
let worker: Engine;
let watcher: Engine;

beforeAll(async () => {
  stage = await openStage({ localNode: false });
  watcher = await stage.engine('watcher');
  worker = await stage.engine('worker');
});

afterAll(() => stage?.close());

async function runningJob(name: string) {
  const manifest = simulatedJob({
    name,
    namespace: stage.namespace,
    worker: { replicas: 2, restartPolicy: 'OnFailure' },
  });
  const withImage = JSON.parse(JSON.stringify(manifest).replace(/"image":"[^"]*"/g, `"image":"${IMAGE}"`));
  const job = await stage.client.submit(withPolicy(withImage, { restart: { ladder: [{ scope: 'pod' }] } }));
  await untilPhase(job, 'Running');
  return job;
}

/** A worker that knows no job yet. */
async function anotherWorker(): Promise<void> {
  await worker.stop();
  worker = await stage.engine('worker');
}

const anchorOf = (name: string) => stage.cluster.get(CONFIG_MAPS, stage.namespace, anchorNameOf(name));

const imageOf = async (pod: string) => (await stage.pod(pod)).spec.containers[0]!.image;

/** Fails a pod, and waits for the one that takes its place. */
async function replace(pod: string): Promise<void> {
  const { uid } = (await stage.pod(pod)).metadata;
  await stage.endPod(pod, { exitCode: 1, uid });
  await eventually(`${pod} is replaced`, async () => (await stage.pod(pod)).metadata.uid !== uid);
}

it('a changed anchor changes no pod: the job is restored from its workflow, with an entry in its timeline', async () => {
  const job = await runningJob('changed');
  const { data } = await anchorOf('changed');
  const evil = data!.job!.replaceAll(IMAGE, 'registry.example.com/evil');
  const target = { namespace: stage.namespace, name: anchorNameOf('changed') };
  await stage.cluster.patch(CONFIG_MAPS, target, { data: { job: evil } });
  await anotherWorker();

  await replace('changed-worker-0');
  expect(await imageOf('changed-worker-0')).toBe(IMAGE);
  expect((await anchorOf('changed')).data!.job).toBe(data!.job);
  await untilPhase(job, 'Running');
  const { timeline } = await statusOf(job);
  expect(timeline.map(({ cause }) => cause)).toContainEqual(
    expect.stringContaining('the job on ConfigMap changed.signalbox was changed'),
  );
});

it('a job whose anchor is deleted is cleaned up, also by a worker that did not see it before', async () => {
  const job = await runningJob('deleted');
  await worker.stop();
  await stage.cluster.delete(CONFIG_MAPS, stage.namespace, anchorNameOf('deleted'));
  worker = await stage.engine('worker');
  const status = await untilPhase(job, 'Stopped');
  expect(status.cause).toMatchObject({ reason: 'AnchorDeleted' });
  await untilLeft(stage, 'deleted', []);
});

it('an amended job is on its anchor, and its manifest only once in its history', async () => {
  const job = await runningJob('amended');
  await job.amendPolicy({ policy: { holdOnFailure: '1h' } });
  await job.amendPolicy({ policy: { holdOnFailure: null } });
  await anotherWorker();
  await replace('amended-worker-1');
  await untilPhase(job, 'Running');
  const { revision, annotations } = JSON.parse((await anchorOf('amended')).data!.job!) as TrainingJob;
  expect([revision, annotations['signalbox.dev/policy']]).toEqual([3, expect.not.stringContaining('hold')]);
  // Once for each role; the summaries of the start name the image as well.
  expect((await historyText(stage.temporal, job)).split(`"image":"${IMAGE}`)).toHaveLength(3);
});

it.each([
  ['lost its labels', { labels: { [LABELS.anchor]: null, [LABELS.job]: null } }],
  ['names another installation', { labels: { [LABELS.installation]: 'another' } }],
  ['names another cluster', { annotations: { [ANNOTATIONS.clusterId]: 'another' } }],
  ['names another workflow', { annotations: { [ANNOTATIONS.workflowId]: 'job/default/another' } }],
  ['names another run', { annotations: { [ANNOTATIONS.firstRunId]: 'another' } }],
  ['names no workflow', { annotations: { [ANNOTATIONS.workflowId]: null } }],
  [
    'names another run and says that it has ended',
    { annotations: { [ANNOTATIONS.firstRunId]: randomUUID(), [ANNOTATIONS.phase]: 'Completed' } },
  ],
])(
  'a terminated job whose anchor %s is cleaned up by a watcher that did not see it before',
  async (edit, metadata) => {
    const name = edit.replaceAll(' ', '-');
    const job = await runningJob(name);
    await watcher.stop();
    await stage.cluster.patch(
      CONFIG_MAPS,
      { namespace: stage.namespace, name: anchorNameOf(name) },
      { metadata },
    );
    await stage.temporal.workflow.getHandle(job.workflowId).terminate('for a test');
    watcher = await stage.engine('watcher');
    // Its labels may be what was edited.
    const others = async () =>
      (await objectsOf(stage, name)).filter((object) => !object.startsWith('ConfigMap/'));
    await eventually('only the record is left', async () => (await others()).length === 0);
  },
);

it('a job that was terminated during its admission is cleaned up, though its anchor lost its labels', async () => {
  const name = 'unadmitted';
  await Promise.all([worker.stop(), watcher.stop()]);
  const job = await stage.client.submit(simulatedJob({ name, namespace: stage.namespace }));
  const { runId } = await stage.temporal.workflow.getHandle(job.workflowId).describe();
  await stage.cluster.create(CONFIG_MAPS, {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {
      name: anchorNameOf(name),
      namespace: stage.namespace,
      annotations: { [ANNOTATIONS.workflowId]: job.workflowId, [ANNOTATIONS.firstRunId]: runId },
    },
  });
  await stage.temporal.workflow.getHandle(job.workflowId).terminate('for a test');
  worker = await stage.engine('worker');
  watcher = await stage.engine('watcher');
  await eventually('the anchor is gone', async () => {
    return (await stage.cluster.find(CONFIG_MAPS, stage.namespace, anchorNameOf(name))) === undefined;
  });
});
