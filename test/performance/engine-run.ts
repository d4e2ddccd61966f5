import type { Client } from '@temporalio/client';
import { inParallel } from '../../activities/support/in-parallel.ts';
import { SignalboxClient } from '../../client/client.ts';
import type { JobHandle } from '../../client/job-handle.ts';
import { ClusterClient } from '../../cluster/client.ts';
import { connectTemporal } from '../../temporal/connection.ts';
import { EngineProcess, type EngineSettings } from './engine-process.ts';
import { observe } from './observation.ts';
import { cpuNow, cpuSince, usageOf } from './process-usage.ts';
import { manifestsOf, type Workload } from './workload.ts';

/** Times are milliseconds from the first submission, unless said otherwise. */
export interface EngineResult {
  readonly submitted: number;
  readonly created: number;
  readonly running: number;
  /** Every job's phase is Running, as its anchor shows it. */
  readonly phaseRunning: number;
  /** Of each job: from its last pod's Running to its phase Running. */
  readonly lags: readonly number[];
  /** From the first request to stop, until every job's phase is Stopped and its pods are gone. */
  readonly stopped: number;
  /** Of each job, over its whole life. */
  readonly historyEvents: readonly number[];
  readonly historyBytes: readonly number[];
  /** Peak resident memory; absent elsewhere than on Linux. */
  readonly memoryMb: { readonly worker?: number; readonly watcher?: number };
  /** Processor seconds from the first submission to the last phase Running. */
  readonly cpuSeconds: Readonly<Record<string, number>>;
}

export interface Place extends EngineSettings {
  /** Processes of the sandbox by name. */
  readonly pids: Readonly<Record<string, number>>;
}

interface Tools {
  readonly jobs: SignalboxClient;
  readonly temporal: Client;
  readonly cluster: ClusterClient;
}

const LIMIT_MS = 300_000;
/** Submissions in flight. */
const SUBMITTERS = { limit: 16, signal: new AbortController().signal };

/** Runs a workload on an engine of its own, so that memory is that of this workload. */
export async function measureEngine(place: Place, workload: Workload): Promise<EngineResult> {
  const tools = await connect(place);
  const engine: Record<string, EngineProcess> = {};
  try {
    engine.worker = await EngineProcess.start('worker', place);
    engine.watcher = await EngineProcess.start('watcher', place);
    // The first job of a process pays for what is loaded and compiled once.
    await runJobs(tools, { prefix: `${workload.prefix}-warm`, jobs: 1, podsPerJob: 2 }, {});
    const pids = { ...place.pids, worker: engine.worker.pid, watcher: engine.watcher.pid };
    const result = await runJobs(tools, workload, { ...pids, bench: process.pid });
    const [worker, watcher] = await Promise.all([usageOf(pids.worker), usageOf(pids.watcher)]);
    return { ...result, memoryMb: { worker: worker?.peakMb, watcher: watcher?.peakMb } };
  } finally {
    await Promise.all(Object.values(engine).map((process) => process.stop()));
    await Promise.all([tools.jobs.close(), tools.temporal.connection.close(), tools.cluster.close()]);
  }
}

async function connect({ temporalAddress: address, kubeconfig }: Place): Promise<Tools> {
  const settings = { address, namespace: 'default' };
  return {
    jobs: await SignalboxClient.connect({ temporal: settings }),
    temporal: await connectTemporal(settings),
    cluster: await ClusterClient.connect({ kubeconfig }),
  };
}

async function runJobs(
  tools: Tools,
  workload: Workload,
  pids: Readonly<Record<string, number>>,
): Promise<Omit<EngineResult, 'memoryMb'>> {
  const observation = await observe(tools.cluster, workload);
  try {
    const cpuBefore = await cpuNow(pids);
    const start = performance.now();
    const jobs = await submitAll(tools.jobs, workload);
    const submitted = performance.now() - start;
    const created = (await observation.created.reached(LIMIT_MS)) - start;
    const running = (await observation.running.reached(LIMIT_MS)) - start;
    const phaseRunning = (await observation.jobsRunning.reached(LIMIT_MS)) - start;
    const cpuSeconds = await cpuSince(cpuBefore, pids);
    const stop = performance.now();
    await inParallel(jobs, SUBMITTERS, async (job) => void (await job.stop({ by: 'bench' })));
    const ends = await Promise.all([
      observation.gone.reached(LIMIT_MS),
      observation.jobsStopped.reached(LIMIT_MS),
    ]);
    const stopped = Math.max(...ends) - stop;
    const histories = await historiesOf(tools, jobs);
    return {
      submitted,
      created,
      running,
      phaseRunning,
      stopped,
      lags: observation.lags(),
      historyEvents: histories.map(({ events }) => events),
      historyBytes: histories.map(({ bytes }) => bytes),
      cpuSeconds,
    };
  } finally {
    observation.stop();
  }
}

async function submitAll(client: SignalboxClient, workload: Workload): Promise<JobHandle[]> {
  const jobs: JobHandle[] = [];
  await inParallel(manifestsOf(workload), SUBMITTERS, async (manifest) => {
    jobs.push((await client.submit(manifest)).job);
  });
  return jobs;
}

async function historiesOf({ temporal }: Tools, jobs: readonly JobHandle[]) {
  const histories: { events: number; bytes: number }[] = [];
  for (const job of jobs) {
    await job.wait();
    const { historyLength, historySize = 0 } = await temporal.workflow.getHandle(job.workflowId).describe();
    histories.push({ events: historyLength, bytes: historySize });
  }
  return histories;
}
