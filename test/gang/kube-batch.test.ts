import { describe, expect, it } from '@jest/globals';
import { kubeBatch } from '../../gang/kube-batch.ts';
import { aCondition, aGroup } from './groups.ts';
import { aJob, rendered } from './jobs.ts';

describe('a group of kube-batch', () => {
  it('has what kube-batch reads of the scheduling policy', () => {
    const policy = {
      minAvailable: 2,
      queue: 'q',
      priorityClass: 'high',
      scheduleTimeoutSeconds: 120,
      minResources: { cpu: 8 },
    };
    const { group, pods } = rendered(aJob(policy), 'kube-batch');
    expect(group).toMatchObject({ apiVersion: 'scheduling.incubator.k8s.io/v1alpha1', kind: 'PodGroup' });
    expect(group?.spec).toEqual({ minMember: 2, queue: 'q', priorityClassName: 'high' });
    expect(pods[0]?.spec.schedulerName).toBe('kube-batch');
    expect(pods[0]?.metadata.annotations).toEqual({ 'scheduling.k8s.io/group-name': 'resnet' });
  });

  it('leaves the queue to the scheduler by default', () => {
    expect(rendered(aJob(), 'kube-batch').group?.spec).toEqual({ minMember: 3 });
  });
});

const UNSEEN =
  'kube-batch has not processed the group yet (no phase); it does not run with Kubernetes 1.22 or later';

describe('the status of a group of kube-batch', () => {
  const unschedulable = aCondition('Unschedulable', 1, {
    reason: 'NotEnoughResources',
    message: '3/3 tasks',
  });
  const cases: readonly [status: object | undefined, scheduled: string, message: string][] = [
    [undefined, 'Unknown', UNSEEN],
    [{ phase: 'Pending' }, 'Unknown', 'phase Pending'],
    [
      { phase: 'Pending', conditions: [unschedulable] },
      'False',
      'phase Pending: NotEnoughResources: 3/3 tasks',
    ],
    [{ phase: 'Running', conditions: [unschedulable], running: 3 }, 'True', 'phase Running'],
    [{ phase: 'Unknown', running: 2 }, 'False', 'phase Unknown'],
    [{ phase: 'Pending', conditions: [unschedulable], running: 1, succeeded: 2 }, 'True', 'phase Pending'],
  ];

  it.each(cases)('%j is read as scheduled %s', (status, scheduled, message) => {
    expect(kubeBatch.readGroup(aGroup(status))).toMatchObject({ scheduled, message });
  });
});
