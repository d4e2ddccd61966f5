import { describe, expect, it } from '@jest/globals';
import type { TrainingJob } from '../../contracts/training-job.ts';
import { minResourcesOf } from '../../gang/min-resources.ts';
import { aContainer, aManifest, aRole } from '../frameworks/manifests.ts';

const asking = (requests: object) => aContainer({ resources: { requests } });
const SPECS = {
  Master: aRole({}, asking({ cpu: '4', memory: '16Gi' })),
  Worker: aRole({ replicas: 3 }, asking({ cpu: '500m', memory: '1Gi', 'nvidia.com/gpu': 2 })),
};
const jobWith = (schedulingPolicy: object): TrainingJob =>
  aManifest()
    .with('spec.pytorchReplicaSpecs', SPECS)
    .with('spec.runPolicy.schedulingPolicy', schedulingPolicy)
    .job();

describe('the minResources of a gang', () => {
  const cases: readonly [what: string, policy: object, wanted: object][] = [
    ['all pods of a gang of all', {}, { cpu: '5500m', memory: '19Gi', 'nvidia.com/gpu': '6' }],
    [
      'the first pods of a smaller one',
      { minAvailable: 2 },
      { cpu: '4500m', memory: '17Gi', 'nvidia.com/gpu': '2' },
    ],
    ['the master of a gang of one', { minAvailable: 1 }, { cpu: '4', memory: '16Gi' }],
    [
      'what the manifest says',
      { minAvailable: 2, minResources: { cpu: '6000m', memory: 1 } },
      { cpu: '6', memory: '1' },
    ],
    ['nothing, if the manifest says so', { minResources: {} }, {}],
  ];

  it.each(cases)('is for %s', (_, policy, wanted) => {
    expect(minResourcesOf(jobWith(policy))).toEqual(wanted);
  });

  it('is empty for pods without requests', () => {
    expect(minResourcesOf(aManifest().job())).toEqual({});
  });

  it('leaves out pods that are created only once the others are ready', () => {
    const job = jobWith({ minAvailable: 3 });
    const roles = job.plan.roles.map((role) =>
      role.name === 'Master' ? { ...role, after: ['Worker'] } : role,
    );
    const held = { ...job, plan: { ...job.plan, roles } };
    expect(minResourcesOf(held)).toEqual({ cpu: '1500m', memory: '3Gi', 'nvidia.com/gpu': '6' });
  });
});
