import { eachUnendedPod, listNodes } from '../../../cluster/list-capacity.ts';
import { readLanes } from '../../../cluster/read-lanes.ts';
import type { Reading } from '../../../cluster/reading.ts';
import { CONFIG_MAPS, type ConfigMap, type Node, type Pod } from '../../../contracts/kubernetes.ts';
import { laneRecordsBeside, parseLaneRecord } from '../../../contracts/lane-record.ts';
import type { LanesReference } from '../../../contracts/lane-request.ts';
import type { LanesConfig } from '../../../contracts/lanes.ts';
import { anchorUidOf } from '../../../contracts/objects.ts';
import {
  type Amounts,
  addAmounts,
  formatAmounts,
  NOTHING,
  podUsage,
} from '../../../contracts/pod-requests.ts';
import { entryOfJob, type JobInLane } from '../../../queue/lanes/entry-of-job.ts';
import type { LanesState } from '../../../queue/lanes/lanes-decision.ts';
import { grantsNodes, PoolCapacity, readsNodes } from '../../../queue/lanes/pool-capacity.ts';

/** Reads what decisions about lanes follow from, as far as the caller may. Throws a LanesConfigError for lanes with faults. */
export async function readLanesState(reading: Reading, reference: LanesReference): Promise<LanesState> {
  const lanes = await readLanes(reading.cluster, reference);
  const recorded = await recordedJobs(reading, reference);
  const at = reading.cluster.now();
  const holders = recorded.filter(
    ({ place, request }) => place.takenAt !== undefined && grantsNodes(lanes, request.lane),
  );
  const held = new Set(holders.map(({ uid }) => uid));
  const used = new PoolCapacity((uid) => held.has(uid));
  const left = new Map(recorded.flatMap(({ uid, hasEnded }) => (hasEnded ? [[uid, NOTHING]] : [])));
  const isKnown = (left.size === 0 && !readsNodes(lanes)) || (await addPods(reading, { used, left }));
  const jobs = recorded.flatMap((job) => withWhatIsLeft(job, isKnown ? left : undefined));
  const entries = jobs.map((job) => entryOfJob(job, at));
  const nodes = readsNodes(lanes) ? await nodesOf(reading) : [];
  const known = (room: ReadonlyMap<string, Amounts>) => (nodes ? room : fixedOnly(lanes, room));
  const whole = known(used.whole(lanes, nodes ?? []));
  return { at, lanes, capacity: known(used.of(lanes, nodes ?? [], at)), whole, entries };
}

async function recordedJobs(reading: Reading, reference: LanesReference): Promise<JobInLane[]> {
  const { namespace } = reference;
  const records = await reading.list<ConfigMap>(
    { resource: CONFIG_MAPS, selection: laneRecordsBeside(reference) },
    `the jobs of the lanes are not known: ConfigMaps of namespace ${namespace} may not be listed`,
  );
  return records.flatMap((one) => {
    const record = parseLaneRecord(one, reference);
    if (!record?.place) return [];
    const { anchorUid: uid, place, ...known } = record;
    return [{ ...known, uid, place, hasStarted: true }];
  });
}

type Left = Map<string, Amounts>;

/** Returns false if pods may not be listed. */
function addPods(
  reading: Reading,
  { used, left }: { readonly used: PoolCapacity; readonly left: Left },
): Promise<boolean> {
  const add = (pod: Pod) => {
    used.add(pod);
    const owner = anchorUidOf(pod) ?? '';
    const before = left.get(owner);
    if (before) left.set(owner, addAmounts(before, podUsage(pod.spec)));
  };
  const addAll = async () => {
    for await (const pod of eachUnendedPod(reading.cluster)) add(pod);
    return true;
  };
  return reading.orElse(addAll(), false, 'what others use of nodes is not known: pods may not be listed');
}

/** Of a job that has ended, its lane has what its pods have. */
function withWhatIsLeft(job: JobInLane, left: Left | undefined): readonly JobInLane[] {
  const demand = job.hasEnded && left?.get(job.uid);
  if (!demand) return [job];
  return demand.size > 0 ? [{ ...job, request: { ...job.request, demand: formatAmounts(demand) } }] : [];
}

const nodesOf = (reading: Reading): Promise<readonly Node[] | undefined> =>
  reading.orElse(
    listNodes(reading.cluster),
    undefined,
    'what pools of nodes have is not known: nodes may not be listed',
  );

/** What a pool has that is not known is left out. */
const fixedOnly = ({ pools }: LanesConfig, capacity: ReadonlyMap<string, Amounts>) =>
  new Map([...capacity].filter(([name]) => 'capacity' in pools[name]!));
