import { expect, it } from '@jest/globals';
import { gpuMapOf, gpusHeldBy } from '../../console/reading/gpu-map.ts';
import type { Node, Pod } from '../../contracts/kubernetes.ts';

const node = (name: string, gpus: number): Node => ({
  ...{ apiVersion: 'v1', kind: 'Node', metadata: { name } },
  status: { allocatable: { cpu: '8', 'nvidia.com/gpu': String(gpus) } },
});

const pod = (
  name: string,
  { on, job, gpus, isReady = true }: { on?: string; job?: string; gpus: number; isReady?: boolean },
): Pod => ({
  ...{ apiVersion: 'v1', kind: 'Pod' },
  metadata: { name, namespace: 'ml', labels: job === undefined ? {} : { 'signalbox.dev/job': job } },
  spec: {
    nodeName: on,
    containers: [{ name: 'main', image: 'a', resources: { limits: { 'nvidia.com/gpu': gpus } } }],
  },
  status: { conditions: [{ type: 'Ready', status: isReady ? 'True' : 'False' }] },
});

it('the map says who holds which GPUs, and what a gang holds that does not run', () => {
  const pods = [
    pod('train-0', { on: 'a', job: 'train', gpus: 4 }),
    pod('train-1', { on: 'b', job: 'train', gpus: 4 }),
    pod('gang-0', { on: 'b', job: 'gang', gpus: 2 }),
    // Without a node: its gang does not run.
    pod('gang-1', { job: 'gang', gpus: 2, isReady: false }),
    pod('notebook', { on: 'a', gpus: 1 }),
    pod('without', { on: 'a', gpus: 0 }),
  ].flatMap(gpusHeldBy);
  expect(gpuMapOf([node('a', 8), node('b', 8), node('c', 8), node('cpu', 0)], pods)).toEqual([
    { node: 'c', gpus: 8, holders: [] },
    {
      node: 'a',
      gpus: 8,
      holders: [
        { namespace: 'ml', job: 'train', gpus: 4, isRunning: true },
        { namespace: 'ml', job: undefined, gpus: 1, isRunning: true },
      ],
    },
    {
      node: 'b',
      gpus: 8,
      holders: [
        { namespace: 'ml', job: 'train', gpus: 4, isRunning: true },
        { namespace: 'ml', job: 'gang', gpus: 2, isRunning: false },
      ],
    },
  ]);
});
