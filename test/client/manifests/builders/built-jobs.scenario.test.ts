import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  jaxJob,
  mpiJob,
  mpiJobV2,
  paddleJob,
  paddleOperatorJob,
  pytorchJob,
  tfJob,
  trainJob,
  volcanoJob,
  xgboostJob,
} from '../../../../client/index.ts';
import { validateOnServer } from '../../../../client/manifests/offline/validate-on-server.ts';
import { eventually } from '../../../eventually.ts';
import { openStage, type Stage } from '../../../scenarios/stage.ts';
import { statusOf } from '../../../status-of.ts';
import { JOB_OPTIONS, POD_OPTIONS, SHARED_OPTIONS } from './options.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage({ sharesEngine: true });
});
afterAll(() => stage.close());

describe('the API server accepts every object of a job built with all common options', () => {
  it.each([
    ['jaxJob', () => jaxJob(JOB_OPTIONS)],
    ['mpiJob', () => mpiJob(JOB_OPTIONS)],
    ['mpiJobV2', () => mpiJobV2(JOB_OPTIONS)],
    ['paddleJob', () => paddleJob(JOB_OPTIONS)],
    ['paddleOperatorJob', () => paddleOperatorJob(POD_OPTIONS)],
    ['pytorchJob', () => pytorchJob(JOB_OPTIONS)],
    ['tfJob', () => tfJob({ ...JOB_OPTIONS, parameterServers: 1, evaluators: 1 })],
    ['trainJob', () => trainJob(SHARED_OPTIONS)],
    ['volcanoJob', () => volcanoJob({ ...POD_OPTIONS, plugins: { pytorch: [], ssh: [] } })],
    ['xgboostJob', () => xgboostJob(JOB_OPTIONS)],
  ])('%s', async (_, build) => {
    const built = build();
    const manifest = { ...built, metadata: { ...built.metadata, namespace: stage.namespace } };
    const { faults, warnings } = await validateOnServer(manifest, stage.cluster, { strict: true });
    expect({ faults, warnings }).toEqual({ faults: [], warnings: [] });
  });
});

it('a built job runs with the GPUs and the shared memory that it requested', async () => {
  const job = await stage.client.submit(
    pytorchJob({
      name: 'built',
      image: 'train:1',
      nodes: 3,
      gpusPerNode: 2,
      shm: '1Gi',
      nodeSelector: { 'signalbox.dev/node': 'simulated' },
      labels: { team: 'vision' },
    }),
  );
  await eventually('the job runs', async () => (await statusOf(job)).phase === 'Running');
  const pods = await stage.pods('built');
  expect(pods).toHaveLength(3);
  expect(pods[0]!.spec.containers[0]!.resources).toMatchObject({ limits: { 'nvidia.com/gpu': '2' } });
  await job.stop({ why: 'it runs' });
  expect(await job.wait()).toMatchObject({ phase: 'Stopped' });
});
