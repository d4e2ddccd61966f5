import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { ensurePrograms, stopSandbox } from '@signalbox/sandbox';
import type { JobHandle } from '../../client/job-handle.ts';
import { PODS } from '../../contracts/kubernetes.ts';
import { ANNOTATIONS } from '../../contracts/labels.ts';
import { readManifest } from '../comparison/case.ts';
import { eventually } from '../eventually.ts';
import { onSimulatedNodes, simulatedJob } from '../scenarios/manifests.ts';
import { openStage, type Stage, untilPhase } from '../scenarios/stage.ts';
import { anonymous } from './anonymous.ts';
import { WHOLE_JOB } from './whole-job.ts';

/**
 * `node test/replay/record.ts [NAME...]`: runs jobs on the test sandbox and writes their histories to histories/, where
 * replay.test.ts finds them. Record a new one beside the old ones when a path is added. From the first release on, never record an old one anew to
 * make a test pass: jobs with that history may be alive somewhere.
 */

const FOLDER = fileURLToPath(new URL('./histories', import.meta.url));
const run = promisify(execFile);

type Recording = (stage: Stage, name: string) => Promise<JobHandle>;

const RECORDINGS: Readonly<Record<string, Recording>> = {
  ...WHOLE_JOB,
  completed: async (stage, name) => {
    const job = await running(stage, { name, runPolicy: { cleanPodPolicy: 'Running' } });
    await stage.endPod(`${name}-master-0`, { exitCode: 0 });
    return job;
  },
  failed: async (stage, name) => {
    const job = await running(stage, { name, worker: { restartPolicy: 'Never' } });
    await stage.endPod(`${name}-worker-1`, { exitCode: 3 });
    return job;
  },
  restarted: async (stage, name) => {
    const job = await running(stage, { name, worker: { restartPolicy: 'ExitCode' } });
    const { metadata } = await stage.pod(`${name}-worker-0`);
    await stage.endPod(`${name}-worker-0`, { exitCode: 137 });
    await eventually('the pod is replaced', async () => {
      const pod = await stage.pod(`${name}-worker-0`);
      return pod.metadata.uid !== metadata.uid && (await job.status()).phase === 'Running';
    });
    await stage.endPod(`${name}-master-0`, { exitCode: 0 });
    return job;
  },
  deadline: (stage, name) => running(stage, { name, runPolicy: { activeDeadlineSeconds: 2 } }),
  /** Suspended and resumed, while it runs. */
  suspended: async (stage, name) => {
    const job = await running(stage, { name });
    await job.suspend({ by: 'ana', why: 'recorded' });
    await untilPhase(job, 'Suspended');
    await job.resume({ by: 'ana' });
    await untilPhase(job, 'Running');
    await stage.endPod(`${name}-master-0`, { exitCode: 0 });
    return job;
  },
  /** Suspended, resumed and stopped by signals, of which some are refused. */
  signalled: async (stage, name) => {
    const job = await running(stage, { name });
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
    await stage.endPod(`${(await job.status()).name}-master-0`, { exitCode: 0 });
    return job;
  },
  stopped: async (stage, name) => {
    const job = await running(stage, { name });
    await job.stop({ by: 'ana', why: 'recorded' });
    return job;
  },
  cancelled: async (stage, name) => {
    const job = await running(stage, { name });
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
      const { restarts, phase } = await job.status();
      return restarts === 1 && phase === 'Running';
    });
    for (const { metadata } of await stage.pods(name)) await stage.endPod(metadata.name, { exitCode: 0 });
    return job;
  },
  /** A group that its scheduler lets in before there are pods. */
  queued: async (stage, name) => {
    const job = await running(stage, { name, annotations: { [ANNOTATIONS.gang]: 'volcano' } });
    await stage.endPod(`${name}-master-0`, { exitCode: 0 });
    return job;
  },
  refused: async (stage, name) => {
    const manifest = simulatedJob({ name, namespace: stage.namespace, master: { replicas: 2 } });
    return await stage.client.submit(manifest);
  },
};

/** The job of a golden case, under another name. */
async function runningCase(stage: Stage, name: string, golden: string): Promise<JobHandle> {
  const manifest = readManifest(golden) as object;
  const named = { ...manifest, metadata: { name, namespace: stage.namespace } };
  const job = await stage.client.submit(onSimulatedNodes(named));
  await untilPhase(job, 'Running');
  return job;
}

async function running(
  stage: Stage,
  options: Omit<Parameters<typeof simulatedJob>[0], 'namespace'>,
): Promise<JobHandle> {
  const job = await stage.client.submit(simulatedJob({ ...options, namespace: stage.namespace }));
  await untilPhase(job, 'Running');
  return job;
}

/** The sweep is a workflow of its own, which the watcher starts for a job that was terminated. */
async function recordSwept(stage: Stage): Promise<string> {
  const job = await running(stage, { name: 'swept' });
  await stage.temporal.workflow.getHandle(job.workflowId).terminate('recorded');
  return eventually('the job is swept', async () => {
    const query = `WorkflowType = "sweepJob" AND ExecutionStatus = "Completed"`;
    for await (const { workflowId } of stage.temporal.workflow.list({ query })) {
      if (workflowId.includes(`/${stage.namespace}/`)) return workflowId;
    }
    return undefined;
  });
}

/** So is the expiry of what is left of an ended job. */
async function recordExpired(stage: Stage): Promise<string> {
  const job = await running(stage, { name: 'expired', runPolicy: { ttlSecondsAfterFinished: 1 } });
  await stage.endPod('expired-master-0', { exitCode: 0 });
  await job.wait();
  return eventually('what is left of it has gone', async () => {
    const query = `WorkflowType = "expireJob" AND ExecutionStatus = "Completed"`;
    for await (const { workflowId } of stage.temporal.workflow.list({ query })) {
      if (workflowId.includes(`/${stage.namespace}/expired/`)) return workflowId;
    }
    return undefined;
  });
}

async function main(names: readonly string[]): Promise<void> {
  const wanted = (name: string) => names.length === 0 || names.includes(name);
  await mkdir(FOLDER, { recursive: true });
  const { temporal } = await ensurePrograms({ names: ['temporal'] });
  const stage = await openStage();
  const save = async (name: string, workflowId: string) => {
    const address = ['--address', stage.sandbox.temporalAddress];
    const show = ['workflow', 'show', '--workflow-id', workflowId, '-o', 'json', ...address];
    const { stdout } = await run(temporal, show, { maxBuffer: 64 * 1024 * 1024 });
    await writeFile(`${FOLDER}/${name}.json`, `${anonymous(JSON.stringify(JSON.parse(stdout)))}\n`);
    console.log(`recorded ${name}`);
  };
  try {
    await stage.engine('up');
    for (const [name, record] of Object.entries(RECORDINGS).filter(([name]) => wanted(name))) {
      const job = await record(stage, name);
      await job.wait();
      await save(name, job.workflowId);
    }
    if (wanted('swept')) await save('swept', await recordSwept(stage));
    if (wanted('expired')) await save('expired', await recordExpired(stage));
  } finally {
    await stage.close();
    await stopSandbox(stage.sandbox.dir);
  }
}

await main(process.argv.slice(2));
