import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { JobHandle } from '../../client/handles/job-handle.ts';
import { PODS } from '../../contracts/kubernetes.ts';
import { eventually } from '../eventually.ts';
import { statusOf } from '../status-of.ts';
import { attemptsOf, courseOf, renewed, untilAttempt, untilRestarted, untilStatus } from './attempts.ts';
import { FAILS_ONCE, localJob } from './local-jobs.ts';
import { simulatedJob, withPolicy } from './manifests.ts';
import { openStage, type Stage, untilPhase } from './stage.ts';
import { digestsTo } from './workflow-history.ts';

/** What starts again when one pod fails: as much as the first rung of the job's ladder says. */

let stage: Stage;

beforeAll(async () => {
  stage = await openStage({ sharesEngine: true });
});

afterAll(() => stage.close());

const AT_ONCE = { initial: '0s' };

async function running(name: string, scope: string): Promise<JobHandle> {
  const manifest = simulatedJob({ name, namespace: stage.namespace, runPolicy: { cleanPodPolicy: 'All' } });
  const restart = { ladder: [{ scope }], backOff: AT_ONCE };
  const job = await stage.client.submit(withPolicy(manifest, { restart }));
  await untilPhase(job, 'Running');
  return job;
}

async function complete(job: JobHandle, name: string): Promise<void> {
  await stage.endPod(`${name}-master-0`, { exitCode: 0 });
  expect((await job.wait()).phase).toBe('Completed');
  await eventually('its pods are gone', async () => (await stage.pods(name)).length === 0);
}

describe('after the failure of one pod', () => {
  it.concurrent.each([
    { scope: 'pod', anew: ['pod-worker-1'], attempt: 1 },
    { scope: 'role', anew: ['role-worker-0', 'role-worker-1'], attempt: 1 },
    { scope: 'gang', anew: ['gang-master-0', 'gang-worker-0', 'gang-worker-1'], attempt: 2 },
  ])('scope $scope recreates $anew, in attempt $attempt', async ({ scope, anew, attempt }) => {
    const job = await running(scope, scope);
    const before = await stage.pods(scope);
    await stage.endPod(`${scope}-worker-1`, { exitCode: 1 });
    const status = await untilRestarted(job, 1);
    const after = await stage.pods(scope);
    expect(renewed(before, after)).toEqual(anew);
    expect(after).toHaveLength(3);
    expect(status).toMatchObject({ attempt, restarts: 1 });
    expect(attemptsOf(after)).toEqual([`${attempt}, env ${attempt}`]);
    await complete(job, scope);
  });

  it.concurrent('scope gangElsewhere places no pod of the next attempt on the node of the failure', async () => {
    const job = await running('elsewhere', 'gangElsewhere');
    const { spec } = await stage.pod('elsewhere-worker-1');
    const failed = spec.nodeName!;
    await stage.endPod('elsewhere-worker-1', { exitCode: 1 });
    const status = await untilAttempt(job, 2);
    expect(Object.keys(status.avoided ?? {})).toEqual([failed]);
    const after = await stage.pods('elsewhere');
    expect(after.map(({ spec }) => spec.nodeName)).not.toContain(failed);
    const isNot = { key: 'metadata.name', operator: 'NotIn', values: [failed] };
    for (const { spec } of after) {
      expect(spec.affinity).toMatchObject({
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchFields: [isNot] }] },
        },
      });
    }
    await complete(job, 'elsewhere');
  });
});

describe('a role that restarts', () => {
  it.concurrent('also recreates pods that exited with 0 when they were stopped', async () => {
    const script = 'trap "exit 0" TERM; while :; do sleep 0.1; done';
    const manifest = localJob({ name: 'polite', namespace: stage.namespace, script, workers: 2 });
    const restart = { ladder: [{ scope: 'role' }], backOff: AT_ONCE };
    const job = await stage.client.submit(withPolicy(manifest, { restart }));
    await untilPhase(job, 'Running');
    const before = await stage.pods('polite');
    const other = { namespace: stage.namespace, name: 'polite-worker-1' };
    await stage.cluster.patch(PODS, other, { metadata: { finalizers: ['test.signalbox.dev/seen'] } });
    // A pod that is gone has failed as well; the other one is told to stop.
    await stage.cluster.delete(PODS, stage.namespace, 'polite-worker-0', { gracePeriodSeconds: 0 });
    await eventually('the job has received that the other one has ended', async () => {
      const digest = (await digestsTo(stage.temporal, job)).at(-1);
      return digest?.failures.some(({ pod, interruptedBy }) => pod === other.name && interruptedBy);
    });
    await stage.cluster.patch(PODS, other, { metadata: { finalizers: [] } });
    const { replicaStatuses } = await untilRestarted(job, 1);
    expect(replicaStatuses.Worker).toMatchObject({ active: 2 });
    expect(replicaStatuses.Worker?.succeeded).toBeUndefined();
    const after = await stage.pods('polite');
    expect(renewed(before, after)).toEqual(['polite-worker-0', 'polite-worker-1']);
    expect(after.map(({ status }) => status?.phase)).toEqual(['Running', 'Running', 'Running']);
    await job.stop({});
    await job.wait();
    await eventually('its pods are gone', async () => (await stage.pods('polite')).length === 0);
  });

  it.concurrent('also recreates pods that had succeeded before', async () => {
    const job = await running('whole', 'role');
    await stage.endPod('whole-worker-0', { exitCode: 0 });
    await untilStatus(
      job,
      'one has succeeded',
      ({ replicaStatuses }) => replicaStatuses.Worker?.succeeded === 1,
    );
    const before = await stage.pods('whole');
    await stage.endPod('whole-worker-1', { exitCode: 1 });
    const { replicaStatuses } = await untilRestarted(job, 1);
    expect(replicaStatuses.Worker).toMatchObject({ active: 2 });
    expect(replicaStatuses.Worker?.succeeded).toBeUndefined();
    expect(renewed(before, await stage.pods('whole'))).toEqual(['whole-worker-0', 'whole-worker-1']);
    await complete(job, 'whole');
  });
});

describe('a container that fails', () => {
  it.concurrent('is restarted in place by its node, in the same pod, within its rung', async () => {
    const manifest = localJob({ name: 'inplace', namespace: stage.namespace, script: FAILS_ONCE });
    const restart = { ladder: [{ scope: 'container', times: 2 }, { scope: 'pod' }] };
    const job = await stage.client.submit(withPolicy(manifest, { restart }));
    const status = await untilRestarted(job, 1);
    const pod = await stage.pod('inplace-master-0');
    expect(pod.status?.containerStatuses?.[0]?.restartCount).toBe(1);
    expect(status.attempt).toBe(1);
    expect(status.timeline.map(({ state }) => state)).not.toContain('Restarting.Replacing');
    await job.stop({});
    await job.wait();
  });

  it.concurrent('more often than its rung allows is replaced by a new pod, and then ends the ladder', async () => {
    const manifest = localJob({ name: 'worn', namespace: stage.namespace, script: 'sleep 0.2; exit 1' });
    const ladder = [
      { scope: 'container', times: 1 },
      { scope: 'pod', times: 1 },
    ];
    const job = await stage.client.submit(withPolicy(manifest, { restart: { ladder, backOff: AT_ONCE } }));
    const first = await eventually('it has a pod', async () => (await stage.pods('worn'))[0]);
    await eventually('it has another one', async () => {
      const [pod] = await stage.pods('worn');
      return pod !== undefined && pod.metadata.uid !== first.metadata.uid;
    });
    const { phase, cause } = await job.wait();
    expect(phase).toBe('Failed');
    expect(cause).toMatchObject({ reason: 'RestartsExhausted' });
  });

  it.concurrent('for longer than its rung allows is replaced by a new pod', async () => {
    const manifest = localJob({ name: 'slow', namespace: stage.namespace, script: 'sleep 0.5; exit 1' });
    const ladder = [{ scope: 'container', within: '1s' }, { scope: 'pod' }];
    const job = await stage.client.submit(withPolicy(manifest, { restart: { ladder, backOff: AT_ONCE } }));
    const first = await eventually('it has a pod', async () => (await stage.pods('slow'))[0]);
    await eventually('it has another one', async () => {
      const [pod] = await stage.pods('slow');
      return pod !== undefined && pod.metadata.uid !== first.metadata.uid;
    });
    expect(courseOf(await statusOf(job))).toContain('the job did not run again in time');
    await job.stop({});
    await job.wait();
  });

  it.concurrent('is left to signalbox where the ladder has no rung for containers', async () => {
    const script = 'if [ "$SIGNALBOX_ATTEMPT" = 2 ]; then exit 0; fi; exit 1';
    const manifest = localJob({ name: 'ours', namespace: stage.namespace, script });
    const restart = { ladder: [{ scope: 'gang' }], backOff: AT_ONCE };
    const job = await stage.client.submit(withPolicy(manifest, { restart }));
    const { phase, attempt, restarts, evidence } = await job.wait();
    expect({ phase, attempt, restarts }).toEqual({ phase: 'Completed', attempt: 2, restarts: 1 });
    expect(evidence).toMatchObject([{ pod: 'ours-master-0', attempt: 1, exitCode: 1 }]);
  });
});

describe('a pod that is replaced within a later attempt', () => {
  it.concurrent('has the number of that attempt', async () => {
    const manifest = simulatedJob({
      name: 'within',
      namespace: stage.namespace,
      runPolicy: { cleanPodPolicy: 'All' },
    });
    const job = await stage.client.submit(manifest);
    await untilPhase(job, 'Running');
    await job.suspend({});
    await untilPhase(job, 'Suspended');
    await job.resume({});
    await untilAttempt(job, 2);
    const before = await stage.pods('within');
    await stage.endPod('within-worker-0', { exitCode: 1 });
    await untilStatus(job, 'it is replaced', ({ phase, restarts }) => phase === 'Running' && restarts === 1);
    const after = await stage.pods('within');
    expect(renewed(before, after)).toEqual(['within-worker-0']);
    expect(attemptsOf(after)).toEqual(['2, env 2']);
    await complete(job, 'within');
  });
});
