import { eachUnendedPod, listNodes } from '../../../cluster/list-capacity.ts';
import { readLanes } from '../../../cluster/read-lanes.ts';
import type { Reading } from '../../../cluster/reading.ts';
import { parseAnchorRecord } from '../../../contracts/anchor.ts';
import { CONFIG_MAPS, type ConfigMap } from '../../../contracts/kubernetes.ts';
import { ANNOTATIONS, jobNameOf, LABELS } from '../../../contracts/labels.ts';
import { type LanesReference, parseLanePlace, parseLaneRequest } from '../../../contracts/lane-request.ts';
import type { LanesConfig } from '../../../contracts/lanes.ts';
import type { Amounts } from '../../../contracts/pod-requests.ts';
import { isFinal } from '../../../contracts/status.ts';
import { entryOfJob, type JobInLane } from '../../../queue/lanes/entry-of-job.ts';
import type { LanesState } from '../../../queue/lanes/lanes-decision.ts';
import { PoolCapacity, readsNodes } from '../../../queue/lanes/pool-capacity.ts';

/** Reads what decisions about lanes follow from, as far as the caller may. Throws a LanesConfigError for lanes with faults. */
export async function readLanesState(reading: Reading, reference: LanesReference): Promise<LanesState> {
  const lanes = await readLanes(reading.cluster, reference);
  const jobs = await jobsInLanes(reading);
  const at = Date.now();
  const capacity = await capacityOf(reading, lanes, { jobs, at });
  return { at, lanes, capacity, entries: jobs.map((job) => entryOfJob(job, at)) };
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
