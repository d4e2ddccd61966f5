import { describe, expect, it } from '@jest/globals';
import type { GangProvider, TrainingJob } from '../../contracts/training-job.ts';
import { chooseGang } from '../../gang/choose.ts';
import { kueue } from '../../gang/kueue.ts';
import { aManifest, type ManifestBuilder } from '../frameworks/manifests.ts';
import { aCondition, aGroup } from './groups.ts';
import { aJob, rendered } from './jobs.ts';

const QUEUE = 'kueue.x-k8s.io/queue-name';

const queued = (labels: object = {}) => aManifest().with('metadata.labels', { [QUEUE]: 'team', ...labels });
const groupOf = (job: TrainingJob) => rendered(job, 'kueue').group;

describe('a Workload of Kueue', () => {
  it('has a pod set for each role, and the queue that a label names', () => {
    const job = queued()
      .role('Worker', 'template.metadata', { labels: { app: 'a', 'signalbox.dev/job': 'x' } })
      .job();
    const [master, worker] = job.roles;
    expect(groupOf(job)).toMatchObject({
      apiVersion: 'kueue.x-k8s.io/v1beta2',
      kind: 'Workload',
      metadata: { name: 'resnet', labels: { 'signalbox.dev/job': 'resnet', 'signalbox.dev/attempt': '1' } },
      spec: { queueName: 'team' },
    });
    expect(groupOf(job)?.spec).toEqual({
      queueName: 'team',
      podSets: [
        { name: 'master', count: 1, template: { metadata: {}, spec: master!.template.spec } },
        {
          name: 'worker',
          count: 2,
          template: { metadata: { labels: { app: 'a' } }, spec: worker!.template.spec },
        },
      ],
    });
  });

  it('is in the queue of the scheduling policy if no label names one', () => {
    expect(groupOf(aJob({ queue: 'research' }))?.spec).toMatchObject({ queueName: 'research' });
  });

  it('has its name in every attempt', () => {
    const { group } = rendered(queued().job(), 'kueue');
    expect(group?.metadata.name).toBe('resnet');
    expect(kueue.renderGroup(queued().job(), 'resnet')?.metadata.name).toBe('resnet');
  });

  it('asks for the place that annotations of a template ask for', () => {
    const annotations = {
      'kueue.x-k8s.io/podset-required-topology': 'kubernetes.io/hostname',
      'kueue.x-k8s.io/podset-slice-required-topology': 'rack',
      'kueue.x-k8s.io/podset-slice-size': '2',
    };
    const job = queued().role('Worker', 'template.metadata', { annotations }).job();
    expect(groupOf(job)?.spec).toMatchObject({
      podSets: [
        expect.not.objectContaining({ topologyRequest: expect.anything() }),
        {
          topologyRequest: {
            required: 'kubernetes.io/hostname',
            podSetSliceRequiredTopology: 'rack',
            podSetSliceSize: 2,
            podIndexLabel: 'training.kubeflow.org/replica-index',
          },
        },
      ],
    });
  });
});

describe('a pod of a job in a queue of Kueue', () => {
  it('names no queue, so that Kueue does not hold it on its own', () => {
    const labels = { [QUEUE]: 'team', app: 'a' };
    const manifest = queued().role('Worker', 'template.metadata', { labels });
    const labelsOf = (gang: GangProvider) => rendered(manifest.job(), gang).pods[1]!.metadata.labels;
    expect(labelsOf('none')).toMatchObject(labels);
    expect(labelsOf('kueue')).toMatchObject({ app: 'a' });
    expect(labelsOf('kueue')).not.toHaveProperty([QUEUE]);
  });
});

describe('the choice of Kueue', () => {
  const choose = (manifest: ManifestBuilder, served: readonly GangProvider[], more: object = {}) =>
    chooseGang(
      { ...manifest.job(), ...more },
      { configured: 'auto', serves: async (one) => served.includes(one) },
    );
  const ofResource = {
    resource: { apiVersion: 'kubeflow.org/v1', kind: 'PyTorchJob', uid: 'u', generation: 1 },
  };
  const WARNING =
    'metadata.labels[kueue.x-k8s.io/queue-name]: the job does not wait in a queue of Kueue and does not count against its quota; it starts at once';

  it('follows from the label, where the cluster has Kueue', async () => {
    expect(await choose(queued(), ['native', 'kueue'])).toEqual({ provider: 'kueue', warnings: [] });
    expect(await choose(queued(), ['native'])).toEqual({ provider: 'native', warnings: [WARNING] });
    expect(await choose(aManifest(), ['kueue'])).toMatchObject({ provider: 'none', warnings: [] });
  });

  it('does not follow from the label of a custom resource, for which Kueue has a Workload', async () => {
    expect(await choose(queued(), ['kueue'], ofResource)).toEqual({ provider: 'none', warnings: [WARNING] });
    const suspended = queued().with('spec.runPolicy.suspend', true);
    expect(await choose(suspended, ['kueue'], ofResource)).toEqual({ provider: 'none', warnings: [] });
    const admitted = queued().role('Worker', 'template.metadata', {
      labels: { 'kueue.x-k8s.io/podset': 'worker' },
    });
    expect(await choose(admitted, ['kueue'], ofResource)).toEqual({ provider: 'none', warnings: [] });
    const annotated = queued().with('metadata.annotations', { 'signalbox.dev/gang': 'kueue' });
    expect(await choose(annotated, ['kueue'], ofResource)).toMatchObject({
      faults: [{ path: 'metadata.annotations[signalbox.dev/gang]', got: 'kueue' }],
    });
  });

  it('does not follow from the label of a job whose annotation names another scheduler', async () => {
    const annotated = queued().with('metadata.annotations', { 'signalbox.dev/gang': 'volcano' });
    expect(await choose(annotated, ['kueue', 'volcano'])).toEqual({
      provider: 'volcano',
      warnings: [WARNING],
    });
  });

  it('is refused where the cluster has no Kueue, and where no queue is named', async () => {
    const annotated = aManifest().with('metadata.annotations', { 'signalbox.dev/gang': 'kueue' });
    expect(await choose(annotated, ['kueue'])).toEqual({
      faults: [
        {
          path: 'metadata.labels[kueue.x-k8s.io/queue-name]',
          expected: 'the name of a LocalQueue of the namespace, because Kueue is to admit the job',
          got: 'nothing',
        },
      ],
    });
    const named = annotated.with('spec.runPolicy.schedulingPolicy', { queue: 'team' });
    expect(await choose(named, [])).toEqual({
      faults: [
        {
          path: 'metadata.annotations[signalbox.dev/gang]',
          expected: 'a gang scheduler whose API this cluster serves',
          got: 'kueue, whose kueue.x-k8s.io/v1beta2 Workload it does not have: install it, or name another',
        },
      ],
    });
    expect(await choose(named, ['kueue'])).toEqual({ provider: 'kueue', warnings: [] });
  });
});

describe('what Kueue says of a job', () => {
  const read = (...conditions: readonly ReturnType<typeof aCondition>[]) => {
    const workload = aGroup({ conditions });
    return { ...kueue.readGroup(workload), eviction: kueue.readEviction?.(workload) };
  };
  const reserved = aCondition('QuotaReserved', 1);
  const admitted = aCondition('Admitted', 2);

  it('lets it wait, in its own words', () => {
    expect(read()).toMatchObject({ admitted: false, message: 'Kueue: it has said nothing of the job yet' });
    const pending = aCondition('QuotaReserved', 1, {
      status: 'False',
      reason: 'Pending',
      message: 'no room',
    });
    const never = { ...pending, message: 'insufficient quota for cpu in flavor f > maximum capacity (4)' };
    expect(read(never)).toMatchObject({ admitted: false, reason: 'NeverFits' });
    expect(read(pending)).toEqual({
      ...{ admitted: false, scheduled: 'False', reason: 'Pending', message: 'Kueue: Pending: no room' },
      eviction: undefined,
    });
    const checks = aCondition('Admitted', 2, {
      status: 'False',
      reason: 'UnsatisfiedChecks',
      message: 'a check',
    });
    expect(read(reserved, checks)).toMatchObject({
      admitted: false,
      message: 'Kueue: UnsatisfiedChecks: a check',
    });
  });

  it('admits it', () => {
    expect(read(reserved, admitted)).toMatchObject({ admitted: true, eviction: undefined });
    // It was evicted before, and admitted again.
    const before = aCondition('Evicted', 0, { status: 'False', reason: 'QuotaReserved' });
    expect(read(reserved, admitted, before)).toMatchObject({ admitted: true, eviction: undefined });
  });

  it.each([
    ['Preempted', 'InClusterQueue', 'Preempted'],
    ['Preempted', 'InCohortReclamation', 'Reclaimed'],
    ['Preempted', 'InCohortFairSharing', 'Reclaimed'],
    ['PodsReadyTimeout', undefined, 'Evicted'],
  ])('evicts it: %s, %s', (reason, rule, expected) => {
    const evicted = aCondition('Evicted', 3, { reason, message: 'for others' });
    const preempted = aCondition('Preempted', 3, rule ? { reason: rule } : { status: 'False' });
    expect(read(reserved, admitted, evicted, preempted)).toMatchObject({
      admitted: false,
      eviction: { reason: expected, message: `Kueue: ${reason}: for others` },
    });
  });

  it('evicts it for another Workload, which it names', () => {
    const by = '0a1b2c3d-0000-4000-8000-000000000000';
    const message = `Preempted to accommodate a workload (UID: ${by}, JobUID: UNKNOWN) due to prioritization in the ClusterQueue`;
    const evicted = aCondition('Evicted', 3, { reason: 'Preempted', message });
    expect(read(reserved, admitted, evicted).eviction).toMatchObject({ by });
  });

  it('evicts nothing that has given its quota back', () => {
    const free = aCondition('QuotaReserved', 4, { status: 'False', reason: 'Pending', message: 'evicted' });
    expect(read(free, aCondition('Evicted', 3))).toMatchObject({ admitted: false, eviction: undefined });
  });

  it('that its Workload was finished by another client is an eviction', () => {
    const finished = aCondition('Finished', 3, { reason: 'OutOfSync', message: 'by hand' });
    expect(read(reserved, admitted, finished)).toMatchObject({
      admitted: false,
      eviction: {
        reason: 'Evicted',
        message: 'its Workload was finished by another client: OutOfSync: by hand',
      },
    });
  });
});
