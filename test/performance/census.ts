import type { Client } from '@temporalio/client';
import { Command } from 'commander';
import { ClusterClient } from '../../cluster/client.ts';
import { connectTemporal } from '../../temporal/connection.ts';
import { takeJobCensus } from '../../watcher/census/job-census.ts';
import { eventually } from '../eventually.ts';
import { inBenchSandbox } from './bench-sandbox.ts';
import { EngineProcess } from './engine-process.ts';
import { CONNECTIONS, openJobs, TASK_QUEUE, TEAM_LABEL } from './open-jobs.ts';
import { integer, type TemporalOptions, withTemporalOptions } from './options.ts';
import { cpuNow, cpuSince, usageOf } from './process-usage.ts';
import { timesOf } from './times.ts';

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

const FOLLOWED_WITHIN = { withinMs: 600_000, everyMs: 250 };
const TIMES = { census: 5, scrapes: 21 };

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
    await openJobs({ cluster, temporal }, options);
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
