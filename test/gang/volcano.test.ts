import { describe, expect, it } from '@jest/globals';
import type { TrainingJob } from '../../contracts/training-job.ts';
import { volcano } from '../../gang/volcano.ts';
import { aManifest } from '../frameworks/manifests.ts';
import { aCondition, aGroup } from './groups.ts';
import { aJob, anMpiJob, aPaddleJob, rendered } from './jobs.ts';

const groupOf = (job: TrainingJob) => rendered(job, 'volcano').group;
const annotationsOf = (job: TrainingJob) =>
  rendered(job, 'volcano').pods.map(({ metadata }) => metadata.annotations);

describe('a group of Volcano', () => {
  it('has all fields of the scheduling policy', () => {
    const policy = { minAvailable: 2, queue: 'research', priorityClass: 'high', minResources: { cpu: 8 } };
    expect(groupOf(aJob(policy))).toMatchObject({
      apiVersion: 'scheduling.volcano.sh/v1beta1',
      kind: 'PodGroup',
      metadata: { name: 'resnet' },
      spec: { minMember: 2, queue: 'research', priorityClassName: 'high', minResources: { cpu: '8' } },
    });
  });

  it('is for all pods, in the default queue, by default', () => {
    expect(groupOf(aJob())?.spec).toEqual({ minMember: 3, queue: 'default', minResources: {} });
  });

  it('has the annotations of its job, except those for signalbox', () => {
    const annotations = {
      owner: 'ana',
      'volcano.sh/sla-waiting-time': '1h',
      'signalbox.dev/gang': 'volcano',
    };
    const group = groupOf(aManifest().with('metadata.annotations', annotations).job());
    expect(group?.metadata.annotations).toEqual({ owner: 'ana', 'volcano.sh/sla-waiting-time': '1h' });
  });

  it('of an MPIJob v2beta1 is in the queue that an annotation names', () => {
    const annotations = { 'scheduling.volcano.sh/queue-name': 'research' };
    expect(groupOf(anMpiJob({ annotations }))?.spec).toMatchObject({ minMember: 3, queue: 'research' });
    expect(groupOf(anMpiJob())?.spec).not.toHaveProperty('queue', expect.anything());
  });
});

describe('a pod for Volcano', () => {
  it('names its group and its role', () => {
    const { pods } = rendered(aJob(), 'volcano');
    expect(pods.map(({ spec }) => spec.schedulerName)).toEqual(['volcano', 'volcano', 'volcano']);
    expect(pods.map(({ metadata }) => metadata.annotations)).toEqual([
      { 'scheduling.k8s.io/group-name': 'resnet', 'volcano.sh/task-spec': 'master' },
      { 'scheduling.k8s.io/group-name': 'resnet', 'volcano.sh/task-spec': 'worker' },
      { 'scheduling.k8s.io/group-name': 'resnet', 'volcano.sh/task-spec': 'worker' },
    ]);
  });

  it('of paddle-operator is marked as one of a Volcano job', () => {
    const marks = {
      'scheduling.k8s.io/group-name': 'resnet',
      'volcano.sh/task-spec': 'worker',
      'volcano.sh/job-name': 'resnet',
      'volcano.sh/job-version': '0',
    };
    expect(annotationsOf(aPaddleJob())[0]).toMatchObject({ ...marks, 'volcano.sh/queue-name': '' });
    expect(annotationsOf(aPaddleJob({ schedulingPolicy: { queue: 'q' } }))[0]).toMatchObject({
      ...marks,
      'volcano.sh/queue-name': 'q',
    });
  });

  it('of mpi-operator has no role', () => {
    expect(annotationsOf(anMpiJob())[0]).toEqual({ 'scheduling.k8s.io/group-name': 'resnet' });
  });

  it('still joins when others have succeeded', () => {
    const { group, pods } = rendered(aJob(), 'volcano', false);
    expect(group).toBeUndefined();
    expect(pods[0]?.metadata.annotations).toHaveProperty(['scheduling.k8s.io/group-name'], 'resnet');
  });
});

const NO_ROOM =
  'Volcano has not admitted the group yet (phase Pending): queue research, or the cluster, has no room for its minResources: 12 cpu, 3 nvidia.com/gpu';

describe('the status of a group of Volcano', () => {
  const lacking = { reason: 'NotEnoughResources', message: '3/3 tasks in gang unschedulable' };
  const unschedulable = (at: number) => aCondition('Unschedulable', at, lacking);
  const scheduled = (at: number) => aCondition('Scheduled', at);
  const cases: readonly [
    phase: string,
    conditions: object[],
    admitted: boolean,
    scheduled: string,
    said: string,
  ][] = [
    [
      '',
      [],
      false,
      'Unknown',
      'Volcano has not admitted the group yet (no phase): Volcano ignores groups of a queue that does not exist (research)',
    ],
    ['Pending', [], false, 'Unknown', NO_ROOM],
    ['Pending', [unschedulable(1)], false, 'False', NO_ROOM],
    ['Inqueue', [], true, 'Unknown', 'Volcano has admitted the group but not placed it yet (phase Inqueue)'],
    [
      'Inqueue',
      [unschedulable(1)],
      true,
      'False',
      'Volcano has admitted the group but not placed it yet (phase Inqueue): NotEnoughResources: 3/3 tasks in gang unschedulable',
    ],
    [
      'Inqueue',
      [scheduled(1), unschedulable(2)],
      true,
      'False',
      'Volcano has admitted the group but not placed it yet (phase Inqueue): NotEnoughResources: 3/3 tasks in gang unschedulable',
    ],
    [
      'Inqueue',
      [unschedulable(1), scheduled(2)],
      true,
      'Unknown',
      'Volcano has admitted the group but not placed it yet (phase Inqueue)',
    ],
    [
      'Running',
      [unschedulable(1), scheduled(2)],
      true,
      'True',
      'Volcano has placed the group (phase Running)',
    ],
    [
      'Running',
      [unschedulable(2), scheduled(1)],
      true,
      'True',
      'Volcano has placed the group (phase Running)',
    ],
    [
      'Unknown',
      [scheduled(1), unschedulable(2)],
      true,
      'False',
      'some members of the group run, but Volcano cannot place the others (phase Unknown): NotEnoughResources: 3/3 tasks in gang unschedulable',
    ],
    [
      'Completed',
      [unschedulable(1)],
      true,
      'True',
      'all placed members of the group have succeeded (phase Completed)',
    ],
  ];

  it.each(cases)(
    'in phase %j with %j: admitted %j, scheduled %s',
    (phase, conditions, admitted, wanted, message) => {
      const spec = { queue: 'research', minResources: { cpu: '12', 'nvidia.com/gpu': '3' } };
      const read = volcano.readGroup(aGroup({ phase, conditions }, spec));
      expect(read).toMatchObject({ admitted, scheduled: wanted, message });
      expect(read.reason).toBe(wanted === 'False' ? 'NotEnoughResources' : undefined);
    },
  );

  it('is unknown without a status', () => {
    expect(volcano.readGroup(aGroup())).toMatchObject({ admitted: false, scheduled: 'Unknown' });
  });

  it('ignores a condition that is no longer True', () => {
    const conditions = [aCondition('Unschedulable', 1, { status: 'False' })];
    expect(volcano.readGroup(aGroup({ phase: 'Inqueue', conditions })).scheduled).toBe('Unknown');
  });
});
