import { parseArgs } from 'node:util';
import type { Client } from '@temporalio/client';
import { inParallel } from '../../activities/support/in-parallel.ts';
import { closeLane, type LaneClosing } from '../../client/use-cases/lanes/close-lane.ts';
import { LANES_KEY } from '../../cluster/read-lanes.ts';
import { CONFIG_MAPS, PODS } from '../../contracts/kubernetes.ts';
import { ANNOTATIONS, LABELS } from '../../contracts/labels.ts';
import { SEARCH_ATTRIBUTES } from '../../contracts/search-attributes.ts';
import { eventually } from '../eventually.ts';
import { BenchEngine, type Clients } from './bench-engine.ts';
import { Milestone } from './milestone.ts';
import { followObjects } from './observation.ts';
import { inThrowawaySandbox, type ThrowawaySandbox } from './throwaway-sandbox.ts';
import { manifestsOf, NAMESPACE } from './workload.ts';

/**
 * `npm run bench:lanes`: how many jobs of a pod start in a second: without a lane, in a lane that has room for all, and
 * together, once a lane that they wait in is opened. All in one run, on one engine.
 */

const LIMIT_MS = 900_000;
const AT_ONCE = { limit: 32, signal: new AbortController().signal };
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
  const { clients } = engine;
  try {
    await makeLane(clients);
    // The first job of a process pays for what is loaded and compiled once.
    for (const inLane of [false, true])
      await startedTogether(clients, { prefix: `warm-${inLane}`, count: 1, inLane });
    const without = await startedTogether(clients, { prefix: 'none', count: jobs, inLane: false });
    report('without a lane', without);
    report(
      'in a lane that has room',
      await startedTogether(clients, { prefix: 'open', count: jobs, inLane: true }),
    );
    report('once their lane is opened', await openedAtOnce(clients));
  } finally {
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

/** Returns how long it takes from the first submission until there are pods of all, in milliseconds. */
async function startedTogether(clients: Clients, batch: Batch): Promise<number> {
  const created = await podsOf(clients, batch);
  const begin = performance.now();
  await submit(clients, batch);
  const end = await created.reached(LIMIT_MS);
  await untilCounted(
    clients.temporal,
    `${RUNS} AND ${SEARCH_ATTRIBUTES.name.name} STARTS_WITH "${batch.prefix}-"`,
    batch.count,
  );
  return end - begin;
}

/** Returns how long it takes from when their lane is opened until there are pods of all, in milliseconds. */
async function openedAtOnce(clients: Clients): Promise<number> {
  const batch = { prefix: 'burst', count: jobs, inLane: true };
  const close = (closing: LaneClosing) => closeLane(clients.cluster, REFERENCE, { lane: LANE, closing });
  await close({ as: 'paused', why: 'a burst is prepared' });
  await submit(clients, batch);
  await untilCounted(clients.temporal, WAITS, jobs);
  const created = await podsOf(clients, batch);
  const begin = performance.now();
  await close(undefined);
  return (await created.reached(LIMIT_MS)) - begin;
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

function report(what: string, ms: number): void {
  console.log(`${what}: ${(ms / 1000).toFixed(1)} s, ${((jobs * 1000) / ms).toFixed(1)} jobs a second`);
}

await inThrowawaySandbox(3 * jobs + 2, measure);
