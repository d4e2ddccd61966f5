import { describe, expect, it } from '@jest/globals';
import { GANG_CHOICES } from '../../contracts/training-job.ts';
import { groupNameOf } from '../../gang/gang.ts';
import { AUTO_ORDER, GANG_ADAPTERS } from '../../gang/registry.ts';
import { renderAttempt } from '../../resources/attempt.ts';
import { aManifest } from '../frameworks/manifests.ts';

const ATTEMPT = { number: 2, anchorUid: 'anchor-uid' };

describe('a native gang', () => {
  const policy = { minAvailable: 2, priorityClass: 'high' };
  const job = aManifest().with('spec.runPolicy.schedulingPolicy', policy).job();
  const { group, pods } = renderAttempt(job, ATTEMPT, { gang: 'native', asGang: true });

  it('has a group of its own for each attempt', () => {
    expect(groupNameOf('resnet', 2)).toBe('resnet-2');
    expect(group).toMatchObject({
      apiVersion: 'scheduling.k8s.io/v1alpha2',
      kind: 'PodGroup',
      metadata: {
        name: 'resnet-2',
        namespace: 'ml',
        labels: { 'signalbox.dev/job': 'resnet', 'signalbox.dev/attempt': '2' },
        ownerReferences: [{ name: 'resnet.signalbox', uid: 'anchor-uid' }],
      },
      spec: { schedulingPolicy: { gang: { minCount: 2 } }, priorityClassName: 'high' },
    });
  });

  it('counts every pod', () => {
    expect(pods.map(({ spec }) => spec.schedulingGroup)).toEqual(
      pods.map(() => ({ podGroupName: 'resnet-2' })),
    );
  });

  it('is not joined by replacements that it could not count any more', () => {
    const late = renderAttempt(job, ATTEMPT, { gang: 'native', asGang: false });
    expect(late.group).toBeUndefined();
    expect(late.pods.every(({ spec }) => spec.schedulingGroup === undefined)).toBe(true);
  });

  it('needs no priority class', () => {
    const plain = renderAttempt(aManifest().job(), ATTEMPT, { gang: 'native', asGang: true });
    expect(plain.group?.spec).toEqual({ schedulingPolicy: { gang: { minCount: 3 } } });
  });
});

describe('the registry of gang schedulers', () => {
  it('has every choice that a manifest has', () => {
    const choices = GANG_CHOICES.filter((choice) => choice !== 'auto');
    expect(Object.keys(GANG_ADAPTERS).sort()).toEqual([...choices].sort());
    expect(Object.entries(GANG_ADAPTERS).every(([name, { provider }]) => name === provider)).toBe(true);
  });

  it('ends with the one that always works', () => {
    expect(AUTO_ORDER.at(-1)).toBe('none');
    expect(GANG_ADAPTERS.none.resource).toBeUndefined();
  });
});
