import type { JobHandle } from '../../client/handles/job-handle.ts';
import { CONFIG_MAPS, PODS } from '../../contracts/kubernetes.ts';
import { ANNOTATIONS } from '../../contracts/labels.ts';
import { KUEUE_QUEUE } from '../../frameworks/manifest/gang-request.ts';
import { readManifest } from '../comparison/case.ts';
import { eventually } from '../eventually.ts';
import { untilAttempt } from '../scenarios/attempts.ts';
import { failPod } from '../scenarios/failed-pods.ts';
import { die } from '../scenarios/failing-nodes.ts';
import { gangJob } from '../scenarios/gang-jobs.ts';
import { localJob } from '../scenarios/local-jobs.ts';
import { onSimulatedNodes, simulatedJob, withPolicy } from '../scenarios/manifests.ts';
import { openNodePool } from '../scenarios/node-pool.ts';
import { kueueOf } from '../scenarios/recorded-kueue.ts';
import { type Stage, untilPhase } from '../scenarios/stage.ts';
import { digestsTo } from '../scenarios/workflow-history.ts';
import { statusOf } from '../status-of.ts';
import { WHOLE_JOB } from './whole-job.ts';

/** Jobs of all fates: to be recorded under their names. Each ends by itself. */

type Recording = (stage: Stage, name: string) => Promise<JobHandle>;

export const RECORDINGS: Readonly<Record<string, Recording>> = {
  ...WHOLE_JOB,
  completed: async (stage, name) => {
    const job = await runningJob(stage, { name, runPolicy: { cleanPodPolicy: 'Running' } });
    await stage.endPod(`${name}-master-0`, { exitCode: 0 });
    return job;
  },
  failed: async (stage, name) => {
    const job = await runningJob(stage, { name, worker: { restartPolicy: 'Never' } });
    await stage.endPod(`${name}-worker-1`, { exitCode: 3 });
    return job;
  },
  /** Its log says why: the job notes that for lists. */
  'said-why': (stage, name) => {
    const script = 'echo "ValueError: no such path"; exit 1';
    return stage.client.submit(
      localJob({ name, namespace: stage.namespace, restartPolicy: 'Never', script }),
    );
  },
  restarted: async (stage, name) => {
    const job = await runningJob(stage, { name, worker: { restartPolicy: 'ExitCode' } });
    const { metadata } = await stage.pod(`${name}-worker-0`);
    await stage.endPod(`${name}-worker-0`, { exitCode: 137 });
    await eventually('the pod is replaced', async () => {
      const pod = await stage.pod(`${name}-worker-0`);
      return pod.metadata.uid !== metadata.uid && (await statusOf(job)).phase === 'Running';
    });
    await stage.endPod(`${name}-master-0`, { exitCode: 0 });
    return job;
  },
  /** It has a spare, whose place an evicted pod takes. */
  spared: async (stage, name) => {
    const manifest = simulatedJob({
      name,
      namespace: stage.namespace,
      worker: { restartPolicy: 'OnFailure' },
    });
    const policy = { spares: { count: 1 }, nodes: { lostAfter: '1h' } };
    const job = await stage.client.submit(withPolicy(manifest, policy));
    const spare = () => stage.pod(`${name}-spare-0`);
    await eventually('the job knows that its spare is ready', async () => {
      const last = (await digestsTo(stage.temporal, job)).at(-1);
      return last?.spares?.[0]?.state === 'ready';
    });
    const { metadata } = await spare();
    await failPod(stage, `${name}-worker-0`, { exitCode: 137, disruption: 'EvictionByEvictionAPI' });
    await eventually('it has another spare', async () => {
      const { metadata: next } = await spare();
      return next.uid !== metadata.uid && (await statusOf(job)).phase === 'Running';
    });
    await stage.endPod(`${name}-master-0`, { exitCode: 0 });
    return job;
  },
  deadline: (stage, name) => runningJob(stage, { name, runPolicy: { activeDeadlineSeconds: 2 } }),
  /** Suspended and resumed, while it runs. */
  suspended: async (stage, name) => {
    const job = await runningJob(stage, { name });
    await job.suspend({ by: 'ana', why: 'recorded' });
    await untilPhase(job, 'Suspended');
    await job.resume({ by: 'ana' });
    await untilPhase(job, 'Running');
    await stage.endPod(`${name}-master-0`, { exitCode: 0 });
    return job;
  },
  /** Its manifest is applied with other limits and a suspension, then with other templates, and once more as it is. */
  applied: async (stage, name) => {
    const job = await runningJob(stage, { name });
    const manifestOf = (more: object) => simulatedJob({ name, namespace: stage.namespace, ...more });
    const worker = { annotations: { 'example.com/data': '2' } };
    const changed = manifestOf({ runPolicy: { backoffLimit: 3 }, worker });
    await stage.client.apply(manifestOf({ runPolicy: { suspend: true, backoffLimit: 3 } }), {
      why: 'recorded',
    });
    await untilPhase(job, 'Suspended');
    await stage.client.apply(changed);
    await untilPhase(job, 'Running');
    const again = { by: 'ana', manifest: changed };
    const workflow = stage.temporal.workflow.getHandle(job.workflowId);
    await workflow.executeUpdate<unknown, [object]>('apply', { args: [again] });
    await stage.endPod(`${name}-master-0`, { exitCode: 0 });
    return job;
  },
  /** Suspended, resumed and stopped by signals, of which some are refused. */
  signalled: async (stage, name) => {
    const job = await runningJob(stage, { name });
    const workflow = stage.temporal.workflow.getHandle(job.workflowId);
    await workflow.signal('resume', { by: 'ana' });
    await workflow.signal('suspend', { by: 'ana', why: 'recorded' });
    await untilPhase(job, 'Suspended');
    await workflow.signal('suspend', {});
    await workflow.signal('resume', {});
    await workflow.signal('resume', 7);
    await untilPhase(job, 'Running');
    await workflow.signal('stop', { by: 'ana', why: 'recorded' });
    return job;
  },
  scheduled: async (stage, name) => {
    const manifest = simulatedJob({ name, namespace: stage.namespace });
    await stage.client.schedules.create(manifest, { cron: ['0 2 29 2 *'] });
    await stage.client.schedules.trigger({ name });
    const job = await eventually('the schedule has started a job', async () => {
      for await (const { workflowId, phase } of stage.client.list({ namespace: stage.namespace }))
        if (workflowId.includes(`/${name}-`) && phase === 'Running') return stage.client.job({ workflowId });
      return undefined;
    });
    await stage.client.schedules.delete({ name });
    await stage.endPod(`${(await statusOf(job)).name}-master-0`, { exitCode: 0 });
    return job;
  },
  stopped: async (stage, name) => {
    const job = await runningJob(stage, { name });
    await job.stop({ by: 'ana', why: 'recorded' });
    return job;
  },
  cancelled: async (stage, name) => {
    const job = await runningJob(stage, { name });
    await stage.temporal.workflow.getHandle(job.workflowId).cancel();
    return job;
  },
  /** A launcher that is created when its workers are ready, and a list of hosts. */
  launched: async (stage, name) => {
    const job = await runningCase(stage, name, 'mpi-v1');
    await stage.endPod(`${name}-launcher`, { exitCode: 0 });
    return job;
  },
  /** A list of addresses, written when every pod has one, and renewed when one is replaced. */
  listed: async (stage, name) => {
    const job = await runningCase(stage, name, 'paddlejob-collective-v0.3.0');
    await stage.cluster.delete(PODS, stage.namespace, `${name}-worker-1`);
    await eventually('the pod is replaced', async () => {
      const { restarts, phase } = await statusOf(job);
      return restarts === 1 && phase === 'Running';
    });
    for (const { metadata } of await stage.pods(name)) await stage.endPod(metadata.name, { exitCode: 0 });
    return job;
  },
  /** A group that its scheduler lets in before there are pods. */
  queued: async (stage, name) => {
    const job = await runningJob(stage, { name, annotations: { [ANNOTATIONS.gang]: 'volcano' } });
    await stage.endPod(`${name}-master-0`, { exitCode: 0 });
    return job;
  },
  /** Pods behind gates that are lifted when all of them fit. */
  gated: async (stage, name) => {
    const job = await runningJob(stage, { name, annotations: { [ANNOTATIONS.gang]: 'gated' } });
    await stage.endPod(`${name}-master-0`, { exitCode: 0 });
    return job;
  },
  /** Of Kubernetes itself: pods join their group with the gate, and without it where they replace others. */
  'gated-native': async (stage, name) => {
    const job = await runningJob(stage, { name, annotations: { [ANNOTATIONS.gang]: 'gated-native' } });
    const { uid } = (await stage.pod(`${name}-worker-0`)).metadata;
    await failPod(stage, `${name}-worker-0`, { exitCode: 137, disruption: 'EvictionByEvictionAPI' });
    await eventually('the pod is replaced', async () => {
      const pod = await stage.pod(`${name}-worker-0`);
      return pod.metadata.uid !== uid && (await statusOf(job)).phase === 'Running';
    });
    await stage.endPod(`${name}-master-0`, { exitCode: 0 });
    return job;
  },
  /** No room, and the gates are lifted for an autoscaler: one node comes too early, and the gang waits for both anew. */
  'lifted-on-quota': async (stage, name) => {
    const pool = await openNodePool(stage.cluster, { nodes: [] });
    const policy = '{gang: {lift: onQuota}}';
    const manifest = gangJob({ name, namespace: stage.namespace, gang: 'gated', pool, pods: 2, policy });
    const job = await stage.client.submit(manifest);
    await eventually('its pods wait for nodes that are added', async () =>
      /2 pods wait for nodes that are added/.test((await statusOf(job)).cause?.message ?? ''),
    );
    await pool.addNode(1);
    await eventually('it is rolled back', async () => {
      const { state, cause } = await statusOf(job);
      return state === 'Pending.RolledBack' && cause?.reason === 'TooFewNewNodes';
    });
    await pool.addNode(1);
    await job.retryNow({ by: 'ana' });
    await untilPhase(job, 'Running');
    await stage.endPod(`${name}-master-0`, { exitCode: 0 });
    await job.wait();
    await pool.remove();
    return job;
  },
  /** In a queue of Kueue (`openRecordedKueue`): it waits for quota, is preempted, and is admitted again. */
  'admitted-by-kueue': async (stage, name) => {
    const labels = { [KUEUE_QUEUE]: 'team' };
    const { metadata, ...manifest } = simulatedJob({ name, namespace: stage.namespace });
    const job = await stage.client.submit({ ...manifest, metadata: { ...metadata, labels } });
    const kueue = kueueOf(stage, name);
    const untilItWaits = (attempt: number, words: RegExp) =>
      eventually(`attempt ${attempt} waits: ${words}`, async () => {
        const status = await statusOf(job);
        const isSaid = words.test(status.cause?.message ?? '');
        return status.state === 'Pending.Queued' && status.attempt === attempt && isSaid;
      });
    await untilItWaits(1, /it has said nothing/);
    await kueue.refuses();
    await untilItWaits(1, /insufficient unused quota/);
    await kueue.admits();
    await untilPhase(job, 'Running');
    await kueue.preempts();
    await untilItWaits(2, /Preempted to accommodate/);
    await kueue.admits();
    await untilPhase(job, 'Running');
    await stage.endPod(`${name}-master-0`, { exitCode: 0 });
    return job;
  },
  /** It starts when its lane lets it, gives its place to a job of a higher priority, and runs again. */
  evicted: async (stage, name) => {
    const inLane = (job: string, policy: object) =>
      withPolicy(simulatedJob({ name: job, namespace: stage.namespace }), policy);
    const checkpoint = { file: '/signalbox/checkpoint', within: '2s' };
    const job = await stage.client.submit(inLane(name, { lane: { name: 'all' }, checkpoint }));
    await untilPhase(job, 'Running');
    const other = await stage.client.submit(inLane(`${name}-by`, { lane: { name: 'all', priority: 1 } }));
    await untilPhase(other, 'Running');
    await stage.endPod(`${name}-by-master-0`, { exitCode: 0 });
    await untilPhase(job, 'Running');
    await stage.endPod(`${name}-master-0`, { exitCode: 0 });
    return job;
  },
  /** The gates are lifted, and nobody places the pods in time. */
  'rolled-back': async (stage, name) => {
    const manifest = simulatedJob({
      ...{ name, namespace: stage.namespace, annotations: { [ANNOTATIONS.gang]: 'gated' } },
      ...{ master: { schedulerName: 'nobody' }, worker: { schedulerName: 'nobody' } },
    });
    const job = await stage.client.submit(manifest);
    await eventually('it waits for its second attempt', async () => {
      const { state, attempt } = await statusOf(job);
      return state === 'Pending.Scheduling' && attempt === 2;
    });
    await job.stop({ by: 'ana' });
    return job;
  },
  /** One pod is on a node that nobody hears, and is deleted: the gang leaves it behind, and meets at another port. */
  'left-behind': async (stage, name) => {
    const pool = await openNodePool(stage.cluster, { nodes: [1, 1, 1, 1] });
    const manifest = gangJob({
      ...{ name, namespace: stage.namespace, gang: 'none', pool, pods: 3, restartPolicy: 'OnFailure' },
    });
    const job = await stage.client.submit(manifest);
    await untilPhase(job, 'Running');
    const { nodeName } = (await stage.pod(`${name}-worker-0`)).spec;
    await die(stage, nodeName!, 'unheard');
    await stage.cluster.delete(PODS, stage.namespace, `${name}-worker-0`);
    await untilAttempt(job, 2);
    await untilPhase(job, 'Running');
    await stage.endPod(`${name}-master-0`, { exitCode: 0 });
    await job.wait();
    await pool.remove();
    return job;
  },
  refused: async (stage, name) => {
    const manifest = simulatedJob({ name, namespace: stage.namespace, master: { replicas: 2 } });
    return await stage.client.submit(manifest);
  },
};

/** A lane with room for one of these jobs. Returns the settings of an engine that serves it. */
export async function lanesOf({ cluster, namespace }: Stage): Promise<NodeJS.ProcessEnv> {
  const metadata = { name: 'lanes', namespace };
  const lanes = { lanes: { all: { capacity: { pods: 3 }, preempt: 'lower' } } };
  const data = { 'lanes.yaml': JSON.stringify(lanes) };
  await cluster.create(CONFIG_MAPS, { apiVersion: 'v1', kind: 'ConfigMap', metadata, data });
  return { SIGNALBOX_LANES: `${namespace}/lanes` };
}

/** The job of a golden case, under another name. */
async function runningCase(stage: Stage, name: string, golden: string): Promise<JobHandle> {
  const manifest = readManifest(golden) as object;
  const named = { ...manifest, metadata: { name, namespace: stage.namespace } };
  const job = await stage.client.submit(onSimulatedNodes(named));
  await untilPhase(job, 'Running');
  return job;
}

export async function runningJob(
  stage: Stage,
  options: Omit<Parameters<typeof simulatedJob>[0], 'namespace'>,
): Promise<JobHandle> {
  const job = await stage.client.submit(simulatedJob({ ...options, namespace: stage.namespace }));
  await untilPhase(job, 'Running');
  return job;
}
