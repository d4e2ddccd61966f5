import type { EvidenceSummary } from '../../contracts/evidence.ts';
import { parseRanges } from '../../contracts/index-ranges.ts';
import type { Plan } from '../../contracts/training-job.ts';
import type { Effect, Left } from '../../machines/job-events.ts';
import { GRACE_MS, hasEnded, type ModelCluster, type ModelPod, nameOf } from './model-cluster.ts';

/**
 * What activities do to a cluster, write by write: at each `yield` others may come in between, and an activity that is
 * cancelled, or whose worker is gone, ends there. As they are idempotent, one that begins again looks at what is there.
 */
export type Activity = Generator<void, Done>;

export interface Done {
  readonly revision: number;
  readonly evidence?: readonly EvidenceSummary[];
  readonly left?: readonly Left[];
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
      return drain(cluster, effect);
    case 'suspend':
      return suspend(cluster, effect);
    case 'cleanUp':
      return cleanUp(cluster, effect);
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
  return { revision: 0 };
}

function* createAttempt(performance: Performance, effect: Of<'createAttempt' | 'launch'>): Activity {
  const done = effect.type === 'launch' ? effect.done : {};
  const revision = yield* createMissing(performance, { ...effect, done }, performance.isRetry);
  return { revision };
}

function* restorePods(performance: Performance, effect: Of<'restorePods'>): Activity {
  const { cluster } = performance;
  const { replace, restartRoles = [], lives = {} } = effect;
  const failed = new Set(replace.map(({ uid }) => uid));
  const unwanted = cluster.pods.filter(
    (pod) => failed.has(pod.uid) || (restartRoles.includes(pod.role) && pod.life < (lives[pod.role] ?? 0)),
  );
  const gone = yield* deleteEach(cluster, unwanted);
  const left = yield* untilGone(cluster, unwanted, limitsOf(cluster, effect));
  if (left.length > 0) return whoStays(left);
  const made = yield* createMissing(performance, effect, true);
  return { revision: Math.max(gone, made) };
}

function* scale(performance: Performance, effect: Of<'scale'>): Activity {
  const { cluster, plan } = performance;
  const sizes = new Map(plan.roles.map(({ name, replicas }) => [name.toLowerCase(), replicas]));
  const excess = cluster.pods
    .filter(({ attempt, role, index }) => attempt === effect.attempt && index >= (sizes.get(role) ?? 0))
    .sort((a, b) => b.index - a.index);
  const gone = yield* deleteEach(cluster, excess);
  const left = yield* untilGone(cluster, excess, limitsOf(cluster, effect));
  if (left.length > 0) return whoStays(left);
  const made = yield* createMissing(performance, effect, true);
  return { revision: Math.max(gone, made) };
}

/** What a node may take to say that a pod has ended. */
const WORD_OF_NODE_MS = 10_000;

function* drain(cluster: ModelCluster, { attempt, patient, force }: Of<'drain'>): Activity {
  const ofAttempt = () => cluster.pods.filter((pod) => pod.attempt <= attempt);
  yield* deleteEach(cluster, ofAttempt());
  if (cluster.group <= attempt) cluster.setGroup(0);
  return whoStays(yield* untilGone(cluster, ofAttempt(), limitsOf(cluster, { patient, force })));
}

const limitsOf = (
  { now }: ModelCluster,
  { patient, force }: { readonly patient?: boolean; readonly force?: boolean },
) => ({
  isForced: force,
  limit: patient ? Number.POSITIVE_INFINITY : now + GRACE_MS + WORD_OF_NODE_MS,
});

const suspend = (cluster: ModelCluster, effect: Of<'suspend'>): Activity =>
  cleanUp(cluster, { type: 'cleanUp', scope: 'All', outcome: 'Stopped' }, limitsOf(cluster, effect));

/** How long a pod may take to leave after its grace period; one on a dead node may never. */
const LEAVE_MS = 90_000;

function* cleanUp(
  cluster: ModelCluster,
  { scope, graceSeconds }: Of<'cleanUp'>,
  limits?: ReturnType<typeof limitsOf>,
): Activity {
  const graceMs = graceSeconds === undefined ? undefined : graceSeconds * 1000;
  const isNamed = (pod: ModelPod) => scope !== 'None' && (scope !== 'Running' || !hasEnded(pod));
  const pods = cluster.pods.filter(isNamed);
  yield* deleteEach(cluster, pods, graceMs);
  cluster.setGroup(0);
  const limit = cluster.now + (graceMs ?? GRACE_MS) + LEAVE_MS;
  return whoStays(yield* untilGone(cluster, pods, limits ?? { limit }));
}

const whoStays = (left: readonly ModelPod[]): Done => ({
  revision: 0,
  ...(left.length > 0 ? { left: left.map(({ name: pod, node }) => ({ pod, node })) } : {}),
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
    const matches = pod.failure?.exitCode === 1 ? patterns : [];
    const takenAt = new Date(cluster.now).toISOString();
    evidence.push({ pod: pod.name, uid, role: pod.role, index: pod.index, attempt, takenAt, matches });
  }
  yield;
  return { revision: 0, evidence };
}

function* deleteEach(
  cluster: ModelCluster,
  pods: readonly ModelPod[],
  graceMs?: number,
): Generator<void, number> {
  let revision = 0;
  for (const pod of pods) {
    yield;
    if (!cluster.pods.includes(pod)) continue;
    cluster.delete(pod, graceMs);
    revision = Math.max(revision, pod.revision);
  }
  return revision;
}

/** Gives those that are left when the time is over; by force those are removed whose own time is. */
function* untilGone(
  cluster: ModelCluster,
  pods: readonly ModelPod[],
  { isForced = false, limit = Number.POSITIVE_INFINITY } = {},
): Generator<void, readonly ModelPod[]> {
  for (;;) {
    const left = pods.filter((pod) => cluster.pods.includes(pod));
    if (left.length === 0 || cluster.now > limit) return left;
    if (isForced) for (const pod of left) if ((pod.leavesAt ?? 0) <= cluster.now) cluster.remove(pod);
    yield;
  }
}

interface Wanted {
  readonly attempt: number;
  readonly done: Readonly<Record<string, string>>;
  readonly roles?: readonly string[];
  readonly lives?: Readonly<Record<string, number>>;
}

/** Gives the revision that a digest must have read to know of all these pods. */
function* createMissing(
  { cluster, plan }: Performance,
  { attempt, done, roles, lives = {} }: Wanted,
  looksFirst: boolean,
): Generator<void, number> {
  const isThere = (pod: ModelPod) => pod.attempt >= attempt && pod.leavesAt === undefined;
  const strays = cluster.pods.filter((pod) => pod.attempt < attempt && pod.leavesAt === undefined);
  if (looksFirst) yield* deleteEach(cluster, strays);
  const existing = looksFirst ? cluster.pods.filter(isThere) : [];
  const names = new Set(existing.map(({ name }) => name));
  let revision = existing.reduce((highest, pod) => Math.max(highest, pod.revision), 0);
  for (const replica of replicasOf(plan, { done, roles })) {
    if (names.has(nameOf(replica))) continue;
    yield;
    const present = cluster.find(nameOf(replica));
    if (present && (!isThere(present) || present.attempt !== attempt)) throw new StillLeaving();
    const made = present ?? cluster.create({ ...replica, attempt, life: lives[replica.role] ?? 0 });
    revision = Math.max(revision, made.revision);
  }
  return revision;
}

function replicasOf(plan: Plan, { done, roles }: Pick<Wanted, 'done' | 'roles'>) {
  const { ladder } = plan.policy?.restart ?? {};
  const hasKubelet = ladder?.some(({ scope }) => scope === 'container') ?? true;
  return plan.roles
    .filter(({ name }) => !roles || roles.includes(name))
    .flatMap(({ name, replicas, restartPolicy, onFailure }) => {
      const role = name.toLowerCase();
      const finished = new Set(parseRanges(done[role] ?? ''));
      const isOfKubelet = !onFailure && (restartPolicy === 'Always' || restartPolicy === 'OnFailure');
      const isRestartedInPlace = hasKubelet && isOfKubelet;
      return Array.from({ length: replicas }, (_, index) => ({ role, index, isRestartedInPlace })).filter(
        ({ index }) => !finished.has(index),
      );
    });
}
