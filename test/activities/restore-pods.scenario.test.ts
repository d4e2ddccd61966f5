import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Pod } from '../../contracts/kubernetes.ts';
import { LABELS } from '../../contracts/labels.ts';
import { eventually } from '../eventually.ts';
import { renewed } from '../scenarios/attempts.ts';
import { simulatedJob } from '../scenarios/manifests.ts';
import { type ActivityStage, openActivityStage } from './activity-stage.ts';

/** Failed pods that are named by their index, as they are more than a digest describes. */

let stage: ActivityStage;

beforeAll(async () => {
  stage = await openActivityStage();
});

afterAll(() => stage?.close());

const untilFailed = (job: string, count: number) =>
  eventually(`${count} pods have failed`, async () => {
    const pods = await stage.pods(job);
    return pods.filter(({ status }) => status?.phase === 'Failed').length === count && pods;
  });

const lifeOf = ({ metadata }: Pod) => metadata.labels?.[LABELS.incarnation];

it('only missing and named failed pods are restored, and a retry does not replace the pods of the first try', async () => {
  const name = 'restored';
  const run = await stage.admit(
    simulatedJob({ name, namespace: stage.namespace, worker: { replicas: 4, restartPolicy: 'ExitCode' } }),
  );
  const before = await stage.start(run, 1);
  for (const index of [0, 1, 3]) await stage.endPod(`${name}-worker-${index}`, { exitCode: 137 });
  await untilFailed(name, 3);
  const named = { replace: [], replaceAlso: { worker: '0-2' }, incarnations: { worker: 1 } };
  const request = { ...run, attempt: 1, succeededIndices: {}, asGang: true, ...named };
  await stage.restorePods(request);
  const restored = await stage.pods(name);
  // Worker 2 runs; that worker 3 has failed was not known.
  expect(renewed(before, restored)).toEqual([`${name}-worker-0`, `${name}-worker-1`]);
  const made = restored.filter((pod) => lifeOf(pod) === '1').map(({ metadata }) => metadata.name);
  expect(made.sort()).toEqual([`${name}-worker-0`, `${name}-worker-1`]);

  await stage.endPod(`${name}-worker-0`, { exitCode: 3 });
  await untilFailed(name, 2);
  await stage.restorePods(request, { attempt: 2 });
  expect(renewed(restored, await stage.pods(name))).toEqual([]);
});
