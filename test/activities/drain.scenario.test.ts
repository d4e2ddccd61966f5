import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { EffectRequest } from '../../activities/support/effect.ts';
import { NODES, PODS } from '../../contracts/kubernetes.ts';
import { eventually } from '../eventually.ts';
import { simulatedJob } from '../scenarios/manifests.ts';
import { type ActivityStage, type Admitted, openActivityStage } from './activity-stage.ts';

let stage: ActivityStage;

beforeAll(async () => {
  stage = await openActivityStage();
});

afterAll(() => stage.close());

const aJob = (name: string, workers = 2, template: object = {}) => {
  const manifest = simulatedJob({
    name,
    namespace: stage.namespace,
    master: false,
    worker: { replicas: workers, restartPolicy: 'Never' },
  });
  const { Worker } = manifest.spec.pytorchReplicaSpecs as { Worker: { template: Template } };
  const spec = { ...Worker.template.spec, ...(template as Template).spec };
  const metadata = (template as Template).metadata;
  const pytorchReplicaSpecs = { Worker: { ...Worker, template: { metadata, spec } } };
  return stage.admit({ ...manifest, spec: { ...manifest.spec, pytorchReplicaSpecs } });
};

interface Template {
  readonly metadata?: object;
  readonly spec?: object;
}

/** What is the same of each status of its container. */
const PYTORCH = { name: 'pytorch', image: 'train:1', imageID: '', ready: false, restartCount: 0 };

const KEEPER = 'example.com/keep';

/** A pod with this finalizer does not go when it is deleted; without it, it does. */
const keep = (name: string, isKept: boolean) =>
  stage.cluster.patch(
    PODS,
    { namespace: stage.namespace, name },
    { metadata: { finalizers: isKept ? [KEEPER] : null } },
  );

const drain = (
  run: Admitted,
  attempt: number,
  how: Partial<Pick<EffectRequest<'drain'>, 'again' | 'force' | 'leavesSilent' | 'survivors'>> = {},
) => stage.as((activities) => activities.drain({ ...run, attempt, ...how }));

describe('a drained attempt', () => {
  it('leaves Services, which the next attempt uses, and evidence of what failed', async () => {
    const run = await aJob('plain');
    await stage.start(run, 1);
    await stage.endPod('plain-worker-1', { exitCode: 3 });
    await eventually(
      'it has failed',
      async () => (await stage.pod('plain-worker-1')).status?.phase === 'Failed',
    );

    const done = await drain(run, 1);

    expect(done).toMatchObject({ evidence: [{ pod: 'plain-worker-1', exitCode: 3, attempt: 1 }] });
    expect(done.stuckPods).toBeUndefined();
    expect(await stage.pods('plain')).toEqual([]);
    const services = ['Service/plain-worker-0', 'Service/plain-worker-1'];
    expect(await stage.objects()).toEqual(['ConfigMap/plain.signalbox', ...services]);
    const [pod] = await stage.start(run, 2);
    expect(pod?.metadata.labels).toMatchObject({ 'signalbox.dev/attempt': '2' });
    expect(pod?.spec.containers[0]?.env).toContainEqual({ name: 'SIGNALBOX_ATTEMPT', value: '2' });
  });

  it('can be drained again, without touching later attempts', async () => {
    const run = await aJob('late');
    await stage.start(run, 1);
    await drain(run, 1);
    const pods = await stage.start(run, 2);
    await drain(run, 1);
    const uids = (await stage.pods('late')).map(({ metadata }) => metadata.uid);
    expect(uids).toEqual(pods.map(({ metadata }) => metadata.uid));
  });

  it('stays deleted: pods that are created for it too late are removed by the next attempt', async () => {
    const run = await aJob('stray');
    await stage.start(run, 1);
    await drain(run, 1);
    const stray = { ...run, succeededIndices: {}, asGang: true, from: 0, to: 1 };
    // A simulated node deletes by name, and may do so once more when the name is taken again.
    await eventually('a pod that came too late is there, and kept', async () => {
      await stage.as(({ createAttempt }) => createAttempt({ ...stray, attempt: 1 }));
      return keep('stray-worker-0', true);
    });
    const next = { ...stray, attempt: 2, to: 2 };
    const create = (attempt: number) => stage.as((all) => all.createAttempt(next), { attempt });
    await expect(create(1)).rejects.toThrow(/stray-worker-0 of attempt 1 still exists/);
    await keep('stray-worker-0', false);
    await eventually('a later try has made them', async () => (await create(2)) !== undefined);
    for (const { metadata } of await stage.pods('stray'))
      expect(metadata.labels).toMatchObject({ 'signalbox.dev/attempt': '2' });
  });
});

describe('pods that stay after their deletion', () => {
  const nowhere = {
    spec: { nodeName: 'nowhere', nodeSelector: undefined, terminationGracePeriodSeconds: 1 },
  };
  const kept = { metadata: { finalizers: [KEEPER] } };
  const create = async (run: Admitted) => {
    const all = { ...run, attempt: 1, succeededIndices: {}, asGang: true, from: 0, to: 2 };
    await stage.as(({ createAttempt }) => createAttempt(all));
  };

  it('are reported at once, with nodes and time, and deleted by force after that time', async () => {
    const run = await aJob('lost', 2, nowhere);
    await create(run);
    const { stuckPods = [], resourceVersion } = await drain(run, 1);
    expect(stuckPods).toMatchObject([
      { pod: 'lost-worker-0', node: 'nowhere' },
      { pod: 'lost-worker-1', node: 'nowhere' },
    ]);
    expect(stuckPods.every(({ until = 0 }) => until > Date.now())).toBe(true);
    const [first] = await stage.pods('lost');
    expect(resourceVersion).toBeGreaterThanOrEqual(Number(first?.metadata.resourceVersion));
    await eventually('they are removed by force', async () => {
      const forced = await drain(run, 1, { again: true, force: true });
      if (forced.stuckPods) throw new Error(`left: ${forced.stuckPods.map(({ pod }) => pod).join(', ')}`);
      return true;
    });
    expect(await stage.pods('lost')).toEqual([]);
  });

  describe('on a node that is silent', () => {
    const onNode = async (name: string, ready: 'Unknown' | 'False') => {
      const conditions = [{ type: 'Ready', status: ready, reason: 'Test' }];
      const node = { apiVersion: 'v1', kind: 'Node', metadata: { name }, status: { conditions } };
      await stage.cluster.create(NODES, node);
      const run = await aJob(name, 2, { spec: { ...nowhere.spec, nodeName: name } });
      await create(run);
      return run;
    };
    const leave = (run: Admitted) => drain(run, 1, { leavesSilent: true });
    const left = async (name: string) => (await stage.pods(name)).map(({ metadata }) => metadata.name);

    afterAll(async () => {
      for (const name of ['mute', 'whole', 'ailing']) await stage.cluster.delete(NODES, undefined, name);
    });

    it('are deleted by force once some of their gang is gone', async () => {
      const run = await onNode('mute', 'Unknown');
      await stage.cluster.delete(PODS, stage.namespace, 'mute-worker-1', { gracePeriodSeconds: 0 });
      expect((await leave(run)).stuckPods).toBeUndefined();
      expect(await left('mute')).toEqual([]);
    });

    it('stay if they are the whole gang', async () => {
      expect((await leave(await onNode('whole', 'Unknown'))).stuckPods).toHaveLength(2);
      expect(await left('whole')).toEqual(['whole-worker-0', 'whole-worker-1']);
    });

    it('stay if the node is only not ready: it will end them', async () => {
      const run = await onNode('ailing', 'False');
      await stage.cluster.delete(PODS, stage.namespace, 'ailing-worker-1', { gracePeriodSeconds: 0 });
      expect((await leave(run)).stuckPods).toMatchObject([{ pod: 'ailing-worker-0', node: 'ailing' }]);
    });
  });

  it('were told to end within the time of survivors, unless they ask for more', async () => {
    const graces = async (name: string, own: number) => {
      const spec = { ...nowhere.spec, terminationGracePeriodSeconds: own };
      const run = await aJob(name, 2, { spec });
      await create(run);
      await drain(run, 1, { survivors: { seconds: 2, unlessAsked: true } });
      return (await stage.pods(name)).map(({ metadata }) => metadata.deletionGracePeriodSeconds);
    };
    expect(await Promise.all([graces('brief', 30), graces('asking', 45)])).toEqual([
      [2, 2],
      [45, 45],
    ]);
  });

  it('go at once when their kubelet says that nothing of them runs, not when others say so', async () => {
    const run = await aJob('over', 2, nowhere);
    await create(run);
    const ended = { state: { terminated: { exitCode: 1 } } };
    // The garbage collection of pods sets the phase alone.
    const says = {
      'over-worker-0': { phase: 'Failed', containerStatuses: [{ ...PYTORCH, ...ended }] },
      'over-worker-1': { phase: 'Failed', containerStatuses: [{ ...PYTORCH, state: { running: {} } }] },
    };
    await drain(run, 1);
    for (const [name, status] of Object.entries(says)) {
      const target = { namespace: stage.namespace, name, subresource: 'status' as const };
      await stage.cluster.patch(PODS, target, { status });
    }
    const { stuckPods } = await drain(run, 1, { again: true });
    expect(stuckPods?.map(({ pod }) => pod)).toEqual(['over-worker-1']);
    expect((await stage.pods('over')).map(({ metadata }) => metadata.name)).toEqual(['over-worker-1']);
  });

  it('with a finalizer are reported until it is removed', async () => {
    const run = await aJob('kept', 2, kept);
    await stage.start(run, 1);
    const { stuckPods } = await drain(run, 1, { force: true });
    expect(stuckPods?.map(({ pod }) => pod)).toEqual(['kept-worker-0', 'kept-worker-1']);

    const cancelled = new AbortController();
    cancelled.abort(new Error('cancelled'));
    const waiting = stage.as((all) => all.drain({ ...run, attempt: 1 }), { signal: cancelled.signal });
    await expect(waiting).rejects.toThrow();

    for (const { metadata } of await stage.pods('kept')) await keep(metadata.name, false);
    await eventually('nothing is left', async () => {
      const done = await drain(run, 1, { again: true });
      if (done.stuckPods) throw new Error(`left: ${done.stuckPods.map(({ pod }) => pod).join(', ')}`);
      return true;
    });
  });
});
