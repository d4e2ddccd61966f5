import type { JobHandle } from '../../client/job-handle.ts';
import type { JobOutcome } from '../../contracts/status.ts';
import { eventually } from '../eventually.ts';
import type { Chance } from '../scenarios/chance.ts';
import { describeJob } from '../scenarios/chaos-ends.ts';
import type { ChaosRun } from '../scenarios/chaos-faults.ts';
import type { ChaosJob } from '../scenarios/chaos-jobs.ts';
import { openCrashableNodes } from '../scenarios/chaos-nodes.ts';
import { PodControl } from '../scenarios/chaos-pod-control.ts';
import { openNodePool } from '../scenarios/node-pool.ts';
import { openPodLedger, type PodLedger } from '../scenarios/pod-ledger.ts';
import { runJob } from './course.ts';
import { createForeignObjects, type ForeignObjects, isForeignObject } from './foreign-objects.ts';
import { injectFaults } from './inject-faults.ts';
import { type ScheduledJob, scheduleJobs } from './jobs.ts';
import { JOBS, SECONDS } from './options.ts';
import type { Tally } from './tally.ts';
import type { TestEnvironment } from './test-environment.ts';

/** What takes part, besides the servers and the engine. */
export interface ChaosJobs {
  readonly jobs: readonly ChaosJob[];
  readonly handles: ReadonlyMap<string, JobHandle>;
  readonly foreignObjects: ForeignObjects;
  readonly ledger: PodLedger;
  readonly control: PodControl;
  readonly chaos: ChaosRun;
  /** Submitted, and not known to have ended. */
  readonly live: Set<ChaosJob>;
  readonly scheduled: readonly ScheduledJob[];
}

const NODES = Array.from({ length: 8 }, () => 500);
/** Jobs whose labels foreign objects carry. */
const COPIED = 5;

export async function openChaosJobs(
  { stage }: TestEnvironment,
  chance: Chance,
  note: (fault: string) => void,
): Promise<ChaosJobs> {
  const { cluster, namespace, client } = stage;
  const pool = await openNodePool(cluster, { nodes: NODES });
  const nodes = await openCrashableNodes(cluster, pool);
  const ledger = await openPodLedger(cluster, namespace, (pod) => !isForeignObject(pod));
  const place = { namespace, nodeSelector: pool.nodeSelector };
  const planned = scheduleJobs({ count: JOBS, ms: SECONDS * 1000, place }, chance.fork('jobs'));
  const jobs = planned.map(({ job }) => job);
  const copied = jobs.slice(0, COPIED).map(({ name }) => name);
  const foreignObjects = await createForeignObjects(cluster, namespace, copied);
  const handles = new Map(jobs.map(({ name }) => [name, client.job({ name })] as const));
  const control = new PodControl({ stage, ledger, jobs: handles, chance: chance.fork('hand') });
  const live = new Set<ChaosJob>();
  const chaos: ChaosRun = {
    get jobs() {
      return [...live];
    },
    ...{ control, nodes, chance, note },
  };
  return { jobs, handles, foreignObjects, ledger, control, chaos, live, scheduled: planned };
}

/** A bound for a broken system: from the end of the chaos to the end of the last job. */
export const REST_MS = 900_000;

interface ChaosOptions {
  readonly tally: Tally;
  readonly ends: Map<string, JobOutcome>;
  readonly closing: AbortController;
}

/** From the first job's submission to the last one's end. Gives what does not end. */
export async function runChaos(
  environment: TestEnvironment,
  chaosJobs: ChaosJobs,
  play: ChaosOptions,
): Promise<readonly string[]> {
  const { chaos, jobs, live, scheduled } = chaosJobs;
  const { tally, ends, closing } = play;
  const course = { chaos, client: environment.stage.client, tally, live, ends, closing: closing.signal };
  const all = Promise.all(scheduled.map((job) => runJob(course, job)));
  // What goes wrong there is told at once.
  const failure = all.then(() => new Promise<never>(() => undefined));
  await Promise.race([injectFaults(chaos, environment, { ms: SECONDS * 1000, tally }), failure]);
  const open = () => jobs.filter(({ name }) => !ends.has(name));
  const isDone = eventually('every job is over', () => open().length === 0, { withinMs: REST_MS });
  const hung = await isDone.then(() => [], open);
  closing.abort();
  await all;
  return Promise.all(hung.map(({ name }) => describeJob(name, chaosJobs.control)));
}
