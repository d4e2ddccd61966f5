import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { JobHandle } from '../../client/handles/job-handle.ts';
import { CONFIG_MAPS, PODS, type Pod, SERVICES } from '../../contracts/kubernetes.ts';
import { anchorNameOf, LABELS } from '../../contracts/labels.ts';
import { eventually } from '../eventually.ts';
import { statusOf } from '../status-of.ts';
import { type JobOptions, simulatedJob, withPolicy } from './manifests.ts';
import { objectsOf, openStage, type Stage, untilLeft, untilPhase } from './stage.ts';

/** People remove labels, e.g. to take a pod out of a Service, and owners. signalbox finds its objects by both. */

let stage: Stage;
beforeAll(async () => {
  stage = await openStage({ sharesEngine: true });
});
afterAll(() => stage.close());

async function running(
  name: string,
  policy: object = {},
  options: Partial<JobOptions> = {},
): Promise<JobHandle> {
  const { namespace } = stage;
  const manifest = simulatedJob({ name, namespace, runPolicy: { cleanPodPolicy: 'All' }, ...options });
  const job = await stage.client.submit(withPolicy(manifest, policy));
  await untilPhase(job, 'Running');
  return job;
}

const unlabel = (resource: typeof PODS | typeof SERVICES | typeof CONFIG_MAPS, name: string, label: string) =>
  stage.cluster.patch(
    resource as typeof CONFIG_MAPS,
    { namespace: stage.namespace, name },
    { metadata: { labels: { [label]: null } } },
  );

const timelineText = async (job: JobHandle) =>
  (await statusOf(job)).timeline.map(({ cause }) => cause).join('\n');

const anchorOf = (name: string) => `ConfigMap/${anchorNameOf(name)}`;

describe('a pod without the label of its job', () => {
  it.concurrent('is deleted with its gang, which restarts', async () => {
    const job = await running('gang', { restart: { ladder: [{ scope: 'gang' }] } });
    const [before] = await stage.pods('gang');
    await unlabel(PODS, 'gang-worker-0', LABELS.job);
    await eventually('attempt 2 runs', async () => {
      const { attempt, phase } = await statusOf(job);
      return attempt === 2 && phase === 'Running';
    });
    expect(await timelineText(job)).toContain('labels or owners were removed from Pod gang-worker-0');
    expect((await stage.pods('gang')).map(({ metadata }) => metadata.uid)).not.toContain(
      before!.metadata.uid,
    );
    await job.stop();
    await job.wait();
    expect(await objectsOf(stage, 'gang')).toEqual([anchorOf('gang')]);
  });

  it.concurrent('gets it back where pods are replaced one by one', async () => {
    const job = await running('single', { restart: { ladder: [{ scope: 'pod' }] } });
    const { metadata } = await stage.pod('single-worker-1');
    await unlabel(PODS, 'single-worker-1', LABELS.job);
    await eventually('the label is back', async () => {
      const pod = await stage.pod('single-worker-1');
      return pod.metadata.labels?.[LABELS.job] === 'single' && pod.metadata.uid === metadata.uid;
    });
    await untilPhase(job, 'Running');
    expect(await timelineText(job)).toContain('labels or owners were removed from Pod single-worker-1');
    await job.stop();
    expect((await job.wait()).phase).toBe('Stopped');
  });

  it.concurrent('is deleted at the end of its job, and so is a Service', async () => {
    const job = await running('ended', {}, { master: { restartPolicy: 'Never' } });
    await unlabel(SERVICES, 'ended-worker-0', LABELS.job);
    await Promise.all([unlabel(PODS, 'ended-worker-0', LABELS.job), job.stop()]);
    await job.wait();
    expect(await objectsOf(stage, 'ended')).toEqual([anchorOf('ended')]);
  });
});

const disown = (resource: typeof PODS | typeof SERVICES, name: string) =>
  stage.cluster.patch(
    resource as typeof PODS,
    { namespace: stage.namespace, name },
    { metadata: { ownerReferences: [] } },
  );

describe('a pod without the reference to its anchor', () => {
  it.concurrent('is followed: its failure is that of its job, and it is deleted at the end', async () => {
    const never = { restartPolicy: 'Never' };
    const job = await running('stripped', {}, { master: never, worker: never });
    await disown(SERVICES, 'stripped-worker-0');
    await disown(PODS, 'stripped-worker-0');
    await stage.endPod('stripped-worker-0', { exitCode: 1 });
    expect(await job.wait()).toMatchObject({ phase: 'Failed', cause: { reason: 'PodFailed' } });
    expect(await objectsOf(stage, 'stripped')).toEqual([anchorOf('stripped')]);
  });

  it.concurrent('gets it back while its job runs, and so does a Service', async () => {
    const job = await running('disowned');
    const { metadata } = await stage.pod('disowned-worker-1');
    await disown(PODS, 'disowned-worker-1');
    await disown(SERVICES, 'disowned-worker-0');
    await eventually('the owners are back', async () => {
      const pod = await stage.pod('disowned-worker-1');
      const service = await stage.cluster.get(SERVICES, stage.namespace, 'disowned-worker-0');
      const owners = [pod, service].map((object) => object.metadata.ownerReferences?.length);
      return pod.metadata.uid === metadata.uid && owners.join() === '1,1';
    });
    expect(await timelineText(job)).toMatch(/owners were removed from .*Pod disowned-worker-1/);
    expect(await statusOf(job)).toMatchObject({ phase: 'Running', restarts: 0 });
    await job.stop();
    await job.wait();
    expect(await objectsOf(stage, 'disowned')).toEqual([anchorOf('disowned')]);
  });
});

describe('an anchor that was deleted without what it owns', () => {
  const orphan = (name: string) =>
    stage.cluster.delete(CONFIG_MAPS, stage.namespace, anchorNameOf(name), { propagationPolicy: 'Orphan' });

  it.concurrent('stops its job, of which nothing is left: the name is free', async () => {
    const job = await running('orphaned');
    await orphan('orphaned');
    expect(await job.wait()).toMatchObject({ phase: 'Stopped', cause: { reason: 'AnchorDeleted' } });
    await untilLeft(stage, 'orphaned', []);
    const again = await running('orphaned');
    await again.stop();
    await again.wait();
  });

  it.concurrent('leaves nothing of a backup, either, but what only has copied labels', async () => {
    const job = await running('restored');
    const backup = await stage.pod('restored-worker-0');
    await orphan('restored');
    await job.wait();
    await untilLeft(stage, 'restored', []);
    await restore(backup, 'restored-worker-0');
    await restore(backup, 'restored-mine');
    await untilLeft(stage, 'restored', ['Pod/restored-mine']);
  });
});

/** As a backup has it: with its labels, and without its owner. */
const restore = ({ metadata: { namespace, labels }, spec }: Pod, name: string) =>
  stage.cluster.create(PODS, {
    ...{ apiVersion: 'v1', kind: 'Pod', metadata: { namespace, name, labels } },
    spec: {
      nodeSelector: spec.nodeSelector,
      containers: [{ name: 'pytorch', image: 'train:1' }],
    } as Pod['spec'],
  });

it.each([LABELS.anchor, LABELS.installation])(
  'an anchor without the label %s is not deleted: its job continues to its end',
  async (label) => {
    const name = `kept-${label === LABELS.anchor ? 'anchor' : 'installation'}`;
    const job = await running(name);
    await unlabel(CONFIG_MAPS, anchorNameOf(name), label);
    for (const pod of ['master-0', 'worker-0', 'worker-1'])
      await stage.endPod(`${name}-${pod}`, { exitCode: 0 });
    expect(await job.wait()).toMatchObject({ phase: 'Completed', restarts: 0 });
    const anchor = await stage.cluster.get(CONFIG_MAPS, stage.namespace, anchorNameOf(name));
    expect(anchor.metadata.labels?.[label]).toBeDefined();
  },
);
