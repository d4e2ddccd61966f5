import { describe, expect, it } from '@jest/globals';
import { native } from '../../gang/native.ts';
import { asFields } from '../../language/fields.ts';
import { aManifest } from '../frameworks/manifests.ts';
import { aCondition, aGroup } from './groups.ts';
import { aJob, rendered } from './jobs.ts';

const WORKER = 'spec.pytorchReplicaSpecs.Worker.template.spec';

describe('a native gang', () => {
  const job = aJob({ minAvailable: 2, priorityClass: 'high' });

  it('has a group for all of its pods', () => {
    const { group, pods } = rendered(job, 'native');
    expect(group).toMatchObject({
      apiVersion: 'scheduling.k8s.io/v1alpha2',
      kind: 'PodGroup',
      metadata: {
        name: 'resnet',
        namespace: 'ml',
        labels: { 'signalbox.dev/job': 'resnet', 'signalbox.dev/attempt': '1' },
        ownerReferences: [{ name: 'resnet.signalbox', uid: 'anchor-uid' }],
      },
      spec: { schedulingPolicy: { gang: { minCount: 2 } }, priorityClassName: 'high' },
    });
    expect(pods.map(({ spec }) => spec.schedulingGroup)).toEqual(
      pods.map(() => ({ podGroupName: 'resnet' })),
    );
  });

  it('has one priority with its pods: of the policy, else of a template', () => {
    const ofTemplate = (job: ReturnType<typeof aManifest>) =>
      rendered(job.with(`${WORKER}.priorityClassName`, 'low').job(), 'native');
    const prioritiesOf = ({ group, pods }: ReturnType<typeof rendered>) => [
      asFields(group?.spec).priorityClassName,
      ...pods.map(({ spec }) => spec.priorityClassName),
    ];
    expect(prioritiesOf(rendered(job, 'native'))).toEqual(['high', 'high', 'high', 'high']);
    expect(prioritiesOf(ofTemplate(aManifest()))).toEqual(['low', 'low', 'low', 'low']);
    const withBoth = aManifest().with('spec.runPolicy.schedulingPolicy', { priorityClass: 'high' });
    expect(prioritiesOf(ofTemplate(withBoth))).toEqual(['high', 'high', 'low', 'low']);
    expect(rendered(job, 'native', false).pods[0]?.spec.priorityClassName).toBe('high');
  });

  it('does not get replacement pods, which it could no longer count', () => {
    const late = rendered(job, 'native', false);
    expect(late.group).toBeUndefined();
    expect(late.pods.every(({ spec }) => spec.schedulingGroup === undefined)).toBe(true);
  });

  it('needs no priority class', () => {
    expect(rendered(aJob(), 'native').group?.spec).toEqual({ schedulingPolicy: { gang: { minCount: 3 } } });
  });
});

describe('the status of a native group', () => {
  const lacking = { status: 'False', reason: 'Unschedulable', message: 'no room' } as const;
  const cases: readonly [conditions: object[], digest: object][] = [
    [[], { scheduled: 'Unknown', message: 'default-scheduler has not processed the group yet' }],
    [
      [aCondition('PodGroupScheduled', 1, lacking)],
      { scheduled: 'False', reason: 'Unschedulable', message: 'no room' },
    ],
    [
      [aCondition('PodGroupScheduled', 1, { reason: 'Scheduled' })],
      { scheduled: 'True', reason: 'Scheduled', message: 'Kubernetes has placed the group once' },
    ],
    [[aCondition('PodGroupInitiallyScheduled', 1, lacking)], { scheduled: 'False' }],
  ];

  it.each(cases)('%j is read as %j', (conditions, digest) => {
    expect(native.readGroup(aGroup({ conditions }))).toMatchObject(digest);
  });
});
