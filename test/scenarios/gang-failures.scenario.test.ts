import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { JobHandle } from '../../client/handles/job-handle.ts';
import type { Pod } from '../../contracts/kubernetes.ts';
import { eventually } from '../eventually.ts';
import { statusOf } from '../status-of.ts';
import { type GangStage, openGangStage } from './gang-stage.ts';
import { untilPhase } from './stage.ts';

/** What becomes of a gang of ten on ten slots when members fail: no gang scheduler does anything about that by itself. */

let stage: GangStage;

beforeAll(async () => {
  stage = await openGangStage();
});

afterAll(() => stage.close());

const GANG_SCHEDULERS = ['native', 'volcano', 'coscheduling'] as const;

const uidsOf = (pods: readonly Pod[]) =>
  new Map(pods.map(({ metadata }) => [metadata.name, metadata.uid] as const));

/** Ends a pod with 137, waits until the job runs again, and gives the names of the pods that were made again. */
async function replacedBy(job: JobHandle, pod: string): Promise<string[]> {
  const { name } = await statusOf(job);
  const before = uidsOf(await stage.pods(name));
  await stage.endPod(pod, { exitCode: 137 });
  await eventually('the job runs again', async () => {
    const { phase, restarts } = await statusOf(job);
    return phase === 'Running' && restarts === 1;
  });
  const after = uidsOf(await stage.pods(name));
  return [...after].filter(([name, uid]) => before.get(name) !== uid).map(([name]) => name);
}

async function submitRunning(options: Parameters<GangStage['submit']>[0]): Promise<JobHandle> {
  const job = await stage.submit(options);
  await untilPhase(job, 'Running');
  return job;
}

async function endsWell(job: JobHandle, name: string): Promise<void> {
  await stage.endPod(`${name}-master-0`, { exitCode: 0 });
  expect((await job.wait()).phase).toBe('Completed');
}

describe('a member that fails with a restart allowed', () => {
  const cases = GANG_SCHEDULERS.flatMap((gang) =>
    ['OnFailure', 'ExitCode'].map((restartPolicy) => ({ gang, restartPolicy })),
  );

  it.concurrent.each(cases)('is replaced on $gang with restartPolicy $restartPolicy', async (choices) => {
    const { gang, restartPolicy } = choices;
    const pool = await stage.pool({ nodes: [10] });
    const name = `${restartPolicy.toLowerCase()}-${gang}`;
    const job = await submitRunning({ name, gang, pool, restartPolicy });
    expect(await replacedBy(job, `${name}-worker-3`)).toEqual([`${name}-worker-3`]);
    await endsWell(job, name);
  });

  it.concurrent.each(GANG_SCHEDULERS)(
    'is replaced on %s when another has already succeeded',
    async (gang) => {
      const pool = await stage.pool({ nodes: [10] });
      const name = `late-${gang}`;
      const job = await submitRunning({ name, gang, pool });
      await stage.endPod(`${name}-worker-0`, { exitCode: 0 });
      await eventually('a worker has succeeded', async () => {
        return (await statusOf(job)).replicaStatuses.Worker?.succeeded === 1;
      });
      expect(await replacedBy(job, `${name}-worker-5`)).toEqual([`${name}-worker-5`]);
      await endsWell(job, name);
    },
  );
});

describe('a member that waits for room in its gang when another has succeeded', () => {
  it.concurrent.each(GANG_SCHEDULERS)('is still placed on %s', async (gang) => {
    const pool = await stage.pool({ nodes: [9, 1] });
    const name = `stranded-${gang}`;
    const job = await submitRunning({ name, gang, pool });
    const cordoned = await pool.cordon(1);
    const lost = (await stage.pods(name)).find(({ spec }) => spec.nodeName === cordoned)!;
    await stage.endPod(lost.metadata.name, { exitCode: 137 });
    await eventually('its replacement has found no room', async () => {
      const { phase, cause } = await statusOf(job);
      return phase === 'Pending' && cause?.message.includes('9 of 10 pods have a node');
    });
    const other = (await stage.pods(name)).find(
      ({ metadata }) => metadata.name !== lost.metadata.name && metadata.name.includes('-worker-'),
    )!;
    await stage.endPod(other.metadata.name, { exitCode: 0 });
    expect(await untilPhase(job, 'Running')).toMatchObject({ restarts: 1 });
    await endsWell(job, name);
  });
});

describe('a member that fails for good', () => {
  const names = (name: string, indices: readonly number[]) =>
    indices.map((index) => `${name}-worker-${index}`);
  const ALL = [0, 1, 2, 3, 4, 5, 6, 7, 8];
  const cases = [
    { gang: 'coscheduling', cleanPodPolicy: 'All', left: () => [] },
    { gang: 'volcano', cleanPodPolicy: 'Running', left: (name: string) => names(name, [3]) },
    {
      gang: 'native',
      cleanPodPolicy: 'None',
      left: (name: string) => [`${name}-master-0`, ...names(name, ALL)],
    },
  ] as const;

  it.concurrent.each(cases)(
    'ends a job on $gang, and cleanPodPolicy $cleanPodPolicy decides on the survivors',
    async ({ gang, cleanPodPolicy, left }) => {
      const pool = await stage.pool({ nodes: [10] });
      const name = `never-${gang}-${cleanPodPolicy.toLowerCase()}`;
      const runPolicy = { cleanPodPolicy };
      const job = await submitRunning({ name, gang, pool, restartPolicy: 'Never', runPolicy });
      await stage.endPod(`${name}-worker-3`, { exitCode: 137 });
      const { phase, cause } = await job.wait();
      expect(phase).toBe('Failed');
      expect(cause).toMatchObject({ reason: 'PodFailed', pod: `${name}-worker-3`, exitCode: 137 });
      expect([...uidsOf(await stage.pods(name)).keys()].sort()).toEqual(left(name));
      const group = await stage.group(gang, name);
      // Kubernetes keeps one of its own until the last of its pods has ended.
      expect(group === undefined || group.metadata.deletionTimestamp !== undefined).toBe(true);
    },
  );
});
