import type { JobHandle } from '../../client/handles/job-handle.ts';
import { NODES, SERVICES } from '../../contracts/kubernetes.ts';
import { eventually } from '../eventually.ts';
import { untilAttempt, untilRestarted, untilStatus } from '../scenarios/attempts.ts';
import { keep, letGo } from '../scenarios/kept-pods.ts';
import { type Manifest, simulatedJob, withPolicy } from '../scenarios/manifests.ts';
import { type Stage, untilPhase } from '../scenarios/stage.ts';

/** Jobs whose lives have restarts, interventions and other sizes: to be recorded under their names. */
export const WHOLE_JOB: Readonly<Record<string, (stage: Stage, name: string) => Promise<JobHandle>>> = {
  /** A pod failed and was replaced, after evidence of it was taken. */
  examined: async (stage, name) => {
    const job = await submitted(stage, { name, policy: {} });
    await stage.endPod(`${name}-worker-0`, { exitCode: 1 });
    await untilRestarted(job, 1);
    return completed(stage, job, name);
  },
  /** Failed for good, after evidence, and was held until somebody had looked. */
  held: async (stage, name) => {
    const job = await submitted(stage, { name, policy: { holdOnFailure: '10m' }, worker: NEVER });
    await stage.endPod(`${name}-worker-0`, { exitCode: 1 });
    await untilState(job, 'Finishing.Holding');
    await job.release({ by: 'ana' });
    return job;
  },
  'gang-restarted': async (stage, name) => {
    const job = await submitted(stage, { name, policy: GANG });
    await stage.endPod(`${name}-worker-1`, { exitCode: 1 });
    await untilAttempt(job, 2);
    return completed(stage, job, name);
  },
  /** A whole role, then the gang on other nodes, and then nothing more. */
  climbed: async (stage, name) => {
    const ladder = [
      { scope: 'role', times: 1 },
      { scope: 'gangElsewhere', times: 1 },
    ];
    const job = await submitted(stage, { name, policy: { restart: { ladder, backOff: AT_ONCE } } });
    await stage.endPod(`${name}-worker-0`, { exitCode: 1 });
    await untilRestarted(job, 1);
    await stage.endPod(`${name}-worker-0`, { exitCode: 1 });
    await untilAttempt(job, 2);
    await stage.endPod(`${name}-worker-0`, { exitCode: 1 });
    return job;
  },
  'retried-at-once': async (stage, name) => {
    const restart = { ...GANG.restart, backOff: { firstAtOnce: false, initial: '10m' } };
    const job = await submitted(stage, { name, policy: { restart } });
    await stage.endPod(`${name}-worker-0`, { exitCode: 1 });
    await untilState(job, 'Restarting.Drained');
    await job.retryNow({ by: 'ana' });
    await untilAttempt(job, 2);
    return completed(stage, job, name);
  },
  /** No progress, on a budget of one. */
  stalled: async (stage, name) => {
    const policy = {
      ...GANG,
      progress: { annotation: 'example.com/step', stalledAfter: '2s' },
      failures: { classes: { stalled: { budget: 1 } } },
    };
    return submitted(stage, { name, policy });
  },
  'never-placed': async (stage, name) => {
    const policy = { ...GANG, failures: { classes: { startUp: { after: '2s', budget: 1 } } } };
    const manifest = simulatedJob({ name, namespace: stage.namespace, gpus: 100_000 });
    return await stage.client.submit(withPolicy(manifest, policy));
  },
  'extended-and-amended': async (stage, name) => {
    const policy = { progress: { annotation: 'example.com/step' } };
    const job = await submitted(stage, { name, policy, runPolicy: { activeDeadlineSeconds: 600 } });
    await job.extendDeadline({ seconds: 600, by: 'ana' });
    await job.amendPolicy({ policy: { failures: { classes: { userCode: { budget: 2 } } } }, by: 'ana' });
    await job.hold({ seconds: 0, by: 'ana' });
    return completed(stage, job, name);
  },
  /** Up and down while it runs. */
  scaled: async (stage, name) => {
    const job = await stage.client.submit(elastic(stage, name));
    await untilPhase(job, 'Running');
    for (const replicas of [3, 1]) {
      await job.scale({ role: 'Worker', replicas, by: 'ana' });
      await untilStatus(
        job,
        `${replicas} workers run`,
        ({ phase, replicaStatuses }) => phase === 'Running' && replicaStatuses.Worker?.active === replicas,
      );
    }
    await stage.endPod(`${name}-worker-0`, { exitCode: 0 });
    return job;
  },
  'scaled-anew': async (stage, name) => {
    const job = await submitted(stage, { name, policy: { scaleByRestart: true } });
    await job.scale({ role: 'Worker', replicas: 3, by: 'ana' });
    await untilAttempt(job, 2);
    return completed(stage, job, name);
  },
  /** Nobody writes the checkpoint that is asked for. */
  checkpointed: async (stage, name) => {
    const checkpoint = { file: '/signalbox/checkpoint', within: '2s' };
    const job = await submitted(stage, { name, policy: { checkpoint } });
    await job.stop({ checkpoint: true, by: 'ana' });
    return job;
  },
  /** Given an hour to end, and then stopped at once. */
  'hurried-to-its-end': async (stage, name) => {
    const job = await submitted(stage, { name, policy: { checkpoint: { signal: 'SIGTERM', within: '1h' } } });
    await keep(stage, `${name}-worker-0`);
    await job.stop({ checkpoint: true, by: 'ana' });
    await untilState(job, 'Finishing.CleaningUp');
    await job.stop({ by: 'ben' });
    await letGo(stage, `${name}-worker-0`);
    return job;
  },
  /** A failed pod did not go, and was waited for. */
  'kept-waiting': async (stage, name) => {
    const job = await submitted(stage, { name, policy: {} });
    await keep(stage, `${name}-worker-0`);
    await stage.endPod(`${name}-worker-0`, { exitCode: 1 });
    await untilTerminating(job);
    await letGo(stage, `${name}-worker-0`);
    await untilRestarted(job, 1);
    return completed(stage, job, name);
  },
  /** Its pods were to go by force before it could rest. */
  'suspended-by-force': async (stage, name) => {
    const job = await submitted(stage, { name, policy: { nodes: { forceDeleteAfter: '1s' } } });
    await keep(stage, `${name}-worker-0`);
    await job.suspend({ by: 'ana' });
    // Told when the time of its force is long over.
    await untilTerminating(job);
    await letGo(stage, `${name}-worker-0`);
    await untilState(job, 'Suspended.Resting');
    await job.stop({ by: 'ana' });
    return job;
  },
  /** Its node was out of service for too long. */
  'node-lost': async (stage, name) => {
    const nodes = { lostAfter: '1s', troubles: ['Cordoned'], avoidFor: '1h' };
    const job = await submitted(stage, { name, policy: { nodes } });
    const { spec } = await stage.pod(`${name}-worker-0`);
    const node = { name: spec.nodeName! };
    await stage.cluster.patch(NODES, node, { spec: { unschedulable: true } });
    try {
      await untilStatus(
        job,
        'the pod is replaced',
        ({ restarts, phase }) => restarts > 0 && phase === 'Running',
      );
    } finally {
      await stage.cluster.patch(NODES, node, { spec: { unschedulable: false } });
    }
    return completed(stage, job, name);
  },
  /** Somebody deleted a Service of a running pod. */
  'services-restored': async (stage, name) => {
    const job = await submitted(stage, { name, policy: {} });
    const { cluster, namespace } = stage;
    const service = await cluster.get(SERVICES, namespace, `${name}-worker-0`);
    await cluster.delete(SERVICES, namespace, `${name}-worker-0`);
    await eventually('there is another Service', async () => {
      const { metadata } = await cluster.get(SERVICES, namespace, `${name}-worker-0`);
      return metadata.uid !== service.metadata.uid;
    });
    return completed(stage, job, name);
  },
  /** Starts the workflow by which what is left of it goes later. */
  'with-a-time-to-live': async (stage, name) => {
    const job = await submitted(stage, { name, policy: {}, runPolicy: { ttlSecondsAfterFinished: 0 } });
    return completed(stage, job, name);
  },
};

const NEVER = { restartPolicy: 'Never' };
const AT_ONCE = { initial: '0s' };
const GANG = { restart: { ladder: [{ scope: 'gang' }], backOff: AT_ONCE } };

type Options = Omit<Parameters<typeof simulatedJob>[0], 'namespace'> & { readonly policy: object };

async function submitted(stage: Stage, { policy, ...options }: Options): Promise<JobHandle> {
  const manifest = simulatedJob({ ...options, namespace: stage.namespace });
  const job = await stage.client.submit(withPolicy(manifest, policy));
  await untilPhase(job, 'Running');
  return job;
}

async function completed(stage: Stage, job: JobHandle, name: string): Promise<JobHandle> {
  await stage.endPod(`${name}-master-0`, { exitCode: 0 });
  return job;
}

const untilTerminating = (job: JobHandle) =>
  untilStatus(job, 'it says that it waits', ({ cause }) => cause?.reason === 'PodsTerminating');

const untilState = (job: JobHandle, wanted: string) =>
  untilStatus(job, `it is ${wanted}`, ({ state }) => state === wanted);

function elastic(stage: Stage, name: string): Manifest {
  const manifest = simulatedJob({ name, namespace: stage.namespace, master: false });
  const spec = { ...manifest.spec, elasticPolicy: { minReplicas: 1, maxReplicas: 4 } };
  return { ...manifest, spec };
}
