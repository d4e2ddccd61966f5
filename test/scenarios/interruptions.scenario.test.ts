import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { JobHandle } from '../../client/handles/job-handle.ts';
import { courseOf, untilAttempt, untilRestarted } from './attempts.ts';
import { type Disruption, deletion, disruptionBy, eviction } from './disruptions.ts';
import { localJob } from './local-jobs.ts';
import { withPolicy } from './manifests.ts';
import { openStage, type Stage, untilPhase } from './stage.ts';

/** Real processes that somebody else than their job tells to stop: they end as they like, and are made again. */

let stage: Stage;
let out: string;

beforeAll(async () => {
  stage = await openStage({ sharesEngine: true });
  out = await mkdtemp(join(tmpdir(), 'signalbox-'));
});

afterAll(async () => {
  await stage.close();
  await rm(out, { recursive: true });
});

interface Training {
  readonly name: string;
  /** What the processes exit with when they are told to stop, after they have saved what they have. */
  readonly exitCode: number;
  readonly restartPolicy: string;
  readonly policy?: object;
}

/** Trains until the test says that it is done. */
async function begin({ name, exitCode, restartPolicy, policy }: Training): Promise<JobHandle> {
  const script = `trap 'sleep 0.2; exit ${exitCode}' TERM; until [ -e /out/${name} ]; do sleep 0.1; done`;
  const { namespace } = stage;
  const manifest = localJob({ name, namespace, script, workers: 1, out, restartPolicy });
  const job = await stage.client.submit(policy ? withPolicy(manifest, policy) : manifest);
  await untilPhase(job, 'Running');
  return job;
}

const trained = (name: string) => writeFile(join(out, name), '');

const preemption = disruptionBy('PreemptionByScheduler', 'default-scheduler: preempting');
const taint = disruptionBy('DeletionByTaintManager', 'Taint manager: deleting due to NoExecute taint');

describe('an interrupted pod is recreated, and its job completes', () => {
  const table: readonly [
    says: string,
    { name: string; role: 'master' | 'worker'; exitCode: number; restartPolicy: string },
    Disruption,
    words: string,
  ][] = [
    [
      'a master that is deleted and exits with 0',
      { name: 'deleted-0', role: 'master', exitCode: 0, restartPolicy: 'Never' },
      deletion,
      'was deleted (Deleted); exit code 0',
    ],
    [
      'a master that is evicted and exits with 0',
      { name: 'evicted-0', role: 'master', exitCode: 0, restartPolicy: 'OnFailure' },
      eviction,
      'was evicted (EvictionByEvictionAPI: Eviction API: evicting); exit code 0',
    ],
    [
      'a worker that is evicted and exits with 0',
      { name: 'worker-0', role: 'worker', exitCode: 0, restartPolicy: 'Never' },
      eviction,
      'was evicted (EvictionByEvictionAPI: Eviction API: evicting); exit code 0',
    ],
    [
      'a worker that is preempted and exits with 1',
      { name: 'preempted-1', role: 'worker', exitCode: 1, restartPolicy: 'ExitCode' },
      preemption,
      'was preempted (PreemptionByScheduler: default-scheduler: preempting); exit code 1',
    ],
    [
      'a worker that is evicted for a taint and exits with 1',
      { name: 'tainted-1', role: 'worker', exitCode: 1, restartPolicy: 'Never' },
      taint,
      'was evicted because of a taint on its node (DeletionByTaintManager: Taint manager: deleting due to NoExecute taint); exit code 1',
    ],
  ];
  it.each(table)('%s', async (_, { role, ...training }, disrupt, words) => {
    const { name } = training;
    const job = await begin(training);
    const pod = `${name}-${role}-0`;
    const before = await stage.pod(pod);
    await disrupt(stage, pod);
    const status = await untilRestarted(job, 1);
    expect(courseOf(status)).toContain(`${pod} on node ${before.spec.nodeName} ${words}`);
    expect((await stage.pod(pod)).metadata.uid).not.toBe(before.metadata.uid);
    await trained(name);
    expect(await job.wait()).toMatchObject({
      phase: 'Completed',
      attempt: 1,
      restarts: 1,
      replicaStatuses: { Master: { succeeded: 1 } },
    });
  });
});

it('a gang on spot nodes restarts at no cost when its master is evicted, and exits with 0', async () => {
  const policy = {
    restart: { ladder: [{ scope: 'gang' }], backOff: { initial: '0s' } },
    failures: { classes: { infrastructure: { budget: 5 }, userCode: { budget: 0 } } },
    checkpoint: { signal: 'SIGTERM', within: '10s' },
  };
  const job = await begin({ name: 'spot', exitCode: 0, restartPolicy: 'Never', policy });
  await eviction(stage, 'spot-master-0');
  const status = await untilAttempt(job, 2);
  expect(status.budgets).toMatchObject({ infrastructure: { used: 1 }, userCode: { used: 0 } });
  await trained('spot');
  expect(await job.wait()).toMatchObject({ phase: 'Completed', attempt: 2, restarts: 1 });
});

it('a succeeded worker is not recreated when its pod is deleted', async () => {
  const { namespace } = stage;
  const script = 'if [ "$RANK" = 1 ]; then exit 0; fi; until [ -e /out/kept ]; do sleep 0.1; done';
  const job = await stage.client.submit(localJob({ name: 'kept', namespace, script, workers: 1, out }));
  await untilPhase(job, 'Running');
  const { uid } = (await stage.pod('kept-worker-0')).metadata;
  expect(uid).toBeDefined();
  await deletion(stage, 'kept-worker-0');
  await trained('kept');
  expect(await job.wait()).toMatchObject({ phase: 'Completed', restarts: 0 });
});
