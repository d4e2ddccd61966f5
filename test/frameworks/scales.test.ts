import { describe, expect, it } from '@jest/globals';
import type { TrainingJob } from '../../contracts/training-job.ts';
import { aManifest, aManifestOf } from './manifests.ts';
import { anMpiJob, anMpiV2Job } from './mpi-jobs.ts';
import { jobWith } from './paddle-jobs.ts';

const scalesOf = ({ plan }: TrainingJob) =>
  Object.fromEntries(plan.roles.flatMap(({ name, scales }) => (scales ? [[name, scales]] : [])));

const elastic = (bounds: object) => aManifest().with('spec.elasticPolicy', bounds).job();
const elasticPaddle = (bounds: object) =>
  aManifestOf('PaddleJob', { Worker: { replicas: 2 } })
    .with('spec.elasticPolicy', bounds)
    .job();
const dynamic = (roles: Record<string, object>) =>
  aManifestOf('TFJob', roles as Record<string, Record<string, unknown>>)
    .with('spec.enableDynamicWorker', true)
    .job();

describe('while a job runs', () => {
  it.each<[string, TrainingJob, object]>([
    ['an elastic PyTorchJob: its bounds', elastic({ minReplicas: 1, maxReplicas: 4 }), { min: 1, max: 4 }],
    [
      'an elastic PaddleJob: its bounds',
      elasticPaddle({ minReplicas: 2, maxReplicas: 8 }),
      { min: 2, max: 8 },
    ],
    ['a TFJob with dynamic workers', dynamic({ PS: {}, Worker: {} }), { min: 1 }],
    ['one that its chief decides', dynamic({ Chief: {}, PS: {}, Worker: {} }), { min: 0 }],
  ])('workers of %s can be scaled', (_what, job, scales) => {
    expect(scalesOf(job)).toEqual({ Worker: scales });
  });

  it('workers of an elastic PaddleJob of paddle-operator can be scaled', () => {
    expect(scalesOf(jobWith({ elastic: 1 }))).toEqual({ worker: { min: 1 } });
  });

  it.each<[string, TrainingJob]>([
    ['a PyTorchJob', aManifest().job()],
    ['one whose bounds leave no room', elastic({ minReplicas: 2 })],
    ['one whose bounds are its size', elastic({})],
    ['a TFJob', aManifestOf('TFJob', { PS: {}, Worker: {} }).job()],
    ['a PaddleJob', aManifestOf('PaddleJob', { Worker: {} }).job()],
    ['an XGBoostJob', aManifestOf('XGBoostJob', { Master: {}, Worker: {} }).job()],
    ['a JAXJob', aManifestOf('JAXJob', { Worker: {} }).job()],
    ['an MPIJob v1', anMpiJob().job()],
    ['an MPIJob v2', anMpiV2Job().job()],
    ['a PaddleJob of paddle-operator', jobWith({})],
  ])('no role of %s can be scaled', (_what, job) => {
    expect(scalesOf(job)).toEqual({});
  });
});

describe('ttlSecondsAfterFinished', () => {
  it.each([aManifest(), anMpiJob(), anMpiV2Job()])('is applied without a warning: %#', (manifest) => {
    const { plan, warnings } = manifest.with('spec.runPolicy.ttlSecondsAfterFinished', 0).job();
    expect(plan.runPolicy.ttlSecondsAfterFinished).toBe(0);
    expect(warnings).toEqual([]);
  });
});
