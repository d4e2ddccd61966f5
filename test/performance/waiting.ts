import { parseArgs } from 'node:util';
import type { Client } from '@temporalio/client';
import { inParallel } from '../../activities/support/in-parallel.ts';
import type { SignalboxClient } from '../../client/handles/client.ts';
import type { JobHandle } from '../../client/handles/job-handle.ts';
import type { ClusterClient } from '../../cluster/client.ts';
import { SEARCH_ATTRIBUTES } from '../../contracts/search-attributes.ts';
import { eventually } from '../eventually.ts';
import { openCrashableNodes } from '../scenarios/chaos-nodes.ts';
import { openNodePool } from '../scenarios/node-pool.ts';
import { type Admissions, admitJobs } from './admission.ts';
import { BenchEngine } from './bench-engine.ts';
import { inSeconds, spreadOf } from './spread.ts';
import { inThrowawaySandbox, type ThrowawaySandbox } from './throwaway-sandbox.ts';
import { manifestsOf } from './workload.ts';

/**
 * `npm run bench:waiting`: jobs wait for pods on nodes that are dead. Measured is how soon the pods of a new job exist,
 * beside it, on the same worker; before in the same run with as many jobs that just run, and after, when the nodes are
 * back.
 */

const LIMIT = { withinMs: 900_000, everyMs: 500 };
const LANES = { limit: 8, signal: new AbortController().signal };
const RUN = `${SEARCH_ATTRIBUTES.phase.name} = "Running"`;
const WAIT = `${SEARCH_ATTRIBUTES.reason.name} = "PodsTerminating"`;
/** As the pool makes them. */
const PODS_PER_NODE = 500;

const { values } = parseArgs({
  options: {
    jobs: { type: 'string', default: '1000' },
    new: { type: 'string', default: '20' },
    'pods-per-job': { type: 'string', default: '10' },
  },
});
const jobs = Number(values.jobs);
const fresh = { jobs: Number(values.new), podsPerJob: Number(values['pods-per-job']) };
const say = (text: string) => void process.stderr.write(`${text}\n`);

report(await inThrowawaySandbox(fresh.podsPerJob, measure));

interface Measured extends Admissions {
  readonly when: string;
}

async function measure(place: ThrowawaySandbox): Promise<readonly Measured[]> {
  const engine = await BenchEngine.start({ ...place, connections: 64 });
  const { pids, clients } = engine;
  const { cluster, temporal, jobs: client } = clients;
  const measured: Measured[] = [];
  const admit = async (when: string) => {
    const prefix = `new-${measured.length}`;
    measured.push({ when, ...(await admitJobs({ cluster, client, pids }, { prefix, ...fresh })) });
    say(`${when}: ${inSeconds(spreadOf(measured.at(-1)!.milliseconds))}`);
  };
  try {
    // The first job of a process pays for what is loaded and compiled once.
    await admitJobs({ cluster, client, pids }, { prefix: 'warm', jobs: 3, podsPerJob: fresh.podsPerJob });
    await besideOthers({ cluster, temporal, client, admit });
    return measured;
  } finally {
    await engine.close();
  }
}

interface Tools {
  readonly cluster: ClusterClient;
  readonly temporal: Client;
  readonly client: SignalboxClient;
  /** Measures the admission of new jobs. */
  readonly admit: (when: string) => Promise<void>;
}

async function besideOthers({ cluster, temporal, client, admit }: Tools): Promise<void> {
  await admit('no other jobs');
  const sizes = Array.from({ length: Math.ceil(jobs / PODS_PER_NODE) }, () => PODS_PER_NODE);
  const pool = await openNodePool(cluster, { nodes: sizes });
  const nodes = await openCrashableNodes(cluster, pool);
  say(`${jobs} jobs of a pod begin to run`);
  const manifests = manifestsOf({ prefix: 'old', jobs, podsPerJob: 1, nodeSelector: pool.nodeSelector });
  await inParallel(manifests, LANES, async (manifest) => void (await client.submit(manifest)));
  await untilJobs(temporal, RUN);
  await admit(`${jobs} jobs run`);
  say('their nodes die, and they are suspended');
  for (const node of nodes.healthy) await nodes.lose(node);
  await inParallel(manifests, LANES, (manifest) => suspend(client.job(nameOf(manifest))));
  await untilJobs(temporal, WAIT);
  await admit(`${jobs} jobs wait`);
  await admit(`${jobs} jobs still wait`);
  await untilJobs(temporal, WAIT);
  say('their nodes come back');
  await nodes.bringAllBack();
  await untilJobs(temporal, WAIT, 0);
  await admit(`${jobs} jobs are suspended`);
}

/** Some of so many at once get no answer in time; what was asked is done all the same, or asked for again. */
async function suspend(job: JobHandle): Promise<void> {
  const isSuspended = async () => {
    if ((await job.status()).phase !== 'Suspended') await job.suspend({ by: 'bench' });
    return true;
  };
  await eventually(`${job.workflowId} is suspended`, isSuspended, LIMIT);
}

function nameOf(manifest: object): { readonly name: string; readonly namespace: string } {
  return (manifest as { metadata: { name: string; namespace: string } }).metadata;
}

/** As many as the bench lets wait; the index of workflows is what can be asked without waking them. */
async function untilJobs(temporal: Client, query: string, expected = jobs): Promise<void> {
  await eventually(
    `${expected} jobs are ${query}`,
    async () =>
      (await temporal.workflow.count(`${query} AND ExecutionStatus = "Running"`)).count === expected,
    LIMIT,
  );
}

function report(measured: readonly Measured[]): void {
  console.log(`from submission to ${fresh.podsPerJob} pods created, ${fresh.jobs} jobs, one after the other`);
  const base = spreadOf(measured[0]!.milliseconds).median;
  for (const { when, milliseconds, cpuSeconds } of measured) {
    const spread = spreadOf(milliseconds);
    const { worker = 0, watcher = 0, temporal = 0 } = cpuSeconds;
    const cpu = [worker, watcher, temporal].map((seconds) => seconds.toFixed(1)).join(', ');
    console.log(
      `  ${when.padEnd(24)} ${inSeconds(spread)}, ratio ${(spread.median / base).toFixed(2)}; worker, watcher, Temporal: ${cpu} s of processor time`,
    );
  }
}
