import { parseArgs } from 'node:util';
import type { Client } from '@temporalio/client';
import { inParallel } from '../../activities/support/in-parallel.ts';
import { closeLane, type LaneClosing } from '../../client/use-cases/lanes/close-lane.ts';
import { LANES_KEY } from '../../cluster/read-lanes.ts';
import { CONFIG_MAPS, PODS } from '../../contracts/kubernetes.ts';
import { ANNOTATIONS, LABELS, workflowIdOf } from '../../contracts/labels.ts';
import { SEARCH_ATTRIBUTES } from '../../contracts/search-attributes.ts';
import { eventually } from '../eventually.ts';
import { BenchEngine, type Clients } from './bench-engine.ts';
import { type HistoryCosts, historyCosts } from './history-costs.ts';
import { Milestone } from './milestone.ts';
import { followObjects } from './observation.ts';
import { cpuNow, cpuSince } from './process-usage.ts';
import { inThrowawaySandbox, type ThrowawaySandbox } from './throwaway-sandbox.ts';
import { manifestsOf, NAMESPACE } from './workload.ts';

/**
 * `npm run bench:lanes`: how many jobs of a pod start in a second, and what each costs: without a lane, in a lane that has room
 * for all, and together, once a lane that they wait in is opened. All in one run, on one engine.
 */

const LIMIT_MS = 900_000;
const ending = new AbortController();
const AT_ONCE = { limit: 32, signal: ending.signal };
const LANE = 'burst';
const REFERENCE = { namespace: NAMESPACE, name: 'bench-lanes' };
const WAITS = `${SEARCH_ATTRIBUTES.reason.name} = "WaitingInLane" AND ExecutionStatus = "Running"`;
const RUNS = `${SEARCH_ATTRIBUTES.phase.name} = "Running" AND ExecutionStatus = "Running"`;

const { values } = parseArgs({ options: { jobs: { type: 'string', default: '500' } } });
const jobs = Number(values.jobs);

console.log(`${jobs} jobs of a pod each`);
async function measure(place: ThrowawaySandbox): Promise<void> {
  const engine = await BenchEngine.start({
    ...{ ...place, connections: 64 },
    lanes: `${REFERENCE.namespace}/${REFERENCE.name}`,
  });
  try {
    await makeLane(engine.clients);
    // The first job of a process pays for what is loaded and compiled once.
    for (const inLane of [false, true])
      await startedTogether(engine, { prefix: `warm-${inLane}`, count: 1, inLane });
    report('without a lane', await startedTogether(engine, { prefix: 'none', count: jobs, inLane: false }));
    report(
      'in a lane that has room',
      await startedTogether(engine, { prefix: 'open', count: jobs, inLane: true }),
    );
    report('once their lane is opened', await openedAtOnce(engine));
  } finally {
    ending.abort();
    await engine.close();
  }
}

const makeLane = ({ cluster }: Clients) =>
  cluster.create(CONFIG_MAPS, {
    ...{ apiVersion: 'v1', kind: 'ConfigMap', metadata: REFERENCE },
    data: { [LANES_KEY]: JSON.stringify({ lanes: { [LANE]: { capacity: { pods: 1_000_000 } } } }) },
  });

interface Batch {
  readonly prefix: string;
  readonly count: number;
  readonly inLane: boolean;
}

interface Start {
  /** Until there are pods of all. */
  readonly ms: number;
  /** By process, until all run. */
  readonly cpuSeconds: Readonly<Record<string, number>>;
  /** Of each job, from its submission on. */
  readonly costs: HistoryCosts;
}

/** From the first submission. */
async function startedTogether(engine: BenchEngine, batch: Batch): Promise<Start> {
  const created = await podsOf(engine.clients, batch);
  return measured(engine, batch, async (begin) => {
    await submit(engine.clients, batch);
    return (await created.reached(LIMIT_MS)) - begin;
  });
}

/** From when the lane that they wait in is opened. */
async function openedAtOnce(engine: BenchEngine): Promise<Start> {
  const { clients } = engine;
  const batch = { prefix: 'burst', count: jobs, inLane: true };
  const close = (closing: LaneClosing) =>
    closeLane({ cluster: async () => clients.cluster, lanes: REFERENCE }, { lane: LANE, closing });
  await close({ as: 'paused', why: 'a burst is prepared' });
  await submit(clients, batch);
  await untilCounted(clients.temporal, WAITS, jobs);
  const created = await podsOf(clients, batch);
  return measured(engine, batch, async (begin) => {
    await close(undefined);
    return (await created.reached(LIMIT_MS)) - begin;
  });
}

async function measured(
  { clients: { temporal }, pids }: BenchEngine,
  { prefix, count }: Batch,
  start: (begin: number) => Promise<number>,
): Promise<Start> {
  const before = await cpuNow(pids);
  const ms = await start(performance.now());
  await untilCounted(temporal, `${RUNS} AND ${SEARCH_ATTRIBUTES.name.name} STARTS_WITH "${prefix}-"`, count);
  const cpuSeconds = await cpuSince(before, pids);
  const ids = Array.from({ length: count }, (_, index) =>
    workflowIdOf({ namespace: NAMESPACE, name: `${prefix}-${index}` }),
  );
  return { ms, cpuSeconds, costs: await historyCosts(temporal, ids) };
}

async function podsOf({ cluster }: Clients, { prefix, count }: Batch): Promise<Milestone> {
  const created = new Milestone(`pods of ${prefix}`, count);
  const source = { resource: PODS, label: LABELS.job, signal: AT_ONCE.signal };
  await followObjects(cluster, source, (_, { metadata: { name } }, at) => {
    if (name.startsWith(`${prefix}-`)) created.note(name, at);
  });
  return created;
}

async function submit({ jobs: client }: Clients, { prefix, count, inLane }: Batch): Promise<void> {
  const manifests = manifestsOf({ prefix, jobs: count, podsPerJob: 1, gang: 'none' });
  await inParallel(manifests, AT_ONCE, async (manifest) => {
    await client.submit(inLane ? withLane(manifest as { metadata: Metadata }) : manifest);
  });
}

interface Metadata {
  readonly annotations: Readonly<Record<string, string>>;
}

const withLane = ({ metadata, ...manifest }: { readonly metadata: Metadata }) => ({
  ...manifest,
  metadata: {
    ...metadata,
    annotations: { ...metadata.annotations, [ANNOTATIONS.policy]: JSON.stringify({ lane: { name: LANE } }) },
  },
});

const untilCounted = (temporal: Client, query: string, wanted: number) =>
  eventually(
    `${wanted} jobs are ${query}`,
    async () => (await temporal.workflow.count(query)).count === wanted,
    { withinMs: LIMIT_MS, everyMs: 1_000 },
  );

function report(what: string, { ms, cpuSeconds, costs }: Start): void {
  const { events, workflowTasks, signals, activities } = costs;
  const rounded = (counts: Readonly<Record<string, number>>, factor: number, unit: string) =>
    Object.entries(counts)
      .map(([name, count]) => `${name} ${Number((count * factor).toPrecision(3))}${unit}`)
      .join(', ');
  console.log(`${what}: ${(ms / 1000).toFixed(1)} s, ${((jobs * 1000) / ms).toFixed(1)} jobs a second`);
  console.log(
    `  of a job: ${rounded({ events, 'workflow tasks': workflowTasks, signals, ...activities }, 1, '')}`,
  );
  console.log(`  processor time of a job until it runs: ${rounded(cpuSeconds, 1000 / jobs, ' ms')}`);
}

await inThrowawaySandbox(3 * jobs + 2, measure);
