import { describe, expect, it } from '@jest/globals';
import { kubeBatch } from '../../gang/kube-batch.ts';
import { aGroup } from './groups.ts';
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

it('the status of such a group says that kube-batch does not run', () => {
  expect(kubeBatch.readGroup(aGroup({ phase: 'Running' }))).toEqual({
    scheduled: 'Unknown',
    message:
      'kube-batch has not processed the group yet (no phase); it does not run with Kubernetes 1.22 or later',
  });
});
