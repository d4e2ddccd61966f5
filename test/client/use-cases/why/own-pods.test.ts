import { expect, it } from '@jest/globals';
import { ownPodsOf } from '../../../../client/use-cases/why/own-pods.ts';
import type { Pod } from '../../../../contracts/kubernetes.ts';
import { LABELS } from '../../../../contracts/labels.ts';

/** Which pods of a job look for a place. */

interface PodChoice {
  readonly attempt?: number;
  readonly node?: string;
  readonly deletedAt?: string;
  readonly phase?: string;
}

const pod = (index: number, { attempt = 1, node, deletedAt, phase }: PodChoice = {}): Pod => ({
  ...{ apiVersion: 'v1', kind: 'Pod' },
  metadata: {
    name: `train-worker-${index}`,
    labels: { [LABELS.role]: 'worker', [LABELS.attempt]: String(attempt) },
    ...(deletedAt ? { deletionTimestamp: deletedAt } : {}),
  },
  spec: { containers: [], ...(node ? { nodeName: node } : {}) },
  ...(phase ? { status: { phase: phase as 'Succeeded' } } : {}),
});

const shown = (existing: readonly Pod[], attempt = 1) =>
  ownPodsOf([pod(0), pod(1)], existing, attempt).map(({ spec, isCreated }) => [spec.nodeName, isCreated]);

it('a pod that exists is taken as it is, one that does not as it would be made', () => {
  expect(shown([pod(0, { node: 'a' })])).toEqual([
    ['a', true],
    [undefined, false],
  ]);
});

it('a pod that is being deleted is made again, and counts in quotas until it is gone', () => {
  expect(shown([pod(0, { node: 'a', deletedAt: '2026-11-27T10:00:00Z' })])).toEqual([
    [undefined, true],
    [undefined, false],
  ]);
});

it('a pod that has ended is not made again', () => {
  expect(shown([pod(0, { node: 'a', phase: 'Succeeded' })])).toEqual([[undefined, false]]);
});

it('a pod of the attempt before is not one of this attempt', () => {
  expect(shown([pod(0, { node: 'a' })], 2)).toEqual([
    [undefined, false],
    [undefined, false],
  ]);
});
