import type { Logger } from 'pino';
import type { ClusterClient } from '../../cluster/client.ts';
import { isForbidden, withoutRequest } from '../../cluster/errors.ts';
import { eachUnendedPod, listNodes } from '../../cluster/list-capacity.ts';
import { errorMessage } from '../../language/error-message.ts';
import { pauseAfterReading } from '../../language/pause-after-reading.ts';
import {
  decideTurns,
  TURN_IS_OVER_MS,
  type TurnDecision,
  type TurnMemory,
} from '../../queue/decide-turns.ts';
import { type GangsOptions, isHeld } from '../../queue/gang.ts';
import type { GangVerdict } from '../../queue/gang-verdicts.ts';
import { newlyMissed } from '../../queue/missed-turns.ts';
import { type Pool, PoolReader } from '../../queue/pool.ts';
import { keyOfJob, type WatchedJob } from '../jobs/job.ts';
import { metrics } from '../metrics.ts';
import type { JobStore } from '../store/job-store.ts';
import { GatedClaims } from './gated-claims.ts';

interface GatedGangsOptions {
  readonly cluster: ClusterClient;
  readonly jobs: JobStore;
  readonly log: Logger;
}

/**
 * Decides about gated gangs while there are any, until the signal aborts. It reads all nodes and pods for each decision: a list
 * that begins now has whatever was lifted, bound or made before.
 */
export async function decideOnGatedGangs(options: GatedGangsOptions, signal: AbortSignal): Promise<void> {
  const { cluster, jobs, log } = options;
  const claims = new GatedClaims(cluster, log);
  // An earlier leader may have given one of these a turn.
  const mayGiveAt = gatedJobs(jobs).length > 0 ? cluster.now() + TURN_IS_OVER_MS : 0;
  let last: TurnMemory | undefined;
  while (!signal.aborted) {
    const startedAt = Date.now();
    const gated = gatedJobs(jobs);
    if (gated.length > 0) {
      const mayGive = cluster.now() >= mayGiveAt;
      const made = await decideOnce(options, claims, gated, (pool) =>
        decideTurns(pool, { ...last, mayGive }),
      );
      if (signal.aborted) return;
      metrics.turnsUnused.inc({ turn: 'gang' }, newlyMissed(last?.missed, made.decision?.missed));
      last = made.decision ?? last;
      tell(jobs, made);
    } else if (last) {
      last = undefined;
      tell(jobs, { verdicts: new Map() });
    }
    await pauseAfterReading(startedAt, signal);
  }
}

interface Made {
  readonly decision?: TurnDecision;
  readonly verdicts: ReadonlyMap<string, GangVerdict>;
}

async function decideOnce(
  { cluster, log }: GatedGangsOptions,
  claims: GatedClaims,
  gated: readonly WatchedJob[],
  decideOn: (pool: Pool) => TurnDecision,
): Promise<Made> {
  try {
    const known = new Map(gated.filter(isAnswered).map((job) => [keyOfJob(job), job]));
    const jobOf = (namespace: string, uid: string) => known.get(keyOfJob({ namespace, uid }))?.anchor;
    const decision = decideOn(await readPool(cluster, claims, jobOf));
    const unanswered = gated.filter((job) => !isAnswered(job)).map((job) => [job.uid, unheard(job)] as const);
    return { decision, verdicts: new Map([...unanswered, ...decision.verdicts]) };
  } catch (error) {
    log.warn({ err: error }, 'nodes and pods could not be read: no gated gang gets its turn');
    // What passes soon is not worth a signal to each job.
    const told = (job: WatchedJob) => (isForbidden(error) ? undefined : job.verdict) ?? unread(job, error);
    return { verdicts: new Map(gated.map((job) => [job.uid, told(job)])) };
  }
}

/** Any user can write an anchor, and pods that name it. Only the workflow of a job of this installation answers for its anchor. */
const isAnswered = ({ delivery }: WatchedJob): boolean => delivery.isKnown;

const unheard = (job: WatchedJob): GangVerdict => ({
  ...{ attempt: attemptOf(job), scheduled: 'False', reason: 'WaitingForRoom' },
  message: 'its workflow has not answered the watcher yet',
});

const attemptOf = ({ pods }: WatchedJob) => Math.max(0, ...[...pods.values()].map(({ attempt }) => attempt));

/** Says why a gang waits although nobody looks for room. */
function unread(job: WatchedJob, error: unknown): GangVerdict {
  const attempt = attemptOf(job);
  const why = isForbidden(error)
    ? `the watcher may not list the nodes and pods of the whole cluster (${withoutRequest(error)})`
    : `the watcher cannot read nodes and pods: ${errorMessage(error)}`;
  return {
    attempt,
    scheduled: 'False',
    reason: 'NotChecked',
    message: `whether there is room is not known: ${why}`,
  };
}

async function readPool(
  cluster: ClusterClient,
  claims: GatedClaims,
  jobOf: GangsOptions['jobOf'],
): Promise<Pool> {
  const reader = new PoolReader(cluster.now(), jobOf);
  const nodes = await listNodes(cluster);
  for await (const pod of eachUnendedPod(cluster)) reader.add(pod);
  return reader.pool(nodes, await claims.read(reader.gangs.filter(isHeld)));
}

/** Returns the jobs with members of gated gangs that have no node. */
const gatedJobs = ({ jobs }: JobStore): readonly WatchedJob[] =>
  [...jobs].filter(
    ({ anchor, states, pods }) =>
      states.unscheduled > 0 &&
      anchor !== undefined &&
      !anchor.final &&
      !anchor.deleted &&
      [...pods.values()].some(({ waitsInGatedGang }) => waitsInGatedGang),
  );

function tell(store: JobStore, { verdicts }: Made): void {
  for (const job of store.jobs) {
    const verdict = verdicts.get(job.uid);
    if (verdict || job.verdict) store.setVerdict(job, verdict);
  }
}
