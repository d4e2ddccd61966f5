import { totalReplicas } from '../../contracts/roles.ts';
import type { StuckPod } from '../../contracts/stuck-pod.ts';
import type { Plan } from '../../contracts/training-job.ts';
import type { EvidenceSummary } from '../../contracts/types.ts';
import { parseRanges } from '../../language/index-ranges.ts';
import type { Effect } from '../../machines/model/effects.ts';
import { hasEnded, type ModelCluster, type ModelPod, nameOf } from './model-cluster.ts';

/**
 * What activities do to a cluster, write by write: at each `yield` others may come in between, and an activity that is
 * cancelled, or whose worker is gone, ends there. As they are idempotent, one that begins again looks at what is there.
 */
export type Activity = Generator<void, Done>;

interface Done {
  readonly resourceVersion: number;
  readonly evidence?: readonly EvidenceSummary[];
  readonly stuckPods?: readonly StuckPod[];
}

export interface Performance {
  readonly cluster: ModelCluster;
  /** Of the job as it was when the activity was scheduled. */
  readonly plan: Plan;
  /** It was tried before. */
  readonly isRetry: boolean;
}

/** A pod of that name is still being deleted: the activity fails, and is tried again. */
export class StillLeaving extends Error {}

type Of<Type extends Effect['type']> = Effect & { readonly type: Type };

export function perform(effect: Effect, performance: Performance): Activity {
  const { cluster } = performance;
  switch (effect.type) {
    case 'createAttempt':
    case 'launch':
      return createAttempt(performance, effect);
    case 'restorePods':
      return restorePods(performance, effect);
    case 'scale':
      return scale(performance, effect);
    case 'drain':
      return drain(performance, effect);
    case 'suspend':
      return suspend(performance, effect);
    case 'cleanUp':
      return cleanUp(performance, effect);
    case 'capture':
      return capture(performance, effect);
    default:
      return write(cluster, effect);
  }
}

/** What is one write. */
function* write(cluster: ModelCluster, effect: Effect): Activity {
  yield;
  if (effect.type === 'createGroup' && cluster.group !== effect.attempt) cluster.setGroup(effect.attempt);
  if (effect.type === 'requestCheckpoint') cluster.isCheckpointRequested = true;
  return { resourceVersion: 0 };
}

function* createAttempt(performance: Performance, effect: Of<'createAttempt' | 'launch'>): Activity {
  const succeededIndices = effect.type === 'launch' ? effect.succeededIndices : {};
  const resourceVersion = yield* createMissing(
    performance,
    { ...effect, succeededIndices },
    performance.isRetry,
  );
  return { resourceVersion };
}

function* restorePods(performance: Performance, effect: Of<'restorePods'>): Activity {
  const { cluster } = performance;
  const unwanted = cluster.pods.filter(isReplaced(cluster, effect));
  const gone = yield* deleteEach(cluster, unwanted);
  const left = yield* findLeft(cluster, unwanted, effect);
  if (left.length > 0) return whoStays(left);
  const made = yield* createMissing(performance, effect, true);
  return { resourceVersion: Math.max(gone, made) };
}

function isReplaced(cluster: ModelCluster, effect: Of<'restorePods' | 'scale'>): (pod: ModelPod) => boolean {
  const { replace = [], restartRoles = [], incarnations = {} } = effect;
  const failed = new Set(replace.map(({ uid }) => uid));
  const also = alsoReplaced(cluster, effect);
  return (pod) =>
    failed.has(pod.uid) ||
    also.includes(pod) ||
    (restartRoles.includes(pod.role) && pod.incarnation < (incarnations[pod.role] ?? 0));
}

/** Those that are not named by their uid. */
export function alsoReplaced(
  cluster: ModelCluster,
  { attempt, replaceAlso = {}, incarnations = {} }: Of<'restorePods' | 'scale'>,
): ModelPod[] {
  const indices = new Map(Object.entries(replaceAlso).map(([role, ranges]) => [role, parseRanges(ranges)]));
  return cluster.pods.filter(
    (pod) =>
      pod.attempt === attempt &&
      pod.state === 'failed' &&
      pod.incarnation < (incarnations[pod.role] ?? 0) &&
      indices.get(pod.role)?.includes(pod.index),
  );
}

function* scale(performance: Performance, effect: Of<'scale'>): Activity {
  const { cluster, plan } = performance;
  const sizes = new Map(plan.roles.map(({ name, replicas }) => [name.toLowerCase(), replicas]));
  const isUnwanted = isReplaced(cluster, effect);
  const isExcess = ({ attempt, role, index }: ModelPod) =>
    attempt === effect.attempt && index >= (sizes.get(role) ?? 0);
  const excess = cluster.pods
    .filter((pod) => isExcess(pod) || isUnwanted(pod))
    .sort((a, b) => b.index - a.index);
  const gone = yield* deleteEach(cluster, excess);
  const left = yield* findLeft(cluster, excess, effect);
  if (left.length > 0) return whoStays(left);
  const made = yield* createMissing(performance, effect, true);
  return { resourceVersion: Math.max(gone, made) };
}

/** What a node may take to say that a pod has ended. */
const WORD_OF_NODE_MS = 10_000;

function* drain({ cluster, plan }: Performance, effect: Of<'drain'>): Activity {
  const ofAttempt = () => cluster.pods.filter((pod) => pod.attempt <= effect.attempt);
  yield* deleteEach(cluster, ofAttempt());
  if (cluster.group <= effect.attempt) cluster.setGroup(0);
  const gangSize = totalReplicas(plan.roles);
  return whoStays(yield* findLeft(cluster, ofAttempt(), { ...effect, gangSize }));
}

const suspend = (performance: Performance, effect: Of<'suspend'>): Activity =>
  cleanUp(performance, { ...effect, type: 'cleanUp', scope: 'All', outcome: 'Stopped' });

function* cleanUp(
  { cluster, plan }: Performance,
  { scope, graceSeconds, ...how }: Of<'cleanUp'> & Removal,
): Activity {
  const graceMs = graceSeconds === undefined ? undefined : graceSeconds * 1000;
  const isNamed = (pod: ModelPod) => {
    const outlives = hasEnded(pod) && pod.hasSidecar;
    return scope === 'None' ? outlives : scope !== 'Running' || outlives || !hasEnded(pod);
  };
  const pods = cluster.pods.filter(isNamed);
  yield* deleteEach(cluster, pods, graceMs);
  cluster.setGroup(0);
  return whoStays(yield* findLeft(cluster, pods, { ...how, gangSize: totalReplicas(plan.roles) }));
}

const whoStays = (left: readonly ModelPod[]): Done => ({
  resourceVersion: Math.max(0, ...left.map(({ resourceVersion }) => resourceVersion)),
  ...(left.length > 0 ? { stuckPods: left.map(stuckPodOf) } : {}),
});

const stuckPodOf = ({ name: pod, uid, node, leavesAt = 0 }: ModelPod): StuckPod => ({
  ...{ pod, uid, node },
  until: leavesAt + WORD_OF_NODE_MS,
});

/** A program that ends with code 1 has said what the policy's patterns look for. */
function* capture({ cluster, plan }: Performance, { pods = [], attempt }: Of<'capture'>): Activity {
  const patterns = (plan.policy?.failures.rules ?? []).flatMap(({ pattern }, index) =>
    pattern ? [index] : [],
  );
  const evidence: EvidenceSummary[] = [];
  for (const { uid } of pods) {
    yield;
    const pod = cluster.pods.find((one) => one.uid === uid);
    if (!pod) continue;
    const matches = (pod.failure ?? pod.crash)?.exitCode === 1 ? patterns : [];
    const takenAt = new Date(cluster.now).toISOString();
    const place = { pod: pod.name, uid, role: pod.role, index: pod.index, attempt };
    evidence.push({ ...place, container: 'pytorch', takenAt, matches, ends: pod.crash?.ends });
  }
  yield;
  return { resourceVersion: 0, evidence };
}

function* deleteEach(
  cluster: ModelCluster,
  pods: readonly ModelPod[],
  graceMs?: number,
): Generator<void, number> {
  let resourceVersion = 0;
  for (const pod of pods) {
    yield;
    if (!cluster.pods.includes(pod)) continue;
    cluster.delete(pod, graceMs);
    resourceVersion = Math.max(resourceVersion, pod.resourceVersion);
  }
  return resourceVersion;
}

interface Removal {
  readonly again?: boolean;
  readonly force?: boolean;
  readonly leavesSilent?: boolean;
}

/** An activity waits for a moment only. */
const MOMENT_MS = 1_000;

/** Gives those that are left after a moment; by force those are removed whose own time is over. */
function* findLeft(
  cluster: ModelCluster,
  pods: readonly ModelPod[],
  { again, force, leavesSilent, gangSize = 0 }: Removal & { readonly gangSize?: number },
): Generator<void, readonly ModelPod[]> {
  const until = again ? 0 : cluster.now + MOMENT_MS;
  for (;;) {
    const left = pods.filter((pod) => cluster.pods.includes(pod));
    const overdue = left.filter(({ leavesAt = 0 }) => force && leavesAt + WORD_OF_NODE_MS < cluster.now);
    for (const pod of overdue) cluster.remove(pod);
    const isLeft = leavesSilent && left.length < gangSize && left.every(cluster.isSilent);
    for (const pod of isLeft ? left : []) cluster.leave(pod);
    if (overdue.length > 0 || (isLeft && left.length > 0)) continue;
    if (left.length === 0 || cluster.now >= until) return left;
    yield;
  }
}

interface Wanted {
  readonly attempt: number;
  readonly succeededIndices: Readonly<Record<string, string>>;
  readonly roles?: readonly string[];
  readonly incarnations?: Readonly<Record<string, number>>;
  readonly meeting?: number;
}

/** Gives the resource version that a digest must have read to know of all these pods. */
function* createMissing(
  { cluster, plan }: Performance,
  { attempt, succeededIndices, roles, incarnations = {}, meeting = 0 }: Wanted,
  looksFirst: boolean,
): Generator<void, number> {
  const isThere = (pod: ModelPod) => pod.attempt >= attempt && pod.leavesAt === undefined;
  const strays = cluster.pods.filter((pod) => pod.attempt < attempt && pod.leavesAt === undefined);
  if (looksFirst) yield* deleteEach(cluster, strays);
  const existing = looksFirst ? cluster.pods.filter(isThere) : [];
  const names = new Set(existing.map(({ name }) => name));
  let resourceVersion = existing.reduce((highest, pod) => Math.max(highest, pod.resourceVersion), 0);
  for (const replica of replicasOf(plan, { succeededIndices, roles })) {
    if (names.has(nameOf(replica))) continue;
    yield;
    const present = cluster.find(nameOf(replica));
    if (present && (!isThere(present) || present.attempt !== attempt)) throw new StillLeaving();
    const made =
      present ??
      cluster.create({ ...replica, attempt, meeting, incarnation: incarnations[replica.role] ?? 0 });
    resourceVersion = Math.max(resourceVersion, made.resourceVersion);
  }
  return resourceVersion;
}

function replicasOf(plan: Plan, { succeededIndices, roles }: Pick<Wanted, 'succeededIndices' | 'roles'>) {
  const { ladder } = plan.policy?.restart ?? {};
  const hasKubelet = ladder?.some(({ scope }) => scope === 'container') ?? true;
  return plan.roles
    .filter(({ name }) => !roles || roles.includes(name))
    .flatMap(({ name, replicas, restartPolicy, onFailure }) => {
      const role = name.toLowerCase();
      const finished = new Set(parseRanges(succeededIndices[role] ?? ''));
      const isOfKubelet = !onFailure && (restartPolicy === 'Always' || restartPolicy === 'OnFailure');
      const isRestartedInPlace = hasKubelet && isOfKubelet;
      // The first pods have sidecars, as some templates have.
      const replicaAt = (index: number) => ({ role, index, isRestartedInPlace, hasSidecar: index === 0 });
      return Array.from({ length: replicas }, (_, index) => replicaAt(index)).filter(
        ({ index }) => !finished.has(index),
      );
    });
}
