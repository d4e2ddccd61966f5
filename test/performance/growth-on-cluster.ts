import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import { Agent, request } from 'undici';
import { ofInstallation } from '../../activities/objects/lost-metadata.ts';
import { inParallel } from '../../activities/support/in-parallel.ts';
import { ClusterClient } from '../../cluster/client.ts';
import { findClusterId } from '../../cluster/cluster-id.ts';
import { clusterAccess } from '../../cluster/kubeconfig.ts';
import { CONFIG_MAPS, type ConfigMap, PODS } from '../../contracts/kubernetes.ts';
import { ANNOTATIONS } from '../../contracts/labels.ts';
import { TRAINING_JOB } from '../../contracts/messages.ts';
import { connectTemporal } from '../../temporal/connection.ts';
import { installationOf } from '../../temporal/installation.ts';
import { eventually } from '../eventually.ts';
import { EngineProcess } from './engine-process.ts';
import { type GrowthSize, inMiB } from './growth-size.ts';
import { usageOf } from './process-usage.ts';
import { inThrowawaySandbox, type ThrowawaySandbox } from './throwaway-sandbox.ts';
import { type RenderedJob, renderedJobsOf } from './workload.ts';

const CONNECTIONS = 64;
const LANES = { limit: CONNECTIONS, signal: new AbortController().signal };
const FOLLOWED_WITHIN = { withinMs: 600_000, everyMs: 250 };
/** For the collector, which takes its time where little new is allocated. */
const SETTLE_MS = 30_000;
const SAMPLE_MS = 500;

/** In which nothing happens to the jobs. */
const IDLE_MS = 60_000;

/** The watcher's own process, on an API server that has so many anchors and pods. */
export const measureGrowth = (size: GrowthSize): Promise<string> =>
  inThrowawaySandbox(size.live * size.podsPerJob, async (sandbox) => {
    const cluster = await ClusterClient.connect({ ...sandbox, connections: CONNECTIONS });
    const temporal = await connectTemporal({ address: sandbox.temporalAddress, namespace: 'default' });
    try {
      await populate({ cluster, temporal, nodes: sandbox.nodes }, size);
      return await measureWatcher(sandbox, size);
    } finally {
      await Promise.all([cluster.close(), temporal.connection.close()]);
    }
  });

interface GrowthEnvironment {
  readonly cluster: ClusterClient;
  readonly temporal: Client;
  readonly nodes: number;
}

async function populate(
  environment: GrowthEnvironment,
  { ended, live, podsPerJob }: GrowthSize,
): Promise<void> {
  const { cluster, temporal } = environment;
  const home = { installation: await installationOf(temporal), clusterId: await findClusterId(cluster) };
  const begun = performance.now();
  await inParallel(renderedJobsOf({ prefix: 'ended', jobs: ended, podsPerJob }, home), LANES, async (job) => {
    await createAnchor(cluster, job, { phase: 'Completed' });
  });
  const rendered = renderedJobsOf({ prefix: 'live', jobs: live, podsPerJob }, home);
  await inParallel(rendered, LANES, (job) => createLive(environment, job, home.installation));
  const seconds = (performance.now() - begun) / 1000;
  process.stderr.write(
    `${ended + live} anchors and ${live * podsPerJob} pods created in ${seconds.toFixed(0)} s\n`,
  );
}

/** With a workflow that hears the watcher's digests, and that no worker ever runs. */
async function createLive(
  { cluster, temporal, nodes }: GrowthEnvironment,
  job: RenderedJob,
  installation: string,
): Promise<void> {
  const workflowId = job.anchor.metadata.annotations![ANNOTATIONS.workflowId]!;
  const { firstExecutionRunId } = await temporal.workflow.start(TRAINING_JOB, {
    workflowId,
    taskQueue: 'nobody',
    args: [],
  });
  const uid = await createAnchor(cluster, job, { phase: 'Running', firstRunId: firstExecutionRunId });
  for (const pod of job.attempt(uid, 'none').pods) {
    const nodeName = `sim-${Math.floor(Math.random() * nodes)}`;
    await cluster.create(PODS, ofInstallation({ ...pod, spec: { ...pod.spec, nodeName } }, { installation }));
  }
}

async function createAnchor(
  cluster: ClusterClient,
  { anchor }: RenderedJob,
  { phase, firstRunId = 'none' }: { readonly phase: string; readonly firstRunId?: string },
): Promise<string> {
  const { metadata, ...rest } = anchor;
  const annotations = {
    ...metadata.annotations,
    [ANNOTATIONS.phase]: phase,
    [ANNOTATIONS.firstRunId]: firstRunId,
  };
  const created: ConfigMap = await cluster.create(CONFIG_MAPS, {
    ...rest,
    metadata: { ...metadata, annotations },
  });
  return created.metadata.uid!;
}

async function measureWatcher(sandbox: ThrowawaySandbox, size: GrowthSize): Promise<string> {
  const { kubeconfig, temporalAddress } = sandbox;
  const { ended, live, podsPerJob } = size;
  const alone = await requestsWhile(kubeconfig, () => delay(IDLE_MS));
  const start = performance.now();
  const watcher = await EngineProcess.start('watcher', {
    kubeconfig,
    temporalAddress,
    connections: CONNECTIONS,
  });
  try {
    const follows = async () =>
      (await watcher.metric('signalbox_watcher_jobs')) === ended + live &&
      (await watcher.sumOf('signalbox_pods')) === live * podsPerJob &&
      (await watcher.metric('signalbox_watcher_signals_total{result="delivered"}')) >= live;
    await eventually('the watcher follows all jobs and has told each live one', follows, FOLLOWED_WITHIN);
    const seconds = ((performance.now() - start) / 1000).toFixed(1);
    const heap = await leastHeap(watcher);
    const { cpu = 0, residentMb = 0, peakMb = 0 } = (await usageOf(watcher.pid)) ?? {};
    const requests = await requestsWhile(kubeconfig, () => delay(IDLE_MS));
    const idle = ((await usageOf(watcher.pid))?.cpu ?? 0) - cpu;
    return [
      `${ended + live} jobs (${ended} of them ended), ${live * podsPerJob} pods, followed and told after ${seconds} s`,
      `heap ${inMiB(heap)} in use; resident ${residentMb.toFixed(0)} MiB, at most ${peakMb.toFixed(0)} MiB; ${cpu.toFixed(1)} s of processor time`,
      `in an idle minute ${idle.toFixed(2)} s of processor time, and ${requests} requests to the API server, ${alone} of them without the watcher`,
    ].join('\n');
  } finally {
    await watcher.stop();
  }
}

/** How many requests the API server answers meanwhile, whoever asks. */
async function requestsWhile(kubeconfig: string, wait: () => Promise<unknown>): Promise<number> {
  const { server, tls, headers } = await clusterAccess({ path: kubeconfig });
  const dispatcher = new Agent({ connect: await tls() });
  const answered = async () => {
    const { body } = await request(`${server}/metrics`, { dispatcher, headers: await headers() });
    const counts = (await body.text()).matchAll(/^apiserver_request_total\{.*\} (\S+)$/gm);
    return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
  };
  try {
    const before = await answered();
    await wait();
    return (await answered()) - before;
  } finally {
    await dispatcher.close();
  }
}

/** What is in use after a collection; before one, garbage counts too. */
async function leastHeap(watcher: EngineProcess): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  const until = performance.now() + SETTLE_MS;
  while (performance.now() < until) {
    least = Math.min(least, await watcher.metric('nodejs_heap_size_used_bytes'));
    await delay(SAMPLE_MS);
  }
  return least;
}
