import { describe, expect, it } from '@jest/globals';
import { MOST_NOTICED_NODES, MOST_NOTICED_PODS } from '../../../contracts/digest.ts';
import type { NodeNotice } from '../../../contracts/node-notice.ts';
import { noticedOf } from '../../../watcher/digest/noticed.ts';
import { podFacts } from '../../../watcher/pods/pod-facts.ts';
import { aPod, type PodChoice, READY, SUCCEEDED } from '../fixtures.ts';

const SICK: NodeNotice = { verdict: 'Sick', source: 'NVSentinel', key: 'GpuMemWatch', since: 1 };
const LEAVING: NodeNotice = { verdict: 'Leaving', source: 'GKE', key: 'maintenance', since: 2, deadline: 9 };

const podsOf = (...choices: readonly PodChoice[]) =>
  choices.map((choice) => {
    const pod = aPod({ status: READY, ...choice });
    return [pod.metadata.uid!, podFacts(pod)] as const;
  });

describe('the notices of a digest', () => {
  it('are those of nodes with unfinished pods, with the pods', () => {
    const pods = podsOf(
      { index: 1, node: 'gpu-7' },
      { index: 0, node: 'gpu-7' },
      { index: 2, node: 'gpu-8' },
      { index: 3, node: 'gpu-9', status: SUCCEEDED },
      { index: 4 },
    );
    const noticed = noticedOf(pods, (node) => (node === 'gpu-8' ? [] : [SICK]));
    expect(noticed).toMatchObject([{ node: 'gpu-7', ...SICK }]);
    expect(noticed[0]!.pods.map(({ pod }) => pod)).toEqual(['resnet-worker-0', 'resnet-worker-1']);
  });

  it('have the first of each verdict', () => {
    const others = [SICK, { ...SICK, key: 'GpuPcieWatch' }, LEAVING];
    expect(noticedOf(podsOf({ node: 'gpu-7' }), () => others)).toMatchObject([SICK, LEAVING]);
  });

  it('are few, however many nodes and pods there are', () => {
    const pods = podsOf(
      ...Array.from({ length: 100 }, (_, index) => ({ index, node: `gpu-${index}` })),
      ...Array.from({ length: 40 }, (_, index) => ({ index: 100 + index, node: 'gpu-0' })),
    );
    const noticed = noticedOf(pods, () => [SICK]);
    expect(noticed).toHaveLength(MOST_NOTICED_NODES);
    expect(noticed[0]!.pods).toHaveLength(MOST_NOTICED_PODS);
  });
});
