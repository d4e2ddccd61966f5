import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { JobHandle } from '../../client/handles/job-handle.ts';
import { PODS } from '../../contracts/kubernetes.ts';
import { untilAttempt, untilRestarted, untilStatus } from './attempts.ts';
import { copyPod } from './copied-pods.ts';
import { simulatedJob, withPolicy } from './manifests.ts';
import { openStage, type Stage, untilPhase } from './stage.ts';

/** Somebody copies a pod to look into something: another name, the same labels, owner, and all the rest. */

let stage: Stage;

beforeAll(async () => {
  stage = await openStage({ sharesEngine: true });
});

afterAll(() => stage?.close());

const FINALIZER = 'test.signalbox.dev/stays';

/** It does not go: somebody holds on to it. */
const copy = async (original: string, name: string) =>
  copyPod(stage, await stage.pod(original), { name, finalizers: [FINALIZER] });

const letGo = (name: string) =>
  stage.cluster.patch(PODS, { namespace: stage.namespace, name }, { metadata: { finalizers: null } });

async function runningWithCopy(name: string, policy: object = {}): Promise<JobHandle> {
  const { namespace } = stage;
  const runPolicy = { cleanPodPolicy: 'All' };
  const worker = { replicas: 2, restartPolicy: 'ExitCode' };
  const manifest = withPolicy(simulatedJob({ name, namespace, worker, runPolicy }), policy);
  const job = await stage.client.submit(manifest);
  await untilPhase(job, 'Running');
  await copy(`${name}-worker-0`, `${name}-debug`);
  const { phase, warnings } = await untilStatus(job, 'it is warned of', ({ warnings }) =>
    warnings.some((warning) => warning.includes(`${name}-debug`)),
  );
  expect({ phase, warnings: warnings.length }).toEqual({ phase: 'Running', warnings: 1 });
  return job;
}

describe('a copy of a pod', () => {
  it('does not keep a job from success, or a clean-up from its end', async () => {
    const job = await runningWithCopy('copied');
    await stage.endPod('copied-master-0', { exitCode: 0 });
    expect((await job.wait()).phase).toBe('Completed');
    const left = await stage.pods('copied');
    expect(left.map(({ metadata }) => metadata.name)).toEqual(['copied-debug']);
    await letGo('copied-debug');
  });

  it('that fails is ignored, and real failures beside it are not', async () => {
    const job = await runningWithCopy('fails', { restart: { ladder: [{ scope: 'pod' }] } });
    await stage.endPod('fails-debug', { exitCode: 1 });
    await stage.endPod('fails-worker-0', { exitCode: 137 });
    await untilRestarted(job, 1);
    await stage.endPod('fails-worker-1', { exitCode: 3 });
    const { phase, cause } = await job.wait();
    expect({ phase, cause }).toMatchObject({
      phase: 'Failed',
      cause: { reason: 'PermanentExitCode', pod: 'fails-worker-1' },
    });
    await letGo('fails-debug');
  });

  it('is deleted with its gang, which does not wait for it', async () => {
    const job = await runningWithCopy('gang', { restart: { ladder: [{ scope: 'gang' }] } });
    await stage.endPod('gang-worker-1', { exitCode: 137 });
    await untilAttempt(job, 2);
    expect((await stage.pod('gang-debug')).metadata.deletionTimestamp).toBeDefined();
    await job.stop({});
    expect((await job.wait()).phase).toBe('Stopped');
    await letGo('gang-debug');
  });
});
