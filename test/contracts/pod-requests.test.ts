import { describe, expect, it } from '@jest/globals';
import type { PodSpec } from '../../contracts/kubernetes.ts';
import { podRequests } from '../../contracts/pod-requests.ts';
import { formatQuantity } from '../../contracts/quantity.ts';

const asks = (cpu: string, memory?: string) => ({
  resources: { requests: { cpu, ...(memory && { memory }) } },
});
const main = (fields: object) => ({ name: 'main', ...fields });
const sidecar = (fields: object) => ({ name: 'sidecar', restartPolicy: 'Always', ...fields });

// Wanted: what component-helpers 0.36 computes of such a pod.
const CASES: readonly [what: string, spec: PodSpec, wanted: Readonly<Record<string, string>>][] = [
  ['nothing', { containers: [main({})] }, {}],
  [
    'what its containers ask for together',
    { containers: [main(asks('1', '1Gi')), main(asks('500m'))] },
    { cpu: '1500m', memory: '1Gi' },
  ],
  [
    'its limits where there is no request, key by key',
    {
      containers: [
        main({ resources: { requests: { cpu: 1 }, limits: { cpu: 4, memory: '2Gi', 'nvidia.com/gpu': 1 } } }),
      ],
    },
    { cpu: '1', memory: '2Gi', 'nvidia.com/gpu': '1' },
  ],
  [
    'what its most demanding init container needs',
    { containers: [main(asks('1', '4Gi'))], initContainers: [main(asks('3')), main(asks('2', '1Gi'))] },
    { cpu: '3', memory: '4Gi' },
  ],
  [
    'its sidecars beside its containers',
    { containers: [main(asks('1'))], initContainers: [sidecar(asks('500m'))] },
    { cpu: '1500m' },
  ],
  [
    'its sidecars beside the init containers after them only',
    {
      containers: [main(asks('1'))],
      initContainers: [main(asks('3')), sidecar(asks('1')), main(asks('2500m'))],
    },
    { cpu: '3500m' },
  ],
  [
    'nothing of sidecars for the init containers before them',
    { containers: [main(asks('1'))], initContainers: [main(asks('3')), sidecar(asks('1'))] },
    { cpu: '3' },
  ],
  [
    'its overhead',
    { containers: [main(asks('1'))], overhead: { cpu: '250m', memory: '120Mi' } },
    { cpu: '1250m', memory: '120Mi' },
  ],
  [
    'what is asked for the pod as a whole',
    {
      containers: [main(asks('1', '1Gi'))],
      resources: { requests: { cpu: '3', 'nvidia.com/gpu': '9' } },
      overhead: { cpu: '1' },
    },
    { cpu: '4', memory: '1Gi' },
  ],
  [
    'the limit of the whole pod where no container asks',
    { containers: [main(asks('1'))], resources: { limits: { cpu: '3', memory: '2Gi' } } },
    { cpu: '1', memory: '2Gi' },
  ],
];

describe('a pod asks its node for', () => {
  it.each(CASES)('%s', (_, spec, wanted) => {
    const amounts = [...podRequests(spec)].map(([resource, amount]) => [resource, formatQuantity(amount)]);
    expect(Object.fromEntries(amounts)).toEqual(wanted);
  });
});
