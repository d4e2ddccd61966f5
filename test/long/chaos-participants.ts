import type { JobHandle } from '../../client/handles/job-handle.ts';
import type { Chance } from '../scenarios/chance.ts';
import type { ChaosRun } from '../scenarios/chaos-faults.ts';
import type { ChaosJob } from '../scenarios/chaos-jobs.ts';
import { openCrashableNodes } from '../scenarios/chaos-nodes.ts';
import { PodControl } from '../scenarios/chaos-pod-control.ts';
import { openNodePool } from '../scenarios/node-pool.ts';
import { openPodLedger, type PodLedger } from '../scenarios/pod-ledger.ts';
import { createForeignObjects, type ForeignObjects, isForeignObject } from './foreign-objects.ts';
import { type ScheduledJob, scheduleJobs } from './jobs.ts';
import { Observed } from './observed.ts';
import { JOBS, SECONDS } from './options.ts';
import type { TestEnvironment } from './test-environment.ts';

/** What takes part, besides the servers and the engine. */
export interface ChaosJobs {
  /** Bystanders are added as they come. */
  readonly jobs: ChaosJob[];
  readonly handles: Map<string, JobHandle>;
  readonly foreignObjects: ForeignObjects;
  readonly ledger: PodLedger;
  readonly observed: Observed;
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
  const observed = new Observed(cluster, namespace);
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
  return { jobs, handles, foreignObjects, ledger, observed, control, chaos, live, scheduled: planned };
}
