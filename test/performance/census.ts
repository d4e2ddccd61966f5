import type { Client } from '@temporalio/client';
import { Command } from 'commander';
import { inParallel } from '../../activities/support/in-parallel.ts';
import { ClusterClient } from '../../cluster/client.ts';
import { findClusterId } from '../../cluster/cluster-id.ts';
import type { Home } from '../../contracts/home.ts';
import { CONFIG_MAPS, type ConfigMap, NAMESPACES } from '../../contracts/kubernetes.ts';
import { ANNOTATIONS, LABELS, workflowIdOf } from '../../contracts/labels.ts';
import { TRAINING_JOB } from '../../contracts/messages.ts';
import { SEARCH_ATTRIBUTES } from '../../contracts/search-attributes.ts';
import { connectTemporal } from '../../temporal/connection.ts';
import { installationOf } from '../../temporal/installation.ts';
import { takeJobCensus } from '../../watcher/census/job-census.ts';
import { registerSearchAttributes } from '../../worker/search-attributes.ts';
import { eventually } from '../eventually.ts';
import { inBenchSandbox } from './bench-sandbox.ts';
import { EngineProcess } from './engine-process.ts';
import { integer, type TemporalOptions, withTemporalOptions } from './options.ts';
import { cpuNow, cpuSince, usageOf } from './process-usage.ts';
import { renderedJobsOf } from './workload.ts';

/**
 * What it costs to see many open jobs in many namespaces: a census of Temporal's visibility store, and a scrape of the watcher
 * that follows their anchors. On real servers, without pods:
 * `npm run bench:census -- --jobs 10000 --namespaces 50 --temporal postgresql`
 */

const command = new Command('npm run bench:census --')
  .option('--jobs <n>', 'open jobs', integer(1, 100_000), 10_000)
  .option('--namespaces <n>', 'namespaces that they are in', integer(1, 1_000), 50);
const options = withTemporalOptions(command)
  .parse()
  .opts<TemporalOptions & { readonly jobs: number; readonly namespaces: number }>();
const { jobs: jobCount, namespaces: namespaceCount } = options;

const CONNECTIONS = 64;
const LANES = { limit: CONNECTIONS, signal: new AbortController().signal };
const FOLLOWED_WITHIN = { withinMs: 600_000, everyMs: 250 };
/** Nobody polls it, so the workflows stay as they were started. */
const TASK_QUEUE = 'signalbox';
const TEAM_LABEL = 'example.com/team';
const TIMES = { census: 5, scrapes: 21 };
const KINDS = ['PyTorchJob', 'TFJob', 'JAXJob', 'MPIJob', 'XGBoostJob', 'PaddleJob'];
const STATES = [
  ['Running', 'none'],
  ['Pending', 'WaitingForGang'],
  ['Pending', 'Unschedulable'],
  ['Pending', 'QuotaExceeded'],
  ['Starting', 'none'],
  ['Restarting', 'none'],
  ['Suspended', 'none'],
] as const;

interface Servers {
  readonly cluster: ClusterClient;
  readonly temporal: Client;
}

const nth = <T>(all: readonly T[], index: number): T => all[index % all.length]!;

async function populate({ cluster, temporal }: Servers): Promise<void> {
  await registerSearchAttributes(temporal);
  const home = { installation: await installationOf(temporal), clusterId: await findClusterId(cluster) };
  const namespaces = Array.from({ length: namespaceCount }, (_, index) => `team-${index}`);
  await inParallel(namespaces, LANES, async (name) => {
    await cluster.create(NAMESPACES, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  });
  const [rendered] = renderedJobsOf({ prefix: 'seen', jobs: 1, podsPerJob: 1 }, home);
  const jobs = Array.from({ length: jobCount }, (_, index) => index);
  await inParallel(jobs, LANES, async (index) => {
    const namespace = nth(namespaces, index);
    const name = `seen-${index}`;
    const firstRunId = await startWorkflow(temporal, { namespace, name, index });
    await cluster.create(
      CONFIG_MAPS,
      anchorOf(rendered!.anchor, { namespace, name, index, firstRunId, home }),
    );
  });
}

interface Seen {
  readonly namespace: string;
  readonly name: string;
  readonly index: number;
}

async function startWorkflow(temporal: Client, { namespace, name, index }: Seen): Promise<string> {
  const [phase, reason] = nth(STATES, index);
  const { firstExecutionRunId } = await temporal.workflow.start(TRAINING_JOB, {
    ...{ workflowId: workflowIdOf({ namespace, name }), taskQueue: TASK_QUEUE, args: [] },
    typedSearchAttributes: [
      { key: SEARCH_ATTRIBUTES.kind, value: nth(KINDS, index) },
      { key: SEARCH_ATTRIBUTES.name, value: name },
      { key: SEARCH_ATTRIBUTES.namespace, value: namespace },
      { key: SEARCH_ATTRIBUTES.phase, value: phase },
      { key: SEARCH_ATTRIBUTES.reason, value: reason },
      { key: SEARCH_ATTRIBUTES.attempt, value: 1 },
      { key: SEARCH_ATTRIBUTES.labels, value: [`${TEAM_LABEL}=${namespace}`] },
    ],
  });
  return firstExecutionRunId;
}

function anchorOf(
  { metadata, ...anchor }: ConfigMap,
  { namespace, name, index, firstRunId, home }: Seen & { readonly firstRunId: string; readonly home: Home },
): ConfigMap {
  const annotations = {
    ...metadata.annotations,
    [ANNOTATIONS.workflowId]: workflowIdOf({ namespace, name }),
    [ANNOTATIONS.firstRunId]: firstRunId,
    [ANNOTATIONS.phase]: nth(STATES, index)[0],
  };
  const labels = { ...metadata.labels, [LABELS.job]: name, [LABELS.installation]: home.installation };
  return { ...anchor, metadata: { ...metadata, name: `${name}.signalbox`, namespace, labels, annotations } };
}

async function timesOf(count: number, work: () => Promise<unknown>): Promise<string> {
  const times: number[] = [];
  for (let i = 0; i < count; i++) {
    const begun = performance.now();
    await work();
    times.push(performance.now() - begun);
  }
  times.sort((one, other) => one - other);
  const inMs = (ms: number | undefined) => `${ms?.toFixed(0)} ms`;
  return `${inMs(times[Math.floor(count / 2)])} in the median, ${inMs(times.at(-1))} at most`;
}

async function measure(
  temporal: Client,
  watcher: EngineProcess,
  pids: Readonly<Record<string, number>>,
): Promise<string> {
  const follows = async () =>
    (await watcher.metric('signalbox_watcher_jobs')) === jobCount &&
    (await watcher.sumOf('signalbox_jobs')) === jobCount &&
    (await watcher.metric('signalbox_watcher_signals_total{result="delivered"}')) >= jobCount;
  await eventually('the watcher has told and counted all jobs', follows, FOLLOWED_WITHIN);
  const scope = { taskQueue: TASK_QUEUE, teamLabel: TEAM_LABEL };
  const processes = { ...pids, 'the census': process.pid };
  const before = await cpuNow(processes);
  const census = await timesOf(TIMES.census, () => takeJobCensus(temporal, scope));
  const cpu = Object.entries(await cpuSince(before, processes))
    .map(([name, seconds]) => `${name} ${(seconds / TIMES.census).toFixed(2)} s`)
    .join(', ');
  const scrape = await timesOf(TIMES.scrapes, () => watcher.scrape());
  const page = await watcher.scrape();
  const series = page.split('\n').filter((line) => line && !line.startsWith('#'));
  const { residentMb = 0 } = (await usageOf(watcher.pid)) ?? {};
  return [
    `${jobCount} open jobs in ${namespaceCount} namespaces`,
    `census: ${census}; processor time of each: ${cpu}`,
    `scrape: ${scrape}; ${series.length} series, ${(page.length / 1_000).toFixed(0)} kB`,
    `watcher: ${residentMb.toFixed(0)} MB resident`,
  ].join('\n');
}

const figures = await inBenchSandbox(options, 0, async ({ kubeconfig, temporalAddress, pids }) => {
  const cluster = await ClusterClient.connect({ kubeconfig, connections: CONNECTIONS });
  const temporal = await connectTemporal({ address: temporalAddress, namespace: 'default' });
  try {
    const begun = performance.now();
    await populate({ cluster, temporal });
    process.stderr.write(`populated in ${((performance.now() - begun) / 1000).toFixed(0)} s\n`);
    const settings = { kubeconfig, temporalAddress, connections: CONNECTIONS, teamLabel: TEAM_LABEL };
    const watcher = await EngineProcess.start('watcher', settings);
    try {
      return await measure(temporal, watcher, pids);
    } finally {
      await watcher.stop();
    }
  } finally {
    await Promise.all([cluster.close(), temporal.connection.close()]);
  }
});
console.log(figures);
