import type { Digest, RoleDigest } from '../../contracts/digest.ts';
import { formatRanges } from '../../language/index-ranges.ts';
import { type FailedPod, summarizeFailures } from '../../watcher/pods/failed-pods.ts';
import { ANCHOR } from './builders.ts';
import { hasEnded, type ModelCluster, type ModelPod } from './model-cluster.ts';

/** What the watcher tells of a cluster, as watcher/digest/job-digest.ts sums it up. */
export function digestOf(cluster: ModelCluster): Digest {
  const { pods, group, progress } = cluster;
  const attempt = pods.reduce((highest, pod) => Math.max(highest, pod.attempt), group);
  const current = pods.filter((pod) => pod.attempt === attempt);
  return {
    anchor: ANCHOR,
    anchorDeleted: cluster.isAnchorDeleted,
    attempt,
    resourceVersions: {
      pods: cluster.resourceVersion,
      groups: { volcano: cluster.groupsResourceVersion },
      nodes: cluster.nodesResourceVersion,
    },
    lastReportAt: progress?.count,
    roles: rolesOf(current),
    earlier: pods.length - current.length,
    restarts: sumOf(current),
    ...summarizeFailures(failuresOf(current), MOST_DESCRIBED),
    vanished: someOrNone(vanishedOf(cluster, attempt)),
    endangered: someOrNone(endangeredOf(cluster, current)),
    noticed: someOrNone(noticedOf(cluster, current)),
    restarted: someOrNone(restartedOf(current)),
    programCrashes: someOrNone(crashesOf(current)),
    outlived: outlivedOf(current),
    terminating: someOrNone(current.filter(({ leavesAt }) => leavesAt !== undefined).map(placeOf)),
    progress,
    noSteps: cluster.isHung ? NO_STEPS : undefined,
    acknowledged: cluster.isCheckpointWritten || undefined,
    waiting: waitingOf(current),
    eviction: cluster.evicted === attempt ? evictionFrom(attempt) : undefined,
    gang: group === attempt ? { scheduled: 'Unknown', admitted: cluster.isGroupAdmitted } : undefined,
  };
}

const NO_STEPS = 'no step since 2026-01-01T00:10:00Z, usually one every 3s';

const evictionFrom = (attempt: number): Digest['eviction'] => ({
  attempt,
  reason: 'Preempted',
  message: 'for job/ml/big',
});

function rolesOf(pods: readonly ModelPod[]): Digest['roles'] {
  return Object.fromEntries(
    [...Map.groupBy(pods, ({ role }) => role)].map(([role, members]) => [role, roleDigest(members)]),
  );
}

function roleDigest(pods: readonly ModelPod[]): RoleDigest {
  const counts = { unscheduled: 0, scheduled: 0, ready: 0, succeeded: 0, failed: 0, terminating: 0 };
  for (const pod of pods) counts[isLeaving(pod) ? 'terminating' : pod.state]++;
  const done = pods.filter(({ state }) => state === 'succeeded').map(({ index }) => index);
  return { ...counts, succeededIndices: formatRanges(done), restarts: sumOf(pods) || undefined };
}

const isLeaving = (pod: ModelPod) => pod.leavesAt !== undefined && !hasEnded(pod);
const sumOf = (pods: readonly ModelPod[]) => pods.reduce((sum, { restarts }) => sum + restarts, 0);
const someOrNone = <T>(list: T[]) => (list.length > 0 ? list : undefined);
const identityOf = ({ name, uid, role, index }: ModelPod) => ({ pod: name, uid, role, index });
const placeOf = (pod: ModelPod) => ({ ...identityOf(pod), node: pod.node });

/** Few, so that jobs of a few pods have more failures than a digest describes. */
const MOST_DESCRIBED = 2;

const failuresOf = (pods: readonly ModelPod[]): FailedPod[] =>
  pods.flatMap((pod) =>
    pod.failure ? [{ failure: failureOf(pod), finishedAt: new Date(pod.failure.at).toISOString() }] : [],
  );

function failureOf(pod: ModelPod): Digest['failures'][number] {
  const { exitCode, reason, interruptedBy } = pod.failure ?? GONE;
  return { ...placeOf(pod), exitCode, reason, interruptedBy };
}

const GONE: Omit<NonNullable<ModelPod['failure']>, 'at'> = { reason: 'Deleted', interruptedBy: 'deletion' };

const vanishedOf = ({ vanished }: ModelCluster, attempt: number) =>
  [...vanished.values()].filter((pod) => pod.attempt === attempt && pod.state !== 'succeeded').map(failureOf);

const endangeredOf = ({ nodes }: ModelCluster, pods: readonly ModelPod[]) =>
  pods.flatMap((pod) => {
    const trouble = nodes.find(({ name }) => name === pod.node)?.trouble;
    return trouble && !hasEnded(pod) ? [{ ...placeOf(pod), ...trouble }] : [];
  });

const noticedOf = ({ nodes }: ModelCluster, pods: readonly ModelPod[]): NonNullable<Digest['noticed']> =>
  nodes.flatMap(({ name: node, notice }) => {
    const there = pods.filter((pod) => pod.node === node && !hasEnded(pod));
    return notice && there.length > 0 ? [{ node, ...notice, pods: there.map(identityOf) }] : [];
  });

const restartedOf = (pods: readonly ModelPod[]) =>
  pods
    .filter((pod) => pod.restarts > 0 && pod.state === 'scheduled' && !isLeaving(pod))
    .map((pod) => ({ ...placeOf(pod), restarts: pod.restarts }));

const crashesOf = (pods: readonly ModelPod[]): NonNullable<Digest['programCrashes']> =>
  pods.flatMap((pod) => {
    if (!pod.crash || hasEnded(pod) || isLeaving(pod)) return [];
    return [{ ...placeOf(pod), ...pod.crash, container: 'pytorch', reason: 'Error', restarts: pod.restarts }];
  });

function outlivedOf(pods: readonly ModelPod[]): Digest['outlived'] {
  const going = pods.filter((pod) => pod.hasSidecar && hasEnded(pod) && pod.leavesAt === undefined);
  const [first] = going;
  const end = { container: 'pytorch', exitCode: first?.failure?.exitCode ?? 0, running: ['proxy'] };
  return first && { ...placeOf(first), ...end, pods: going.length };
}

function waitingOf(pods: readonly ModelPod[]): Digest['waiting'] {
  const present = pods.filter((pod) => !isLeaving(pod));
  const waits = (['unscheduled', 'scheduled'] as const).flatMap((state) => {
    const [first, ...others] = present.filter((pod) => pod.state === state);
    const hasNode = state === 'scheduled';
    const reason = hasNode ? 'ImagePullBackOff' : 'Unschedulable';
    return first ? [{ reason, hasNode, pod: first.name, pods: 1 + others.length }] : [];
  });
  return waits.length > 0 ? waits : undefined;
}
