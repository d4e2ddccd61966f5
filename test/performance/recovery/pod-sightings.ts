import type { ClusterClient } from '../../../cluster/client.ts';
import { PODS, type Pod } from '../../../contracts/kubernetes.ts';
import { followObjects } from '../observation.ts';

/** A pod as a watch showed it. */
export interface PodSighting {
  /** Epoch milliseconds. */
  readonly at: number;
  readonly name: string;
  readonly uid: string;
  readonly isGone: boolean;
  readonly isDeleting: boolean;
  /** Whether its program runs. */
  readonly isRunning: boolean;
  readonly restarts: number;
}

/** What the cluster showed of a recovery. Milliseconds since the fault; undefined where there was nothing to see. */
export interface ClusterCourse {
  /** t1: a pod changes. */
  readonly seenMs?: number;
  /** t2: the engine deletes or creates a pod. In place the kubelet restarts programs, and nobody decides. */
  readonly decidedMs?: number;
  /** t3: the last pod that was replaced is gone. */
  readonly goneMs?: number;
  /** t4: every program runs that started after the fault. */
  readonly runningMs?: number;
}

/** Begins to watch the pods with a label; resolves when nothing that happens from now on can be missed. */
export async function watchPods(
  cluster: ClusterClient,
  label: string,
  signal: AbortSignal,
): Promise<readonly PodSighting[]> {
  const sightings: PodSighting[] = [];
  const source = { resource: PODS, label, signal };
  await followObjects(cluster, source, (type, pod) => {
    sightings.push(sightingOf(pod, type === 'DELETED'));
  });
  return sightings;
}

function sightingOf({ metadata, status }: Pod, isGone: boolean): PodSighting {
  const [main] = status?.containerStatuses ?? [];
  return {
    at: Date.now(),
    name: metadata.name,
    uid: metadata.uid ?? '',
    isGone,
    isDeleting: metadata.deletionTimestamp !== undefined,
    isRunning: !isGone && main?.state?.running !== undefined,
    restarts: main?.restartCount ?? 0,
  };
}

export interface Span {
  readonly injectedAt: number;
  /** When the ranks trained again. */
  readonly trainedAt: number;
  /** The pods that the fault itself deletes. */
  readonly deleted?: readonly string[];
}

export function clusterCourseOf(
  all: readonly PodSighting[],
  { injectedAt, trainedAt, deleted = [] }: Span,
): ClusterCourse {
  const before = latestByName(all.filter(({ at }) => at <= injectedAt));
  const during = all.filter(({ at }) => at > injectedAt && at <= trainedAt);
  const since = (at: number | undefined) => at && at - injectedAt;
  const isOld = ({ name, uid }: PodSighting) => before.get(name)?.uid === uid;
  const isAct = (one: PodSighting) => !isOld(one) || (one.isDeleting && !deleted.includes(one.name));
  return {
    seenMs: since(during[0]?.at),
    decidedMs: since(during.find(isAct)?.at),
    goneMs: since(during.filter((one) => one.isGone && isOld(one)).at(-1)?.at),
    runningMs: since(allRunningAt(before, during)),
  };
}

/** When the last of the pods was first seen to run what trained again in the end. */
function allRunningAt(
  before: ReadonlyMap<string, PodSighting>,
  during: readonly PodSighting[],
): number | undefined {
  const times = [...latestByName(during).values()].map((last) => {
    const isSameRun = ({ name, uid, restarts }: PodSighting) =>
      name === last.name && uid === last.uid && restarts === last.restarts;
    const old = before.get(last.name);
    if (!last.isRunning || (old && isSameRun(old))) return undefined;
    return during.find((one) => one.isRunning && isSameRun(one))?.at;
  });
  const known = times.filter((at) => at !== undefined);
  return known.length > 0 ? Math.max(...known) : undefined;
}

const latestByName = (sightings: readonly PodSighting[]) =>
  new Map(sightings.map((sighting) => [sighting.name, sighting]));
