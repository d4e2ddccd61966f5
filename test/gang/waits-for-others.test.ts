import { describe, expect, it } from '@jest/globals';
import type { GangProvider } from '../../contracts/training-job.ts';
import { GANG_ADAPTERS } from '../../gang/registry.ts';

// As Kubernetes 1.36.3 and 1.37.2, Volcano 1.10.0 and scheduler-plugins 0.32.7 write them into PodScheduled, for a gang of ten with
// room for nine.
const MESSAGES: readonly [provider: GangProvider, reason: string, message: string, forOthers: boolean][] = [
  [
    'native',
    'Unschedulable',
    'pod group is unschedulable, waiting for minCount pods from a gang to be scheduled, one or more plugins asked to wait and no plugin rejected pod',
    true,
  ],
  [
    'native',
    'Unschedulable',
    'pod group is unschedulable, minCount (10) cannot be satisfied: 9 scheduled, 0 remaining',
    true,
  ],
  ['native', 'Unschedulable', '0/9 nodes are available: 1 Insufficient nvidia.com/gpu.', false],
  ['volcano', 'Schedulable', 'Pod ml/resnet-master-0 can possibly be assigned to gpu-0', true],
  ['volcano', 'Unschedulable', '0/8 nodes are unavailable: 2 Insufficient nvidia.com/gpu.', false],
  [
    'coscheduling',
    'Unschedulable',
    '0/23 nodes are available: pre-filter pod resnet-worker-1 cannot find enough sibling pods, current pods number: 1, minMember of group: 10.',
    true,
  ],
  ['coscheduling', 'Unschedulable', '0/1 nodes are available: 1 rejection in Unreserve.', true],
  ['coscheduling', 'Unschedulable', '0/1 nodes are available: 1 optimistic rejection in PostFilter.', true],
  [
    'coscheduling',
    'Unschedulable',
    '0/1 nodes are available: 1 rejected due to timeout after waiting 3s at plugin Coscheduling.',
    true,
  ],
  [
    'coscheduling',
    'Unschedulable',
    '0/14 nodes are available: resource gap: map[nvidia.com/gpu:{{10 0} {<nil>}  DecimalSI}]. PodGroup ml/resnet gets rejected due to Pod resnet-master-0 is unschedulable even after PostFilter',
    false,
  ],
  ['coscheduling', 'Unschedulable', '0/8 nodes are available: 1 Insufficient nvidia.com/gpu.', false],
];

describe('a pod of a gang', () => {
  it.each(MESSAGES)('of %s with %s: %s waits for others only: %s', (provider, reason, message, forOthers) => {
    expect(GANG_ADAPTERS[provider].waitsForOthers?.({ reason, message }) ?? false).toBe(forOthers);
  });
});
