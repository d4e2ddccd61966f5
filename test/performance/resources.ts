import { setTimeout as delay } from 'node:timers/promises';
import { Command } from 'commander';
import { inParallel } from '../../activities/support/in-parallel.ts';
import type { JobHandle } from '../../client/handles/job-handle.ts';
import { customResourceDefinitions } from '../../client/manifests/offline/definitions.ts';
import type { ClusterClient } from '../../cluster/client.ts';
import { type JobResource, jobResourceOf } from '../../contracts/job-resources.ts';
import type { KubeObject } from '../../contracts/kubernetes.ts';
import { eventually } from '../eventually.ts';
import { untilArchived } from './archived-jobs.ts';
import { BenchEngine, type Place } from './bench-engine.ts';
import { EngineProcess } from './engine-process.ts';
import { type JobStart, LANES, type StartedJobs, stopAndObserve, submitAndObserve } from './job-start.ts';
import { historiesOf, startJobs, stopJobs } from './live-jobs.ts';
import { Milestone } from './milestone.ts';
import { type FollowJobs, followObjects } from './observation.ts';
import { integer } from './options.ts';
import { usageOf } from './process-usage.ts';
import { inSeconds, spreadOf } from './spread.ts';
import { inThrowawaySandbox } from './throwaway-sandbox.ts';
import { manifestsOf, NAMESPACE, podsOf, type Workload, warmUpOf } from './workload.ts';

/**
 * `npm run bench:resources`: the same jobs are submitted, and applied as custom resources, in turns, on the same engine. Then
 * more resources are applied, suspended: how much memory the bridge takes beside them, at work and started anew.
 */

const PYTORCH = jobResourceOf({ apiVersion: 'kubeflow.org/v1', kind: 'PyTorchJob' });
const LIMIT_MS = 1_800_000;
/** An idle process has collected by then what it does not need. */
const IDLE_MS = 60_000;

const { pairs, idle, ...shape } = new Command('npm run bench:resources --')
  .description('start the same jobs by submission and as custom resources, in a sandbox of its own')
  .option('--pairs <n>', 'measure both so many times; 0: only the memory of the bridge', integer(0, 100), 3)
  .option('--jobs <n>', 'of each', integer(1, 1_000), 100)
  .option('--pods-per-job <n>', 'of each job', integer(1, 1_000), 10)
  .option(
    '--idle <n>',
    'suspended resources beside which memory is measured; 0: none',
    integer(0, 100_000),
    5_000,
  )
  .addHelpText(
    'after',
    `
Examples:
  $ npm run bench:resources
  $ npm run bench:resources -- --idle 0                                 only the starts
  $ npm run bench:resources -- --pairs 1 --jobs 5 --idle 50             does it work at all?

Exit code: 0 everything ran, also where a target was missed; 1 something did not come to its end.`,
  )
  .parse()
  .opts<Record<'pairs' | 'jobs' | 'podsPerJob' | 'idle', number>>();
const say = (text: string) => void process.stderr.write(`${text}\n`);

interface Bench {
  readonly place: Place;
  readonly engine: BenchEngine;
  readonly bridge: EngineProcess;
}

async function define(cluster: ClusterClient): Promise<void> {
  for (const definition of customResourceDefinitions()) {
    const object: KubeObject = { ...definition };
    await cluster.create((await cluster.resourceOf(object))!, object);
  }
  await eventually('the kinds are served', () => cluster.serves(PYTORCH));
}

const warmUp = async (bench: Bench) => {
  await measure(bench, asJobs, warmUpOf({ prefix: 'jobs' }));
  await measure(bench, asResources, warmUpOf({ prefix: 'resources' }));
};

interface Measured extends JobStart {
  /** Of each job that runs. */
  readonly historyEvents: readonly number[];
}

interface Pair {
  readonly jobs: Measured;
  readonly resources: Measured;
}

/** Each comes first in every other pair, so that the order favours neither. */
async function measurePairs(bench: Bench): Promise<readonly Pair[]> {
  const measured: Pair[] = [];
  for (let pair = 1; pair <= pairs; pair++) {
    const jobs = () => measure(bench, asJobs, { ...shape, prefix: `jobs-${pair}` });
    const resources = () => measure(bench, asResources, { ...shape, prefix: `resources-${pair}` });
    const both =
      pair % 2 === 1
        ? { jobs: await jobs(), resources: await resources() }
        : { resources: await resources(), jobs: await jobs() };
    measured.push(both);
    const [one, other] = [both.jobs, both.resources].map(({ phaseRunning }) =>
      (phaseRunning / 1000).toFixed(2),
    );
    say(`pair ${pair} of ${pairs}: submitted ${one} s, as resources ${other} s`);
  }
  return measured;
}

/** Starts and ends the jobs of a workload in some way. */
type Way = (
  bench: Bench,
  workload: Workload,
  whenRunning: (start: JobStart, jobs: readonly JobHandle[]) => Promise<void>,
) => Promise<void>;

async function measure(bench: Bench, way: Way, workload: Workload): Promise<Measured> {
  const { place, engine } = bench;
  let measured: Measured | undefined;
  await untilArchived(place.kubeconfig, workload.jobs, () =>
    way(bench, workload, async (start, jobs) => {
      const { historyEvents } = await historiesOf(engine.clients.temporal, jobs);
      measured = { ...start, historyEvents };
    }),
  );
  return measured!;
}

const asJobs: Way = async ({ engine }, workload, whenRunning) => {
  const live = await startJobs(engine, workload);
  await whenRunning(live.start, live.jobs);
  await stopJobs(live);
};

const asResources: Way = async ({ engine, bridge }, workload, whenRunning) => {
  const { cluster, jobs: client } = engine.clients;
  const pids = { ...engine.pids, bridge: bridge.pid };
  const submit = (manifest: object) => cluster.create(PYTORCH, manifest as JobResource);
  const system = { cluster, pids, follow: followResources, submit };
  const live: StartedJobs<JobResource> = await submitAndObserve(system, workload);
  const jobs = live.jobs.map(({ metadata: { name } }) => client.job({ name, namespace: NAMESPACE }));
  await whenRunning(live.start, jobs);
  await stopAndObserve(live, async ({ metadata: { name } }) => {
    await cluster.delete(PYTORCH, NAMESPACE, name, { propagationPolicy: 'Background' });
  });
  await inParallel(jobs, LANES, async (job) => void (await job.wait()));
};

/** A resource that is gone has no job any more. */
const followResources: FollowJobs = (client, signal, notify) =>
  followObjects(client, { resource: PYTORCH, signal }, (type, { metadata, status }, at) =>
    notify({ name: metadata.name, phase: type === 'DELETED' ? 'Stopped' : phaseOf(status) }, at),
  );

const phaseOf = (status: JobResource['status']) =>
  typeof status?.phase === 'string' ? status.phase : undefined;

async function measureIdle({ place, engine, bridge }: Bench): Promise<void> {
  const { cluster } = engine.clients;
  const suspended = new Milestone('resources are Suspended', idle);
  const ending = new AbortController();
  await followResources(cluster, ending.signal, ({ name, phase }, at) => {
    if (phase === 'Suspended') suspended.note(name, at);
  });
  const manifests = manifestsOf({ prefix: 'idle', jobs: idle, podsPerJob: 1 }).map(withSuspension);
  say(`${idle} resources are applied`);
  await inParallel(
    manifests,
    LANES,
    async (manifest) => void (await cluster.create(PYTORCH, manifest as JobResource)),
  );
  await suspended.reached(LIMIT_MS);
  ending.abort();
  await delay(IDLE_MS);
  const busy = await usageOf(bridge.pid);
  await bridge.kill();
  const again = await EngineProcess.start('bridge', place);
  try {
    await eventually(
      'the new bridge has all resources, and nothing to do',
      async () =>
        (await again.metric('signalbox_bridge_resources')) === idle &&
        (await again.metric('signalbox_bridge_waiting_resources')) === 0,
      { withinMs: LIMIT_MS, everyMs: 1_000 },
    );
    await delay(IDLE_MS);
    const fresh = await usageOf(again.pid);
    const inMb = (mb: number | undefined) => (mb === undefined ? '-' : `${Math.round(mb)} MB`);
    console.log(
      `a bridge beside ${idle} suspended resources, resident: ${inMb(busy?.residentMb)} after it started them (peak ${inMb(busy?.peakMb)}), ${inMb(fresh?.residentMb)} started anew (peak ${inMb(fresh?.peakMb)})`,
    );
  } finally {
    await again.stop();
  }
}

function withSuspension(manifest: object): object {
  const { spec, ...others } = manifest as { readonly spec: object };
  return { ...others, spec: { ...spec, runPolicy: { suspend: true } } };
}

function reportStarts(measured: readonly Pair[]): void {
  console.log(`${shape.jobs} jobs of ${shape.podsPerJob} pods, ${measured.length} pairs`);
  for (const [title, of] of [
    ['submitted', ({ jobs }: Pair) => jobs],
    ['as resources', ({ resources }: Pair) => resources],
  ] as const) {
    const running = spreadOf(measured.map((pair) => of(pair).phaseRunning));
    const events = spreadOf(measured.flatMap((pair) => of(pair).historyEvents));
    const cpu = Object.entries(of(measured.at(-1)!).cpuSeconds).map(
      ([name, seconds]) => `${name} ${seconds.toFixed(1)} s`,
    );
    console.log(`  ${title}: every job Running after ${inSeconds(running)}; history events ${events.median}`);
    console.log(`    processor time: ${cpu.join(', ')}`);
  }
  const ratios = spreadOf(measured.map(({ jobs, resources }) => resources.phaseRunning / jobs.phaseRunning));
  const [median, least, most] = [ratios.median, ratios.min, ratios.max].map((ratio) => ratio.toFixed(2));
  console.log(`  ratio ${median} (${least} to ${most})`);
}

await inThrowawaySandbox(podsOf(shape), async (sandbox) => {
  const place = { ...sandbox, connections: 64 };
  const engine = await BenchEngine.start(place);
  try {
    await define(engine.clients.cluster);
    const bridge = await EngineProcess.start('bridge', place);
    try {
      await warmUp({ place, engine, bridge });
      if (pairs > 0) reportStarts(await measurePairs({ place, engine, bridge }));
      if (idle > 0) await measureIdle({ place, engine, bridge });
    } finally {
      await bridge.stop();
    }
  } finally {
    await engine.close();
  }
});
