import { describe, expect, it } from '@jest/globals';
import { readKueue } from '../../../../client/use-cases/why/read-kueue.ts';
import type { Pod } from '../../../../contracts/kubernetes.ts';
import { list, readingOf, served } from './answering-cluster.ts';

/** What Kueue says of pods that it holds back. Its words and reasons are those of its source, main of August 2026. */

const HELD = {
  ...{ apiVersion: 'v1', kind: 'Pod', spec: { containers: [] } },
  metadata: { name: 'train-worker-0', namespace: 'ml', uid: 'a-pod' },
} as Pod;

interface Said {
  readonly reason: string;
  readonly message: string;
}

const workload = (reserved: Said & { readonly status?: string }, owner = 'a-pod') => ({
  metadata: { name: 'pod-train', ownerReferences: [{ uid: owner }] },
  status: {
    conditions: [
      { type: 'QuotaReserved', status: 'False', lastTransitionTime: '2026-11-27T11:00:00Z', ...reserved },
    ],
  },
});

const sayingOf = (workloads: object, version = 'v1beta1') =>
  readKueue(
    readingOf({
      [`/apis/kueue.x-k8s.io/${version}`]: served('workloads'),
      [`/apis/kueue.x-k8s.io/${version}/namespaces/ml/workloads`]: workloads,
    }).reading,
    [HELD],
  );

const CASES = [
  [
    'Pending',
    "couldn't assign flavors to pod set main: insufficient unused quota for cpu in flavor default, 2 more needed",
    'WaitingForQueue',
  ],
  ['WaitingForQuota', 'insufficient unused quota', 'WaitingForQueue'],
  [
    'Pending',
    'insufficient quota for cpu in flavor f, previously considered podsets requests (0) + current podset request (8) > maximum capacity (4)',
    'NeverFits',
  ],
  ['ExceedsMaxQuota', 'insufficient quota', 'NeverFits'],
  ['Inadmissible', "LocalQueue x doesn't exist", 'QueueClosed'],
  ['Pending', 'ClusterQueue team is inactive', 'QueueClosed'],
  ['OnHold', 'the queue is on hold', 'QueueClosed'],
] as const;

describe.each(['v1beta1', 'v1beta2'])('Kueue with %s', (version) => {
  it.each(CASES)('that says %s: %s, means %s', async (reason, message, code) => {
    const said = await sayingOf(list(workload({ reason, message })), version);
    expect(said).toMatchObject({
      ...{ of: 'Kueue', code, message: `${reason}: ${message}`, since: '2026-11-27T11:00:00Z' },
      gate: 'kueue.x-k8s.io/admission',
    });
  });
});

it('says nothing of a workload that has its quota', async () => {
  const admitted = workload({ reason: 'QuotaReserved', message: 'reserved', status: 'True' });
  expect(await sayingOf(list(admitted))).toBe(undefined);
});

it('says nothing by the workload of other pods', async () => {
  expect(await sayingOf(list(workload({ reason: 'Pending', message: 'x' }, 'another')))).toBe(undefined);
});

it('is not asked where no pod is held back', async () => {
  const { reading, sent } = readingOf({});
  expect(await readKueue(reading, [])).toBe(undefined);
  expect(sent).toEqual([]);
});
