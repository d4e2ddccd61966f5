import { parseRanges } from '../../contracts/index-ranges.ts';
import { isFinal } from '../../contracts/status.ts';
import { countRestarts } from '../../machines/job-context.ts';
import type { Effect, JobEvent } from '../../machines/job-events.ts';
import { policyOf } from '../../machines/policy.ts';
import { type Job, positionOf } from '../../machines/step.ts';
import { isNamedBy } from './model-activities.ts';
import type { ModelCluster, ModelPod } from './model-cluster.ts';
import type { ModelHost, Witness } from './model-host.ts';

/** A job did what it never may. */
export class BrokenPromise extends Error {}

/** Looks at all that a job does, remembers what must not be forgotten, and says at once when a promise is broken. */
export class Promises implements Witness {
  readonly #cluster: ModelCluster;
  host?: ModelHost;
  /** Told to the machine: `attempt/role/index`. */
  #succeeded = new Set<string>();
  /** Of these, what the effect under way can know. */
  #known: ReadonlySet<string> = new Set();
  /** Uids of pods of which evidence was taken, or tried to. */
  #captured = new Set<string>();
  #asked: readonly string[] = [];
  /** Uids of pods that were to be made again. */
  #replaced = new Set<string>();
  /** Attempts that began for another reason than a failure. */
  #asIntended = 0;
  #cleanUp?: Effect & { readonly type: 'cleanUp' };

  constructor(cluster: ModelCluster) {
    this.#cluster = cluster;
    cluster.onCreate = (pod) => this.#created(pod);
  }

  scheduled(effect: Effect): void {
    this.#known = new Set(this.#succeeded);
    if (effect.type === 'cleanUp') this.#cleanUp = effect;
    if (effect.type === 'capture') this.#asked = (effect.pods ?? []).map(({ uid }) => uid);
  }

  stepped(before: Job, event: JobEvent, after: Job, effects: readonly Effect[]): void {
    this.#learn(event, after);
    for (const [promise, isKept] of Object.entries(ALWAYS)) keep(promise, isKept(before, after, effects));
    keep('evidence comes before deletion', this.#isExamined(before, after, effects));
    keep('what is made again is charged', this.#isCharged(before, after, effects));
    this.#expectEmptiness(event, after);
  }

  #learn(event: JobEvent, after: Job): void {
    const { digest, attempt } = after.snapshot.context;
    if (event.type === 'digest' && event.digest === digest && digest.attempt === attempt) {
      for (const [role, { done }] of Object.entries(digest.roles)) {
        for (const index of parseRanges(done)) this.#succeeded.add(`${attempt}/${role}/${index}`);
      }
    }
    if ('effect' in event && event.effect === 'capture') for (const uid of this.#asked) this.#captured.add(uid);
  }

  #created({ role, index, attempt }: Pick<ModelPod, 'role' | 'index' | 'attempt'>): void {
    const { pods } = this.#cluster;
    keep('no pods of two attempts', pods.every((pod) => pod.attempt === attempt));
    const { host } = this;
    if (!host || host.isCancelling) return;
    keep('no pod after the outcome', host.context.outcome === undefined);
    keep('no pod while suspended', !host.state.startsWith('Suspended.'));
    keep('what has succeeded is not run again', !this.#known.has(`${attempt}/${role}/${index}`));
  }

  #isExamined(before: Job, after: Job, effects: readonly Effect[]): boolean {
    const { digest, generation } = after.snapshot.context;
    if (generation !== 2) return true;
    const shown = new Set((digest?.failures ?? []).map(({ uid }) => uid));
    const isTaken = (uid: string) => !shown.has(uid) || this.#captured.has(uid);
    return effects.every((effect) => {
      if (effect.type === 'restorePods') return effect.replace.every(({ uid }) => isTaken(uid));
      const isFirstDrain = effect.type === 'drain' && positionOf(before.snapshot).state !== 'Restarting.Draining';
      const removesFailed = effect.type === 'cleanUp' && effect.outcome === 'Failed' && effect.scope === 'All';
      return !(isFirstDrain || removesFailed) || [...shown].every(isTaken);
    });
  }

  #isCharged(before: Job, after: Job, effects: readonly Effect[]): boolean {
    for (const effect of effects) {
      if (effect.type === 'restorePods') for (const { uid } of effect.replace) this.#replaced.add(uid);
    }
    const { attempt, restarts } = after.snapshot.context;
    if (attempt > before.snapshot.context.attempt && isIntended(before)) this.#asIntended++;
    return Math.max(this.#replaced.size, attempt - 1 - this.#asIntended) <= restarts.replaced;
  }

  /** Where a job rests, or has ended, nothing is left of what is to be gone; what is on dead nodes was told to end. */
  #expectEmptiness(event: JobEvent, after: Job): void {
    const { pods } = this.#cluster;
    const { state } = positionOf(after.snapshot);
    if (state === 'Suspended.Resting') keep('a suspended job has no pods', pods.length === 0);
    const scope = this.#cleanUp?.scope;
    if (scope && isFinal(state) && event.type === 'effectDone') {
      const left = pods.filter((pod) => isNamedBy(scope, pod));
      keep('nothing is left that should go', left.every(({ leavesAt }) => leavesAt !== undefined));
    }
  }
}

/** After a suspension, and for other sizes. */
const isIntended = ({ snapshot }: Job) =>
  positionOf(snapshot).state.startsWith('Suspended.') || snapshot.context.amended !== undefined;

function keep(promise: string, isKept: boolean): void {
  if (!isKept) throw new BrokenPromise(`not kept: ${promise}`);
}

type Promised = (before: Job, after: Job, effects: readonly Effect[]) => boolean;

/** What a step of the machine may never do. */
const ALWAYS: Readonly<Record<string, Promised>> = {
  'one change at a time': (_, __, effects) =>
    effects.filter(({ type }) => type !== 'publishRoster' && type !== 'publishRules').length <= 1,
  'nothing is wanted after the end': ({ snapshot }, _, effects) =>
    snapshot.status !== 'done' || effects.length === 0,
  'an outcome stays as it is': (before, after) => {
    const [was, is] = [before, after].map(({ snapshot }) => snapshot.context.outcome);
    return was === undefined || JSON.stringify(was) === JSON.stringify(is);
  },
  'attempts come one after the other': (before, after) => {
    const more = after.snapshot.context.attempt - before.snapshot.context.attempt;
    return more === 0 || more === 1;
  },
  'restarts are never taken back': (before, after) => {
    const [had, has] = [before, after].map(({ snapshot }) => snapshot.context.restarts);
    return Math.min(...Object.values(has!)) >= 0 && countRestarts(has!) >= countRestarts(had!);
  },
  'no budget is overspent': (before, { snapshot: { context } }) => {
    const { classes } = policyOf(context).failures;
    return Object.entries(context.charges ?? {}).every(([name, charged]) => {
      const isNew = charged > (before.snapshot.context.charges?.[name] ?? 0);
      return charged >= 0 && (!isNew || charged <= (classes[name]?.budget ?? Number.POSITIVE_INFINITY));
    });
  },
  'exempt are only restarts that were made': (_, { snapshot: { context } }) =>
    (context.exempt ?? 0) >= 0 && (context.exempt ?? 0) <= countRestarts(context.restarts),
  'backoffLimit is not exceeded': (before, { snapshot: { context } }) => {
    const { backoffLimit = Number.POSITIVE_INFINITY } = context.plan.runPolicy;
    const isNew = context.restarts.replaced > before.snapshot.context.restarts.replaced;
    return !isNew || countRestarts(context.restarts) - (context.exempt ?? 0) <= backoffLimit;
  },
};
