import { describe, expect, it } from '@jest/globals';
import { devicesByRole, gpusByRole, gpusOf, isGpu } from '../../contracts/gpus.ts';

const NVIDIA = 'nvidia.com/gpu';
const limited = (limits: object) => ({ name: 'c', resources: { limits } });
const sidecar = (limits: object) => ({ ...limited(limits), restartPolicy: 'Always' });
const role = (replicas: unknown, ...limits: readonly object[]) => ({
  replicas,
  template: { spec: { containers: limits.map(limited) } },
});
const pod = (spec: object) => ({ spec: { worker: { template: { spec } } } });
const eachIn = (spec: object) => gpusByRole(pod(spec))[0]?.each;

describe('the GPUs of a manifest', () => {
  it.each([
    [
      {
        pytorchReplicaSpecs: {
          Master: role(undefined, { [NVIDIA]: 1 }),
          Worker: role(3, { [NVIDIA]: '8' }),
        },
      },
      25,
    ],
    [{ worker: role(2, { 'amd.com/gpu': 4 }, { 'nvidia.com/mig-1g.5gb': 1 }), ps: role(2, { cpu: 4 }) }, 10],
    [{ worker: role(2, { 'gpu.intel.com/i915': 1 }, { 'gpu.intel.com/xe': 2 }) }, 6],
    [{ worker: role(2, { cpu: 4 }) }, null],
    [{ worker: role(0, { [NVIDIA]: 4 }) }, null],
    [{ worker: role('many', { [NVIDIA]: 4 }) }, null],
    [{ worker: { replicas: 2, template: 'no' } }, null],
    [undefined, null],
  ])('%j: %j', (spec, expected) => expect(gpusOf({ spec })).toBe(expected));

  it('are counted by role, for each pod', () => {
    const spec = { pytorchReplicaSpecs: { Master: role(1, { cpu: 1 }), Worker: role(3, { [NVIDIA]: 8 }) } };
    expect(gpusByRole({ spec })).toEqual([{ role: 'worker', replicas: 3, each: 8 }]);
  });

  it('are some of its devices: the extended resources, which have a domain that is not of Kubernetes', () => {
    const own = { cpu: 4, memory: '1Gi', [NVIDIA]: '8', 'rdma/hca': 1, 'requests.kubernetes.io/x': 1 };
    const spec = { pytorchReplicaSpecs: { Master: role(1, { cpu: 1 }), Worker: role(3, own) } };
    expect(devicesByRole({ spec })).toEqual({ worker: { [NVIDIA]: 8, 'rdma/hca': 1 } });
    expect(devicesByRole('no manifest')).toEqual({});
  });

  it.each([undefined, null, 3, 'x', []])('are none for %j, which is no manifest', (value) => {
    expect(gpusOf(value)).toBe(null);
    expect(gpusOf({ spec: value })).toBe(null);
    expect(gpusOf(pod({ containers: value, initContainers: value }))).toBe(null);
    expect(gpusOf(pod({ containers: [value, { resources: value }, limited({ [NVIDIA]: value })] }))).toBe(
      value === 3 ? 3 : null,
    );
  });
});

describe('the GPUs of a pod', () => {
  it('are its limits, with or without equal requests', () => {
    const resources = { limits: { [NVIDIA]: 2 }, requests: { [NVIDIA]: 2, cpu: 8 } };
    expect(eachIn({ containers: [{ resources }] })).toBe(2);
    expect(eachIn({ containers: [{ resources: { requests: { [NVIDIA]: 2 } } }] })).toBe(2);
  });

  it('of an init container count only if it needs more than the others, because it ends before they start', () => {
    const containers = [limited({ [NVIDIA]: 2 }), limited({ [NVIDIA]: 1 })];
    expect(eachIn({ containers, initContainers: [limited({ [NVIDIA]: 1 })] })).toBe(3);
    expect(eachIn({ containers, initContainers: [limited({ [NVIDIA]: 2 }), limited({ [NVIDIA]: 4 })] })).toBe(
      4,
    );
  });

  it('of a sidecar are added to the others and to later init containers', () => {
    const containers = [limited({ [NVIDIA]: 2 })];
    expect(eachIn({ containers, initContainers: [sidecar({ [NVIDIA]: 1 })] })).toBe(3);
    const [first, second] = [sidecar({ [NVIDIA]: 1 }), limited({ [NVIDIA]: 4 })];
    expect(eachIn({ containers, initContainers: [first, second] })).toBe(5);
    expect(eachIn({ containers, initContainers: [second, first] })).toBe(4);
  });

  it('are whole: Kubernetes refuses other amounts', () => {
    expect(eachIn({ containers: [limited({ [NVIDIA]: '500m' })] })).toBeUndefined();
    expect(eachIn({ containers: [limited({ [NVIDIA]: -1 })] })).toBeUndefined();
    expect(eachIn({ containers: [limited({ [NVIDIA]: '2000m' })] })).toBe(2);
  });
});

describe('the resource', () => {
  it.each([
    NVIDIA,
    'nvidia.com/gpu.shared',
    'nvidia.com/mig-1g.5gb',
    'nvidia.com/mig-3g.20gb.shared',
    'amd.com/gpu',
    'gpu.intel.com/i915',
    'gpu.intel.com/xe',
    'example.com/gpu',
    'google.com/tpu',
    'cloud-tpus.google.com/preemptible-v3',
    'aws.amazon.com/neuron',
    'aws.amazon.com/neuroncore',
    'habana.ai/gaudi',
    'huawei.com/Ascend910',
    'huawei.com/Ascend910B',
    'huawei.com/Ascend310P-2c.1cpu',
    'cambricon.com/mlu370',
    'kunlunxin.com/xpu',
    'hygon.com/dcu',
  ])('%s is counted in GPUs', (resource) => expect(isGpu(resource)).toBe(true));

  it.each([
    'nvidia.com/gpumem',
    'nvidia.com/gpucores',
    'huawei.com/Ascend910B-memory',
    'hygon.com/dcumem',
    'cambricon.com/mlu.smlu.vmemory',
    'vpc.amazonaws.com/efa',
    'nvidia.com/gpumem-percentage',
    'volcano.sh/gpu-memory',
    'gpu.intel.com/i915_monitoring',
    'gpu.intel.com/millicores',
    'gpu.intel.com/memory.max',
    'example.com/mig-rate',
    'gpu',
    'cpu',
  ])('%s does not count as GPU', (resource) => expect(isGpu(resource)).toBe(false));
});
