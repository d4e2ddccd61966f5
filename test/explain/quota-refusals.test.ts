import { describe, expect, it, test } from '@jest/globals';
import type { Pod, PodSpec } from '../../contracts/kubernetes.ts';
import { refusedForGood } from '../../explain/rules/quota-refusals.ts';
import { answerTo, quota, specOf, wanted } from './situations.ts';

/** The words in which a quota refuses a pod say as much as the quota itself, for who may not read it. */

const podsOf = (...specs: readonly PodSpec[]): Pod[] =>
  specs.map((spec, index) => ({
    ...{ apiVersion: 'v1', kind: 'Pod', metadata: { name: `train-worker-${index}`, namespace: 'ml' }, spec },
  }));

const refusal = (limited: string, name = 'train-worker-1') =>
  `pods "${name}" is forbidden: exceeded quota: team, requested: pods=1,requests.nvidia.com/gpu=8, used: pods=1, limited: ${limited}`;

const GPU = 'requests.nvidia.com/gpu';

interface Refused {
  readonly title: string;
  readonly specs: readonly PodSpec[];
  readonly hard: Readonly<Record<string, string>>;
  readonly never: boolean;
}

const BATCH = { priorityClassName: 'batch' };

describe('a quota that refuses a pod', () => {
  const REFUSED: readonly Refused[] = [
    { title: 'of pods', specs: [specOf(8), specOf(8)], hard: { pods: '1' }, never: true },
    {
      title: 'with room for all, but for others',
      specs: [specOf(8), specOf(8)],
      hard: { pods: '2' },
      never: false,
    },
    { title: 'of devices', specs: [specOf(8), specOf(8)], hard: { [GPU]: '12' }, never: true },
    {
      title: 'of two resources',
      specs: [specOf(8), specOf(8)],
      hard: { pods: '2', [GPU]: '15' },
      never: true,
    },
    {
      title: 'and other roles with it',
      specs: [specOf(0), specOf(8), specOf(4)],
      hard: { [GPU]: '8' },
      never: true,
    },
  ];

  test.each(REFUSED)('$title: `why` says the same of it', ({ specs, hard, never }) => {
    const limited = Object.entries(hard).map((amount) => amount.join('='));
    const found = refusedForGood(refusal(limited.join(',')), podsOf(...specs));
    const pods = specs.flatMap((spec) => wanted(1, spec));
    const { reasons } = answerTo({ pods, cluster: { quotas: [quota(hard)] } });
    const { remedy: _, ...asked } = reasons.find(({ code }) => code === 'NeverFits') ?? {};
    expect(found ?? {}).toEqual(asked);
    expect(found !== undefined).toBe(never);
  });

  it('may not count pods of another priority class: its scopes are not known', () => {
    const pods = podsOf(specOf(8, BATCH), specOf(8), specOf(8, BATCH));
    expect(refusedForGood(refusal('pods=1'), pods)).toBeUndefined();
    expect(refusedForGood(refusal('pods=1', 'train-worker-2'), pods)?.needs).toBe('2');
  });
});

test.each([
  'services "train-worker-1" is forbidden: exceeded quota: team, requested: services=1, used: services=1, limited: services=1',
  'pods "other" is forbidden: exceeded quota: team, requested: pods=1, used: pods=1, limited: pods=1',
  'pods "train-worker-1" is forbidden: failed quota: team: must specify requests.cpu for: pytorch',
])('other words say nothing of the job: %s', (words) => {
  expect(refusedForGood(words, podsOf(specOf(8), specOf(8)))).toBeUndefined();
});
