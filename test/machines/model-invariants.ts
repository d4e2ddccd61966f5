import { isFinal } from '../../contracts/status.ts';
import type { Plan } from '../../contracts/training-job.ts';
import { parseRanges } from '../../language/index-ranges.ts';
import { positionOf } from '../../machines/chart/position.ts';
import { resizes } from '../../machines/gang/scaling.ts';
import type { Effect } from '../../machines/model/effects.ts';
import type { JobEvent } from '../../machines/model/job-events.ts';
import { jobPolicy } from '../../machines/model/policy.ts';
import { findLeft } from '../../machines/nodes/leaving-nodes.ts';
import type { JobState } from '../../machines/step.ts';
import { alsoReplaced } from './model-activities.ts';
import { hasEnded, type ModelCluster, type ModelPod } from './model-cluster.ts';
import type { ModelHost, StepObserver } from './model-host.ts';
import { STEP_INVARIANTS } from './model-step-invariants.ts';

/** Thrown when a job does what it never may. */
export class InvariantViolation extends Error {}

/** Checks each step of a job against the invariants, with what the job must remember. */
export class ModelInvariants implements StepObserver {
  readonly #cluster: ModelCluster;
  host?: ModelHost;
  /** Told to the machine: `attempt/role/index`. */
  #succeeded = new Set<string>();
  /** Of these, what the effect under way can know. */
  #known: ReadonlySet<string> = new Set();
  /** What is under way, or was last. */
  #last?: Effect;
  /** Uids of pods of which evidence was taken, or tried to. */
  #captured = new Set<string>();
  #asked: readonly string[] = [];
  /** Uids of pods that were to be made again. */
  #replaced = new Set<string>();
  /** Uids of pods whose sidecars ran alone when the clean-up began; what ends later is found by the watcher. */
  #lonely: readonly string[] = [];
  /** Attempts that began for another reason than a failure. */
  #asIntended = 0;
  /** Attempt for which other sizes were last asked for; they may have been taken back since. */
  #resizedAttempt?: number;
  #isLenient = false;
  /** Of attempts whose group was let in. */
  #admitted = 0;

  constructor(cluster: ModelCluster) {
    this.#cluster = cluster;
    cluster.onCreate = (pod) => this.#created(pod);
  }

  scheduled(effect: Effect): void {
    // Another run of the workflow does again what was under way, whatever was heard since.
    if (effect === this.#last) return;
    this.#last = effect;
    if (effect.type === 'createGroup' || effect.type === 'createAttempt') this.#expectOnly(effect.attempt);
    if (effect.type === 'restorePods') this.#clearSuccesses(effect.restartRoles ?? []);
    this.#known = new Set(this.#succeeded);
    if ('succeededIndices' in effect) this.#expectKnown(effect.attempt, effect.succeededIndices);
    if (effect.type === 'cleanUp')
      this.#lonely = this.#cluster.pods
        .filter((pod) => pod.hasSidecar && hasEnded(pod))
        .map(({ uid }) => uid);
    if (effect.type === 'capture') this.#asked = (effect.pods ?? []).map(({ uid }) => uid);
  }

  stepped(before: JobState, event: JobEvent, after: JobState, effects: readonly Effect[]): void {
    this.#update(before, event, after);
    if (event.type === 'amend' && resizes(before.snapshot.context, event.plan)) {
      this.#resizedAttempt = after.snapshot.context.attempt;
    }
    for (const [invariant, holds] of Object.entries(STEP_INVARIANTS)) {
      expectInvariant(invariant, holds(before, after, effects, event));
    }
    expectInvariant('evidence comes before deletion', this.#isExamined(before, after, effects));
    expectInvariant('what is made again is charged', this.#isCharged(before, after, effects));
    expectInvariant('only what has a budget is exempt from backoffLimit', this.#isRightlyExempt(after));
    this.#expectEmptiness(event, after);
  }

  #update({ snapshot }: JobState, event: JobEvent, after: JobState): void {
    if ('effect' in event && event.effect === 'capture')
      for (const uid of this.#asked) this.#captured.add(uid);
    const { digest, attempt, minResourceVersion } = after.snapshot.context;
    if (event.type !== 'digest' || event.digest !== digest || digest.attempt !== attempt) return;
    // What ends while it is told to stop has not succeeded.
    if (snapshot.context.restarting?.effect || digest.resourceVersions.pods < minResourceVersion) return;
    for (const [role, { succeededIndices }] of Object.entries(digest.roles)) {
      for (const index of parseRanges(succeededIndices)) this.#succeeded.add(`${attempt}/${role}/${index}`);
    }
  }

  /** What succeeded may be gone from the cluster: whoever makes pods has to be told. */
  #expectKnown(attempt: number, done: Readonly<Record<string, string>>): void {
    for (const one of this.#succeeded) {
      const [of, role = '', index] = one.split('/');
      const hasSucceeded = parseRanges(done[role] ?? '').includes(Number(index));
      expectInvariant('who has succeeded is told', hasSucceeded || Number(of) !== attempt);
    }
  }

  /** Roles that start again by themselves do so with all their pods. */
  #clearSuccesses(roles: readonly string[]): void {
    for (const one of this.#succeeded) if (roles.includes(one.split('/')[1]!)) this.#succeeded.delete(one);
  }

  #created({
    role,
    index,
    attempt,
    meeting,
  }: Pick<ModelPod, 'role' | 'index' | 'attempt' | 'meeting'>): void {
    this.#expectOnly(attempt);
    this.#expectFenced(meeting);
    const { host } = this;
    if (!host || host.isCancelling) return;
    if (this.#cluster.isGroupAdmitted) this.#admitted = attempt;
    expectInvariant('no pod before its group is let in', !host.context.gate || this.#admitted === attempt);
    expectInvariant('no pod after the outcome', host.context.outcome === undefined);
    expectInvariant('no pod while suspended', !isIn('Suspended', host.job));
    expectInvariant('what has succeeded is not run again', !this.#known.has(`${attempt}/${role}/${index}`));
  }

  #expectOnly(wanted: number): void {
    expectInvariant(
      'no two attempts at once',
      this.#cluster.pods.every(({ attempt }) => attempt === wanted),
    );
  }

  /** What was left behind makes no step, and meets nobody. */
  #expectFenced(meeting: number): void {
    const { leftBehind } = this.#cluster;
    expectInvariant(
      'who is left behind meets nobody',
      leftBehind.every((pod) => pod.meeting !== meeting),
    );
  }

  #isExamined(before: JobState, after: JobState, effects: readonly Effect[]): boolean {
    const { digest } = after.snapshot.context;
    const shown = new Set((digest?.failures ?? []).map(({ uid }) => uid));
    const isTaken = (uid: string) => !shown.has(uid) || this.#captured.has(uid);
    return effects.every((effect) => {
      if (effect.type === 'restorePods') return effect.replace.every(({ uid }) => isTaken(uid));
      const isFirstDrain = effect.type === 'drain' && !isIn('Restarting.Draining', before);
      const removesFailed =
        effect.type === 'cleanUp' && effect.outcome === 'Failed' && effect.scope === 'All';
      return !(isFirstDrain || removesFailed) || [...shown].every(isTaken);
    });
  }

  #isCharged(before: JobState, after: JobState, effects: readonly Effect[]): boolean {
    const { attempt, restarts, plan, digest } = after.snapshot.context;
    const ignored = plan.roles.filter(({ onFailure }) => onFailure?.do === 'ignore');
    const left = new Set(findLeft(before.snapshot.context).map(({ uid }) => uid));
    const isFree = (uid: string) =>
      left.has(uid) ||
      digest?.failures.some(
        (failure) =>
          failure.uid === uid &&
          failure.interruptedBy &&
          ignored.some(({ name }) => name.toLowerCase() === failure.role),
      );
    for (const effect of effects) {
      // One that goes on with pods that were left was charged when it began.
      if (effect.type !== 'restorePods' || effect.again) continue;
      const also = alsoReplaced(this.#cluster, effect);
      const replaced = [...effect.replace, ...also].filter(({ uid }) => !isFree(uid));
      for (const { uid } of replaced) this.#replaced.add(uid);
    }
    const isIntended =
      this.#isResized(after, effects) || isEvicted(after, effects) || leavesNode(after, effects);
    if (isResumed(before, after) || isIntended) this.#asIntended++;
    return Math.max(this.#replaced.size, attempt - 1 - this.#asIntended) <= restarts.replaced;
  }

  /** A restart for other sizes goes on when they are taken back: its pods may never have been created. */
  #isResized({ snapshot: { context } }: JobState, effects: readonly Effect[]): boolean {
    const { amended, attempt, restarting } = context;
    const isTakenBack = this.#resizedAttempt === attempt && restarting?.why === 'role sizes change';
    return (amended !== undefined || isTakenBack) && effects.some(({ type }) => type === 'drain');
  }

  /** Of a job of which nothing was ever free or paid back. */
  #isRightlyExempt({ snapshot: { context } }: JobState): boolean {
    const { restart, failures } = jobPolicy(context);
    const isFree = Object.values(failures.classes).some(({ free }) => free);
    this.#isLenient ||= isFree || restart.refundOnProgress;
    const charged = Object.values(context.charges ?? {}).reduce((sum, n) => sum + n, 0);
    return this.#isLenient || charged === (context.exempt ?? 0);
  }

  /** Where a job rests, or has ended, nothing is left of what is to be gone; what is on dead nodes was told to end. */
  #expectEmptiness(event: JobEvent, after: JobState): void {
    const { pods } = this.#cluster;
    const { state } = positionOf(after.snapshot);
    if (state === 'Suspended.Resting') expectInvariant('a suspended job has no pods', pods.length === 0);
    const isCleanedUp = event.type === 'effectDone' && event.effect === 'cleanUp';
    const { outcome, plan } = after.snapshot.context;
    if (!isFinal(state) || !isCleanedUp || !outcome) return;
    const goes = (pod: ModelPod) => this.#lonely.includes(pod.uid) || mustGo(plan, outcome.phase, pod);
    const left = pods.filter((pod) => pod.leavesAt === undefined && goes(pod));
    expectInvariant('nothing is left that should go', left.length === 0);
  }
}

/** As cleanPodPolicy says; what a stopped job has goes in any case. */
function mustGo({ runPolicy: { cleanPodPolicy } }: Plan, phase: string, pod: ModelPod): boolean {
  if (phase === 'Stopped' || cleanPodPolicy === 'All' || cleanPodPolicy === 'Always') return true;
  if (cleanPodPolicy === 'Running') return !hasEnded(pod);
  return cleanPodPolicy === (phase === 'Failed' ? 'OnFailure' : 'OnCompletion');
}

const isResumed = (before: JobState, after: JobState) =>
  isIn('Suspended', before) && !isIn('Suspended', after);

/** Nothing has failed: a gang that leaves a node is charged to nothing. */
const leavesNode = ({ snapshot: { context } }: JobState, effects: readonly Effect[]): boolean =>
  effects.some((effect) => effect.type === 'drain' && !effect.again) &&
  context.restarting?.charges !== undefined &&
  Object.keys(context.restarting.charges).length === 0;

/** Retried drains are not counted again. */
const isEvicted = ({ snapshot: { context } }: JobState, effects: readonly Effect[]) =>
  context.eviction !== undefined && effects.some((effect) => effect.type === 'drain' && !effect.again);

const isIn = (state: string, { snapshot }: JobState) => positionOf(snapshot).state.startsWith(state);

function expectInvariant(invariant: string, holds: boolean): void {
  if (!holds) throw new InvariantViolation(`violated: ${invariant}`);
}
