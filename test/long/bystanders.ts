import { setTimeout as delay } from 'node:timers/promises';
import type { JobHandle } from '../../client/handles/job-handle.ts';
import { NODES, PODS } from '../../contracts/kubernetes.ts';
import type { JobOutcome } from '../../contracts/status.ts';
import { eventually } from '../eventually.ts';
import type { Chance } from '../scenarios/chance.ts';
import { asResource, beginJob } from '../scenarios/chaos-births.ts';
import { succeedAll } from '../scenarios/chaos-ends.ts';
import type { ChaosJob } from '../scenarios/chaos-jobs.ts';
import { chaosManifest, leaderOf, type ManifestOptions, type Place } from '../scenarios/chaos-manifests.ts';
import { PROGRESS } from '../scenarios/chaos-policies.ts';
import { openNodePool } from '../scenarios/node-pool.ts';
import type { ChaosJobs } from './chaos-participants.ts';
import { untilKnown } from './course.ts';
import type { TestEnvironment } from './test-environment.ts';
import { unlessTrouble, untilDone } from './until-done.ts';

/**
 * Jobs that nobody does anything to. Each has limits, comes close to them and keeps them: its pods wait for a node at
 * first, and then report progress. Only an engine that judges by what is not true any more restarts them.
 */

const LANES = 4;
/** From when the job has heard that its pods wait. */
const SCARCE_MS = 9_000;
const RUNS_MS = [12_000, 30_000] as const;
const REPORTS_MS = [500, 3_000] as const;

const POLICY = {
  restart: { ladder: [{ scope: 'gang' }], backOff: { initial: '200ms', max: '2s' } },
  failures: {
    classes: {
      startUp: { after: '16s', budget: 10_000 },
      userCode: { budget: 10_000 },
      infrastructure: { budget: 10_000 },
      stalled: { budget: 10_000 },
    },
  },
  progress: { annotation: PROGRESS, stalledAfter: '7s' },
  nodes: { lostAfter: '3s' },
};

const PREFIX = 'bystander-';
export const isBystander = ({ name }: Pick<ChaosJob, 'name'>) => name.startsWith(PREFIX);

interface Play {
  readonly ends: Map<string, JobOutcome>;
  readonly closing: AbortSignal;
  /** No other job begins from then on. */
  readonly rests: AbortSignal;
}

/** One after the other in each lane, until it is to rest and the last ones have ended. */
export async function runBystanders(
  environment: TestEnvironment,
  chaosJobs: ChaosJobs,
  play: Play,
): Promise<void> {
  const lanes = Array.from({ length: LANES }, async (_, index) => {
    const chance = chaosJobs.chaos.chance.fork(`bystanders ${index}`);
    const { cluster, namespace } = environment.stage;
    const pool = await untilDone(() => openNodePool(cluster, { nodes: [100] }));
    const place = { namespace, nodeSelector: pool.nodeSelector };
    const node = await untilDone(() => pool.cordon(0));
    for (let round = 0; !play.rests.aborted && !play.closing.aborted; round++) {
      const job = bystander(`${PREFIX}${index}-${round}`, place, round % 2 === 0 ? 'native' : 'none');
      const born = (index + round) % 2 === 0 ? job : asResource(job);
      await runOne({ environment, chaosJobs, play, node, chance }, born);
    }
  });
  await Promise.all(lanes);
}

function bystander(name: string, place: Place, gang: 'native' | 'none'): ChaosJob {
  const options: ManifestOptions = {
    ...{ name, gang, kind: 'PyTorchJob', restartPolicy: 'OnFailure', cleanPodPolicy: 'All' },
    ...{ pods: 2, policy: POLICY },
  };
  return {
    ...{ name, manifest: chaosManifest(options, place), cleanPodPolicy: 'All', plannedEnd: 'completes' },
    ...{ isSuspended: false, isScaled: false, workersMaySucceed: true, leader: leaderOf(name, 'PyTorchJob') },
  };
}

interface Lane {
  readonly environment: TestEnvironment;
  readonly chaosJobs: ChaosJobs;
  readonly play: Play;
  readonly node: string;
  readonly chance: Chance;
}

async function runOne({ environment, chaosJobs, play, node, chance }: Lane, job: ChaosJob): Promise<void> {
  const { cluster, client } = environment.stage;
  const { jobs, handles, chaos } = chaosJobs;
  const cordon = (unschedulable: boolean) =>
    untilDone(() => cluster.patch(NODES, { name: node }, { spec: { unschedulable } }));
  await cordon(true);
  jobs.push(job);
  handles.set(job.name, client.job({ name: job.name }));
  const how = await untilDone(() => beginJob(cluster, client, job));
  chaos.note(`${job.name} is ${how}, a bystander`);
  const ended = untilKnown({ chaos, ...play }, job);
  await untilItMatters(environment, handles.get(job.name)!);
  await cordon(false);
  chaos.note(`${job.name} has room`);
  await letRun(chaosJobs, job, { play, chance });
  await ended;
}

/** What the watchers do not see of its pods matters most: they get room while the stream of pods fails, if it does in time. */
async function untilItMatters({ apis }: TestEnvironment, job: JobHandle): Promise<void> {
  const knows = async () => JSON.stringify((await job.status()).cause ?? {}).includes('nschedulable');
  await inTime('it knows that its pods wait', knows);
  await inTime('pods are not seen', () => apis.watcher.streams.isFaulty(PODS.plural));
}

const inTime = (fact: string, holds: () => boolean | Promise<boolean>) =>
  eventually(fact, holds, { withinMs: SCARCE_MS, everyMs: 500 }).catch(() => undefined);

/** It reports progress, and its pods succeed in the end. */
async function letRun(
  { chaos: { control } }: ChaosJobs,
  job: ChaosJob,
  { play, chance }: Pick<Lane, 'play' | 'chance'>,
): Promise<void> {
  const until = Date.now() + chance.between(...RUNS_MS);
  for (let step = 1; !play.ends.has(job.name) && !play.closing.aborted; step++) {
    const pods = control.ledger.live(job.name);
    const [first] = pods.filter(({ metadata }) => metadata.name === job.leader);
    if (first) await control.reportProgress(first, step).catch(unlessTrouble);
    // A pod that succeeds before the others of its gang have a node breaks the gang.
    const areRunning = pods.every(({ status }) => status?.phase === 'Running');
    if (areRunning && Date.now() > until) await succeedAll(job, control).catch(unlessTrouble);
    await delay(chance.between(...REPORTS_MS));
  }
}
