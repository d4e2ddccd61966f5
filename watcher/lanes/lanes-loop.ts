import type { Logger } from 'pino';
import type { ClusterClient } from '../../cluster/client.ts';
import { eachUnendedPod, listNodes } from '../../cluster/list-capacity.ts';
import { readLanes } from '../../cluster/read-lanes.ts';
import type { LanesReference } from '../../contracts/lane-request.ts';
import type { LanesConfig } from '../../contracts/lanes.ts';
import type { Amounts } from '../../contracts/pod-requests.ts';
import { errorMessage } from '../../language/error-message.ts';
import { TURN_IS_OVER_MS } from '../../queue/decide-turns.ts';
import type { JobInLane } from '../../queue/lanes/entry-of-job.ts';
import type { LaneWord } from '../../queue/lanes/lane-word.ts';
import { PoolCapacity, readsNodes } from '../../queue/lanes/pool-capacity.ts';
import type { WatchedJob } from '../jobs/job.ts';
import type { JobStore } from '../store/job-store.ts';
import { LaneNews } from './lane-news.ts';
import { LaneTurns } from './lane-turns.ts';

interface LanesOptions {
  readonly cluster: ClusterClient;
  readonly jobs: JobStore;
  readonly lanes: LanesReference;
  readonly grants: LaneGrants;
  readonly log: Logger;
}

/** What this process has granted, and from when on it grants: before, what an earlier leader has granted may be taken. */
export interface LaneGrants {
  readonly turns: LaneTurns;
  mayGiveAt?: number;
}

export const noGrants = (): LaneGrants => ({ turns: new LaneTurns() });

/** Decides about the jobs of lanes while any of them waits, until the signal aborts. */
export async function decideOnLanes(options: LanesOptions, signal: AbortSignal): Promise<void> {
  const { cluster, jobs, grants, log } = options;
  const { turns } = grants;
  // An earlier leader may have granted something to one of these.
  grants.mayGiveAt ??= jobsInLanes(jobs).some(isWaiting) ? cluster.now() + TURN_IS_OVER_MS : 0;
  const { mayGiveAt } = grants;
  const news = new LaneNews(jobs);
  let told = new Map<string, LaneWord>();
  while (!signal.aborted) {
    const startedAt = Date.now();
    news.read();
    const inLanes = jobsInLanes(jobs);
    if (inLanes.some(isWaiting) || told.size > 0) {
      told = await decideOnce(options, inLanes, (lanes, capacity) =>
        turns.decide({
          at: cluster.now(),
          lanes,
          capacity,
          jobs: inLanes,
          mayGive: cluster.now() >= mayGiveAt,
        }),
      ).catch((error) => {
        log.warn({ err: error }, 'no job of a lane can start: the lanes could not be decided on');
        return unread(inLanes, told, error);
      });
      if (signal.aborted) return;
      for (const job of jobs.jobs) jobs.laneJudged(job, told.get(job.uid));
    }
    await news.untilDue(startedAt, signal);
  }
}

const isWaiting = ({ place }: JobInLane): boolean => place.takenAt === undefined;

function jobsInLanes({ jobs }: JobStore): JobInLane[] {
  return [...jobs].flatMap(({ uid, namespace, anchor }: WatchedJob) => {
    if (!anchor?.lane || !anchor.lanePlace || anchor.final || anchor.deleted) return [];
    const { lane: request, lanePlace: place, phase, job } = anchor;
    return [{ uid, namespace, job: job?.name ?? anchor.name, phase, request, place }];
  });
}

async function decideOnce(
  { cluster, lanes: reference }: LanesOptions,
  inLanes: readonly JobInLane[],
  decide: (lanes: LanesConfig, capacity: ReadonlyMap<string, Amounts>) => Map<string, LaneWord>,
): Promise<Map<string, LaneWord>> {
  const lanes = await readLanes(cluster, reference);
  const own = new Set(inLanes.filter((job) => !isWaiting(job)).map(({ uid }) => uid));
  const used = new PoolCapacity((uid) => own.has(uid));
  if (!readsNodes(lanes)) return decide(lanes, used.of(lanes, [], cluster.now()));
  const nodes = await listNodes(cluster);
  for await (const pod of eachUnendedPod(cluster)) used.add(pod);
  return decide(lanes, used.of(lanes, nodes, cluster.now()));
}

/** Says why nothing starts; what was told to jobs that have to give something back stays. */
function unread(
  inLanes: readonly JobInLane[],
  told: ReadonlyMap<string, LaneWord>,
  error: unknown,
): Map<string, LaneWord> {
  const at = Date.now();
  const message = `its lane is not known: ${errorMessage(error)}`;
  return new Map(
    inLanes.flatMap((job): [string, LaneWord][] => {
      const { uid, place } = job;
      const known = told.get(uid);
      if (!isWaiting(job) || known?.lane?.message === message) return known ? [[uid, known]] : [];
      return [[uid, { lane: { attempt: place.attempt, at, reason: 'LanesUnread', message } }]];
    }),
  );
}
