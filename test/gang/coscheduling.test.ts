import { describe, expect, it } from '@jest/globals';
import { coscheduling } from '../../gang/coscheduling.ts';
import { aGroup } from './groups.ts';
import { aJob, rendered } from './jobs.ts';

describe('a group of Coscheduling', () => {
  it('has what Coscheduling reads of the scheduling policy', () => {
    const policy = {
      minAvailable: 2,
      queue: 'q',
      priorityClass: 'high',
      scheduleTimeoutSeconds: 120,
      minResources: { cpu: 8 },
    };
    expect(rendered(aJob(policy), 'coscheduling').group).toMatchObject({
      apiVersion: 'scheduling.x-k8s.io/v1alpha1',
      kind: 'PodGroup',
      metadata: { name: 'resnet' },
    });
    expect(rendered(aJob(policy), 'coscheduling').group?.spec).toEqual({
      minMember: 2,
      minResources: { cpu: '8' },
      scheduleTimeoutSeconds: 120,
    });
  });

  it('leaves the timeout to the scheduler by default', () => {
    expect(rendered(aJob(), 'coscheduling').group?.spec).toEqual({ minMember: 3 });
  });
});

describe('a pod for Coscheduling', () => {
  const label = 'scheduling.x-k8s.io/pod-group';

  it('names its group and the scheduler', () => {
    const { pods } = rendered(aJob(), 'coscheduling');
    expect(pods.every(({ metadata }) => metadata.labels?.[label] === 'resnet')).toBe(true);
    expect(pods[0]?.spec.schedulerName).toBe('scheduler-plugins-scheduler');
  });

  it('names the scheduler that is configured', () => {
    const job = aJob();
    const configured = { ...job, gang: { ...job.gang, schedulerName: 'gangs' } };
    expect(rendered(configured, 'coscheduling').pods[0]?.spec.schedulerName).toBe('gangs');
  });

  it('is placed individually once others have succeeded, because those no longer count', () => {
    const { group, pods } = rendered(aJob(), 'coscheduling', false);
    expect(group).toBeUndefined();
    expect(pods[0]?.spec.schedulerName).toBe('scheduler-plugins-scheduler');
    expect(pods[0]?.metadata.labels).not.toHaveProperty([label]);
  });
});

describe('the status of a group of Coscheduling', () => {
  const cases: readonly [status: object | undefined, scheduled: string, message: string][] = [
    [undefined, 'Unknown', 'Coscheduling’s controller has not processed the group yet (no phase)'],
    [{ phase: 'Pending' }, 'Unknown', 'phase Pending'],
    [
      { phase: 'Scheduling', running: 2, occupiedBy: 'ml/resnet' },
      'Unknown',
      'phase Scheduling, 2 running, occupied by ml/resnet',
    ],
    [{ phase: 'Running', running: 3 }, 'True', 'phase Running, 3 running'],
    [{ phase: 'Finished', succeeded: 3 }, 'True', 'phase Finished, 3 succeeded'],
    [
      { phase: 'Failed', running: 2, failed: 1 },
      'Unknown',
      'phase Failed, 2 running, 1 failed, a member has failed: the phase is permanent and blocks nothing',
    ],
  ];

  it.each(cases)('%j is read as scheduled %s', (status, scheduled, message) => {
    expect(coscheduling.readGroup(aGroup(status))).toEqual({ scheduled, message });
  });

  it('names other owners of pods in the group, not its own job', () => {
    const status = { phase: 'Scheduling', occupiedBy: 'ml/resnet.signalbox' };
    const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'resnet.signalbox', uid: 'anchor-uid' };
    const group = aGroup(status);
    const metadata = { ...group.metadata, namespace: 'ml', ownerReferences: [owner] };
    expect(coscheduling.readGroup({ ...group, metadata }).message).toBe('phase Scheduling');
    const others = { ...group, metadata: { ...metadata, ownerReferences: [{ ...owner, name: 'other' }] } };
    expect(coscheduling.readGroup(others).message).toBe('phase Scheduling, occupied by ml/resnet.signalbox');
  });
});
