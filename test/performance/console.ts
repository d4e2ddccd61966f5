import { Command } from 'commander';
import { ClusterClient } from '../../cluster/client.ts';
import { TRAINING_JOB } from '../../contracts/messages.ts';
import { connectTemporal } from '../../temporal/connection.ts';
import { freePort } from '../../worker/free-port.ts';
import { EventReader } from '../console/event-reader.ts';
import { eventually } from '../eventually.ts';
import { inBenchSandbox } from './bench-sandbox.ts';
import { EngineProcess } from './engine-process.ts';
import { machineText } from './machine.ts';
import { CONNECTIONS, nameOfOpenJob, openJobs, startOpenJob } from './open-jobs.ts';
import { integer, type TemporalOptions, withTemporalOptions } from './options.ts';
import { cpuNow, cpuSince, usageOf } from './process-usage.ts';
import { timesOf } from './times.ts';

/**
 * What the console costs with many jobs and many people who look at their list, live: memory, processor time, how long the list
 * takes, and how soon all of them see a change. On real servers, without pods:
 * `npm run bench:console -- --jobs 10000 --viewers 500`
 */

const command = new Command('npm run bench:console --')
  .option('--jobs <n>', 'open jobs', integer(1, 100_000), 10_000)
  .option('--viewers <n>', 'people who follow the list', integer(1, 2_000), 500)
  .option('--changes <n>', 'jobs that are added while they look', integer(1, 100), 10);
const options = withTemporalOptions(command)
  .parse()
  .opts<TemporalOptions & { readonly jobs: number; readonly viewers: number; readonly changes: number }>();

const NAMESPACES = 50;
const PAGES = 21;
const IDLE_MS = 30_000;
const SEEN = { withinMs: 120_000, everyMs: 20 };

interface Measured {
  readonly console: EngineProcess;
  readonly address: string;
  readonly temporal: Awaited<ReturnType<typeof connectTemporal>>;
  readonly pids: Readonly<Record<string, number>>;
}

async function measure({ console: process_, address, temporal, pids }: Measured): Promise<string> {
  const load = async (path: string) => {
    const answer = await fetch(address + path, { headers: { 'accept-encoding': 'gzip' } });
    if (!answer.ok) throw new Error(`${path}: expected a page, got ${answer.status}`);
    return (await answer.text()).length;
  };
  const isCounted = async () =>
    (await temporal.workflow.count(`WorkflowType = '${TRAINING_JOB}'`)).count === options.jobs;
  await eventually('Temporal counts all jobs', isCounted, { withinMs: 120_000, everyMs: 500 });
  let page = 0;
  // Each has an address of its own, which nobody has read.
  const first = await timesOf(PAGES, () => load(`/?namespace=team-${page++ % NAMESPACES}`));
  const all = await timesOf(PAGES, () => load('/'));
  const idle = (await usageOf(process_.pid))!;

  const readers = Array.from({ length: options.viewers }, () => new EventReader(`${address}/events`));
  await Promise.all(readers.map(({ status }) => status));
  await eventually(
    'all have heard of the list',
    () => readers.every(({ events }) => events.length > 0),
    SEEN,
  );
  const watched = { ...pids, console: process_.pid };
  const before = await cpuNow(watched);
  await new Promise((resolve) => setTimeout(resolve, IDLE_MS));
  const cost = await cpuSince(before, watched);
  const looked = (await usageOf(process_.pid))!;

  let next = options.jobs;
  const changes = await timesOf(options.changes, async () => {
    const heard = readers.map(({ events }) => events.length);
    await startOpenJob(temporal, { namespace: 'team-0', name: nameOfOpenJob(next), index: next });
    next += 1;
    const isSeen = () => readers.every(({ events }, index) => events.length > heard[index]!);
    await eventually('all have seen the change', isSeen, SEEN);
  });
  const after = (await usageOf(process_.pid))!;
  for (const reader of readers) reader.close();
  const perSecond = (name: string) => `${(((cost[name] ?? 0) * 1_000) / IDLE_MS).toFixed(2)}`;
  return [
    `${options.jobs} open jobs in ${NAMESPACES} namespaces, ${options.viewers} viewers of the list`,
    `a list that nobody has read: ${first}`,
    `the list of all jobs: ${all}`,
    `console: ${idle.residentMb.toFixed(0)} MB resident without viewers, ${looked.residentMb.toFixed(0)} MB with them, ${after.peakMb.toFixed(0)} MB at most`,
    `processor time a second while nothing changes: console ${perSecond('console')} s, temporal ${perSecond('temporal')} s`,
    `a change is seen by all viewers after: ${changes}`,
    machineText(),
  ].join('\n');
}

const figures = await inBenchSandbox(options, 0, async ({ kubeconfig, temporalAddress, pids }) => {
  const cluster = await ClusterClient.connect({ kubeconfig, connections: CONNECTIONS });
  const temporal = await connectTemporal({ address: temporalAddress, namespace: 'default' });
  try {
    await openJobs({ cluster, temporal }, { jobs: options.jobs, namespaces: NAMESPACES });
    const consolePort = await freePort();
    const settings = { kubeconfig, temporalAddress, connections: CONNECTIONS, consolePort };
    const process_ = await EngineProcess.start('console', settings);
    try {
      return await measure({ console: process_, address: `http://127.0.0.1:${consolePort}`, temporal, pids });
    } finally {
      await process_.stop();
    }
  } finally {
    await Promise.all([cluster.close(), temporal.connection.close()]);
  }
});
console.log(figures);
