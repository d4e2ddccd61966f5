import { describe, expect, it } from '@jest/globals';
import { aContainer, aManifest } from './manifests.ts';

const expected = 'expected a quantity >= 0, e.g. 4, 500m or 8Gi';

describe('resources of a template', () => {
  const at = 'spec.pytorchReplicaSpecs.Worker.template.spec';
  const faultsOf = (field: string, value: unknown) =>
    aManifest().role('Worker', `template.spec.${field}`, value).faults();

  it('may have any form that Kubernetes accepts', () => {
    const requests = { cpu: 0.5, memory: '1.5Gi', 'nvidia.com/gpu': 1, 'ephemeral-storage': '1e9' };
    expect(faultsOf('containers', [aContainer({ resources: { requests, limits: requests } })])).toEqual([]);
  });

  const faulty: readonly [field: string, value: unknown, fault: string][] = [
    [
      'containers',
      [aContainer({ resources: { requests: { memory: '8 Gi' } } })],
      `${at}.containers[0].resources.requests.memory: ${expected}, got "8 Gi"`,
    ],
    [
      'containers',
      [aContainer({ resources: { limits: { 'nvidia.com/gpu': 'two' } } })],
      `${at}.containers[0].resources.limits[nvidia.com/gpu]: ${expected}, got "two"`,
    ],
    [
      'initContainers',
      [aContainer({ resources: { requests: { cpu: -1 } } })],
      `${at}.initContainers[0].resources.requests.cpu: ${expected}, got -1`,
    ],
    ['overhead', { cpu: true }, `${at}.overhead.cpu: ${expected}, got true`],
    ['resources', { requests: { cpu: '1cpu' } }, `${at}.resources.requests.cpu: ${expected}, got "1cpu"`],
  ];

  it.each(faulty)('are refused in %s as %j', (field, value, fault) => {
    expect(faultsOf(field, value)).toEqual([fault]);
  });
});

describe('minResources', () => {
  it('are refused if they are no quantities', () => {
    const faults = aManifest()
      .with('spec.runPolicy.schedulingPolicy', { minResources: { cpu: 'lots', memory: '8Gi' } })
      .faults();
    expect(faults).toEqual([`spec.runPolicy.schedulingPolicy.minResources.cpu: ${expected}, got "lots"`]);
  });
});
