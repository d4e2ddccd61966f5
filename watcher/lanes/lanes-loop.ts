import type { Logger } from 'pino';
import type { ClusterClient } from '../../cluster/client.ts';
import { eachUnendedPod, listNodes } from '../../cluster/list-capacity.ts';
import { LanesConfigError, readLanes } from '../../cluster/read-lanes.ts';
import type { LanesReference } from '../../contracts/lane-request.ts';
import type { LanesConfig } from '../../contracts/lanes.ts';
import { errorMessage } from '../../language/error-message.ts';
import { whenAborted } from '../../language/when-aborted.ts';
import type { Readiness } from '../../leader/readiness.ts';
import { TURN_IS_OVER_MS } from '../../queue/decide-turns.ts';
import type { JobInLane } from '../../queue/lanes/entry-of-job.ts';
import type { LaneVerdict } from '../../queue/lanes/lane-verdict.ts';
import { grantsNodes, PoolCapacity, readsNodes } from '../../queue/lanes/pool-capacity.ts';
import type { JobStore } from '../store/job-store.ts';
import { inLane, recordedJobs } from './jobs-in-lanes.ts';
import { LaneNews } from './lane-news.ts';
import { LaneRecords } from './lane-records.ts';
import { LaneTurns, type PoolRoom } from './lane-turns.ts';
import { type CleanUpLost, LostRecords } from './lost-records.ts';
import { UnusedPlaces } from './unused-places.ts';

interface LanesOptions {
  readonly cluster: ClusterClient;
  readonly jobs: JobStore;
  readonly lanes: LanesReference;
  readonly readiness: Readiness;
  readonly grants: LaneGrants;
  /** Has a worker remove the record of a job whose anchor is gone. */
  readonly cleanUpLost: CleanUpLost;
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
  const { cluster, lanes, readiness } = options;
  const records = new LaneRecords(lanes);
  const listed = Promise.withResolvers<void>();
  const client = readiness.streams.clientFor('records of lanes', cluster);
  const following = records.follow(client, listed.resolve, signal);
  await Promise.race([listed.promise, whenAborted(signal)]);
  await Promise.all([following, decideAnew(options, records, signal)]);
}

async function decideAnew(options: LanesOptions, records: LaneRecords, signal: AbortSignal): Promise<void> {
  const { cluster, jobs, grants, log } = options;
  const lost = new LostRecords(options);
  const unused = new UnusedPlaces(options);
  const { turns } = grants;
  const news = new LaneNews(records, jobs);
  const jobsNow = () => lost.known(recordedJobs(records, jobs)).flatMap((one) => inLane(one) ?? []);
  // An earlier leader may have granted something to one of these.
  grants.mayGiveAt ??= jobsNow().some(isWaiting) ? cluster.now() + TURN_IS_OVER_MS : 0;
  const { mayGiveAt } = grants;
  let told = new Map<string, LaneVerdict>();
  while (!signal.aborted) {
    const startedAt = Date.now();
    news.read();
    await lost.look(recordedJobs(records, jobs));
    const inLanes = jobsNow();
    if (inLanes.some(isWaiting) || told.size > 0) {
      const idle = await unused.among(inLanes);
      told = await decideOnce(options, inLanes, (lanes, room) => {
        const at = cluster.now();
        return turns.decide({ at, lanes, ...room, jobs: inLanes, unused: idle, mayGive: at >= mayGiveAt });
      }).catch((error) => {
        log.warn({ err: error }, 'no job of a lane can start: the lanes could not be decided on');
        return unread(inLanes, told, error);
      });
      if (signal.aborted) return;
      for (const job of jobs.jobs) jobs.setLaneVerdict(job, told.get(job.uid));
    }
    await news.untilDue(startedAt, signal);
  }
}

const isWaiting = ({ place }: JobInLane): boolean => place.takenAt === undefined;

async function decideOnce(
  { cluster, lanes: reference }: LanesOptions,
  inLanes: readonly JobInLane[],
  decide: (lanes: LanesConfig, room: PoolRoom) => Map<string, LaneVerdict>,
): Promise<Map<string, LaneVerdict>> {
  const lanes = await readLanes(cluster, reference);
  const holders = inLanes.filter((job) => !isWaiting(job) && grantsNodes(lanes, job.request.lane));
  const own = new Set(holders.map(({ uid }) => uid));
  const used = new PoolCapacity((uid) => own.has(uid));
  const nodes = readsNodes(lanes) ? await listNodes(cluster) : [];
  if (readsNodes(lanes)) for await (const pod of eachUnendedPod(cluster)) used.add(pod);
  return decide(lanes, { capacity: used.of(lanes, nodes, cluster.now()), whole: used.whole(lanes, nodes) });
}

/** Says why nothing starts; what was told to jobs that have to give something back stays. */
function unread(
  inLanes: readonly JobInLane[],
  told: ReadonlyMap<string, LaneVerdict>,
  error: unknown,
): Map<string, LaneVerdict> {
  const at = Date.now();
  // An administrator has to mend the configuration, and nothing else.
  const reason = error instanceof LanesConfigError ? 'LaneFaulty' : 'LanesUnread';
  const message = `its lane is not known: ${errorMessage(error)}`;
  return new Map(
    inLanes.flatMap((job): [string, LaneVerdict][] => {
      const { uid, place } = job;
      const known = told.get(uid);
      if (!isWaiting(job) || known?.lane?.message === message) return known ? [[uid, known]] : [];
      return [[uid, { lane: { attempt: place.attempt, at, reason, message } }]];
    }),
  );
}
