import type { ClusterClient } from '../../../cluster/client.ts';
import { eachUnendedPod, listNodes } from '../../../cluster/list-capacity.ts';
import { readLanes } from '../../../cluster/read-lanes.ts';
import { parseAnchorRecord } from '../../../contracts/anchor.ts';
import { CONFIG_MAPS, type ConfigMap } from '../../../contracts/kubernetes.ts';
import { ANNOTATIONS, jobNameOf, LABELS } from '../../../contracts/labels.ts';
import { type LanesReference, parseLanePlace, parseLaneRequest } from '../../../contracts/lane-request.ts';
import type { LanesConfig } from '../../../contracts/lanes.ts';
import { type Amounts, formatAmounts } from '../../../contracts/pod-requests.ts';
import { isFinal } from '../../../contracts/status.ts';
import { withoutUndefined } from '../../../language/fields.ts';
import { decideLanes } from '../../../queue/lanes/decide-lanes.ts';
import { entryOfJob, type JobInLane } from '../../../queue/lanes/entry-of-job.ts';
import { compareEntries, declaredEnd, type LaneEntry, waitsSince } from '../../../queue/lanes/lane-entry.ts';
import type { LanesDecision } from '../../../queue/lanes/lanes-decision.ts';
import { PoolCapacity, readsNodes } from '../../../queue/lanes/pool-capacity.ts';
import { Reading } from '../why/reading.ts';
import type { JobAnswer, LaneAnswer, LanesAnswer } from './lanes-answer.ts';

/**
 * Says what runs and what waits in each lane, and when the next one starts. It decides as the watcher does, from what the
 * caller may read of the cluster, and changes nothing.
 */
export async function readLanesAnswer(
  cluster: ClusterClient,
  reference: LanesReference,
): Promise<LanesAnswer> {
  const reading = new Reading(cluster);
  const lanes = await readLanes(cluster, reference);
  const jobs = await jobsInLanes(reading);
  const at = Date.now();
  const capacity = await capacityOf(reading, lanes, { jobs, at });
  const entries = jobs.map((job) => entryOfJob(job, at));
  const decision = decideLanes({ at, lanes, capacity, entries });
  return {
    asOf: timeOf(at),
    lanes: decision.lanes.map((view) => laneAnswer(view, { entries, decision, at })),
    unknown: reading.unread,
  };
}

async function jobsInLanes(reading: Reading): Promise<JobInLane[]> {
  const selection = { labelSelector: `${LABELS.anchor}=true` };
  const anchors = await reading.list<ConfigMap>(
    { resource: CONFIG_MAPS, selection },
    'the jobs of the lanes are not known: ConfigMaps of all namespaces may not be listed',
  );
  return anchors.flatMap(({ metadata }) => {
    const { annotations, namespace = '', name, uid = '' } = metadata;
    const request = parseLaneRequest(annotations?.[ANNOTATIONS.lane]);
    const place = parseLanePlace(annotations?.[ANNOTATIONS.lanePlace]);
    const { phase = '' } = parseAnchorRecord(annotations);
    if (!request || !place || isFinal(phase) || metadata.deletionTimestamp) return [];
    return [{ uid, namespace, job: jobNameOf(name), phase, request, place }];
  });
}

async function capacityOf(
  reading: Reading,
  lanes: LanesConfig,
  { jobs, at }: { readonly jobs: readonly JobInLane[]; readonly at: number },
): Promise<ReadonlyMap<string, Amounts>> {
  const own = new Set(jobs.filter(({ place }) => place.takenAt !== undefined).map(({ uid }) => uid));
  const used = new PoolCapacity((uid) => own.has(uid));
  if (!readsNodes(lanes)) return used.of(lanes, [], at);
  const nodes = await reading.orElse(
    listNodes(reading.cluster),
    undefined,
    'what pools of nodes have is not known: nodes may not be listed',
  );
  if (!nodes) return fixedOnly(lanes, used.of(lanes, [], at));
  const addPods = async () => {
    for await (const pod of eachUnendedPod(reading.cluster)) used.add(pod);
  };
  await reading.orElse(addPods(), undefined, 'what others use of nodes is not known: pods may not be listed');
  return used.of(lanes, nodes, at);
}

/** What a pool has that is not known is left out. */
const fixedOnly = ({ pools }: LanesConfig, capacity: ReadonlyMap<string, Amounts>) =>
  new Map([...capacity].filter(([name]) => 'capacity' in pools[name]!));

interface Facts {
  readonly entries: readonly LaneEntry[];
  readonly decision: LanesDecision;
  readonly at: number;
}

function laneAnswer(view: LanesDecision['lanes'][number], { entries, decision, at }: Facts): LaneAnswer {
  const { lane, pool, state, why, weight, priority, used, share, borrowed, nextStart } = view;
  const own = entries.filter((entry) => entry.lane === lane).toSorted(compareEntries);
  return withoutUndefined({
    ...{ lane, pool, state, why, weight, priority },
    used: formatAmounts(used),
    share: formatAmounts(share),
    borrowed: formatAmounts(borrowed),
    nextStart: nextStart === undefined ? undefined : timeOf(nextStart),
    running: own.filter(({ granted }) => granted).map((entry) => jobAnswer(entry, at)),
    waiting: own
      .filter(({ granted }) => !granted)
      .map((entry) => ({ ...jobAnswer(entry, at), ...standingOf(entry, decision) })),
  });
}

function jobAnswer(entry: LaneEntry, at: number): JobAnswer {
  const { namespace, job: name, priority, demand, granted } = entry;
  const end = granted ? declaredEnd(entry, at) : undefined;
  return {
    ...{ namespace, name, priority, needs: formatAmounts(demand) },
    since: timeOf(granted?.at ?? waitsSince(entry)),
    ...(end === undefined ? {} : { ends: timeOf(end) }),
  };
}

function standingOf({ uid }: LaneEntry, { standings }: LanesDecision): Partial<JobAnswer> {
  const standing = standings.get(uid);
  if (!standing) return { reason: 'Granted', message: 'its lane lets it start' };
  const { code: reason, sentence: message, position } = standing;
  return { reason, message, ...(position === undefined ? {} : { position }) };
}

const timeOf = (at: number): string => new Date(at).toISOString();
