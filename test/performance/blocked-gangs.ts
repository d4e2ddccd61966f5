import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { NODES, PODS } from '../../contracts/kubernetes.ts';
import { LABELS } from '../../contracts/labels.ts';
import type { GangProvider } from '../../contracts/training-job.ts';
import { valueAt } from '../../language/fields.ts';
import { eventually } from '../eventually.ts';
import { BenchEngine } from './bench-engine.ts';
import { cpuNow, cpuSince } from './process-usage.ts';
import { STOCK_SCHEDULER, StockScheduler } from './stock-scheduler.ts';
import { inThrowawaySandbox, type ThrowawaySandbox } from './throwaway-sandbox.ts';
import { manifestsOf, NAMESPACE, type Workload } from './workload.ts';

/**
 * `npm run bench:blocked`: what a gang costs that does not fit and waits: processor time of scheduler, API server, worker and
 * watcher in a while, without it, as a native gang, and as one behind gates. The scheduler has the gates that Kubernetes
 * switches on by itself, which that of a sandbox has not.
 */

const GANGS = ['native', 'gated-native', 'gated'] as const satisfies readonly GangProvider[];
const LIMIT = { withinMs: 120_000, everyMs: 500 };
/** What the first looks of all processes at the gang cost is over. */
const SETTLED_MS = 10_000;
const SHOWN = ['scheduler', 'kube-apiserver', 'worker', 'watcher'] as const;

/** Seconds by process. */
type Spent = Readonly<Record<string, number>>;

const { values } = parseArgs({
  options: {
    pods: { type: 'string', default: '100' },
    seconds: { type: 'string', default: '60' },
  },
});
const pods = Number(values.pods);
const seconds = Number(values.seconds);

console.log(`a gang of ${pods} pods that lacks the room of one; processor time in ${seconds} s`);

async function measure(place: ThrowawaySandbox): Promise<void> {
  const scheduler = await StockScheduler.start(place.kubeconfig);
  try {
    const pids = { ...place.pids, scheduler: scheduler.pid };
    const engine = await BenchEngine.start({ ...place, pids, connections: 64 });
    try {
      report('no gang', await processorTime(engine));
      for (const gang of GANGS) report(gang, await besideBlocked(engine, gang));
    } finally {
      await engine.close();
    }
  } finally {
    await scheduler.stop();
  }
}

/** Of a pod: all nodes together have room for one less than all of them. */
async function blockedBy({ clients: { cluster } }: BenchEngine): Promise<Partial<Workload>> {
  const { items } = await cluster.list(NODES);
  const cores = items.reduce((sum, node) => sum + Number(valueAt(node, 'status.allocatable.cpu')), 0);
  return { cpu: `${Math.ceil((cores * 1000) / pods) + 1}m`, schedulerName: STOCK_SCHEDULER };
}

async function besideBlocked(engine: BenchEngine, gang: GangProvider): Promise<Spent> {
  const { jobs, cluster } = engine.clients;
  const [manifest] = manifestsOf({
    prefix: gang,
    jobs: 1,
    podsPerJob: pods,
    gang,
    ...(await blockedBy(engine)),
  });
  const name = `${gang}-0`;
  await jobs.submit(manifest!);
  const selection = { namespace: NAMESPACE, labelSelector: `${LABELS.job}=${name}` };
  const exist = async () => (await cluster.list(PODS, selection)).items.length === pods;
  await eventually(`the pods of ${name} exist`, exist, LIMIT);
  const spent = await processorTime(engine);
  const job = jobs.job({ name, namespace: NAMESPACE });
  await job.stop({ why: 'it was measured' });
  await job.wait();
  return spent;
}

async function processorTime({ pids }: BenchEngine): Promise<Spent> {
  await delay(SETTLED_MS);
  const before = await cpuNow(pids);
  await delay(seconds * 1000);
  return cpuSince(before, pids);
}

function report(what: string, spent: Spent): void {
  const shown = SHOWN.map((name) => `${name} ${spent[name]?.toFixed(2)} s`);
  console.log(`  ${what.padEnd(12)} ${shown.join(', ')}`);
}

await inThrowawaySandbox(pods, measure);
