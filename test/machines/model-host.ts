import type { Digest } from '../../contracts/digest.ts';
import type { Plan } from '../../contracts/training-job.ts';
import type { Cause } from '../../contracts/types.ts';
import { positionOf } from '../../machines/chart/position.ts';
import type { Effect } from '../../machines/model/effects.ts';
import type { JobEvent } from '../../machines/model/job-events.ts';
import { begin, type JobState, restore, save, step } from '../../machines/step.ts';
import { EventQueue } from '../../workflows/event-queue.ts';
import { ANCHOR, planned } from './builders.ts';
import { type Activity, perform, StillLeaving } from './model-activities.ts';
import type { ModelCluster } from './model-cluster.ts';

/** What is under way. */
interface Lane {
  readonly effect: Effect;
  /** Of the revision that it was decided for. */
  readonly plan: Plan;
  activity: Activity;
}

export interface Start {
  readonly plan: Plan;
  readonly queued: boolean;
}

/** Told of all that a job does, step by step. */
export interface StepObserver {
  stepped(before: JobState, event: JobEvent, after: JobState, effects: readonly Effect[]): void;
  scheduled(effect: Effect): void;
}

/** The workflow of one job, as workflows/ has it: an inbox, timers, and one change at a time. */
export class ModelHost {
  job: JobState;
  /** Of the newest revision: the machine may not have let it take effect yet. */
  plan: Plan;
  /** Its number. */
  revision = 1;
  readonly cluster: ModelCluster;
  lane?: Lane;
  /** What an activity still does after it was cancelled, in writes. */
  slack = 0;
  isCancelling = false;
  readonly #observer: StepObserver;
  readonly #inbox = new EventQueue();
  #alarms = new Map<string, { readonly at: number; isOver: boolean }>();

  constructor({ plan, queued }: Start, cluster: ModelCluster, observer: StepObserver) {
    this.cluster = cluster;
    this.plan = plan;
    this.#observer = observer;
    const gang = queued ? 'volcano' : 'none';
    const gate = queued ? 'group' : undefined;
    const input = { ...planned(plan), gate, anchorUid: ANCHOR, gang, countsStarts: true } as const;
    const { job, effects } = begin({ ...input, at: cluster.now });
    this.job = job;
    this.#follow(effects);
  }

  get context() {
    return this.job.snapshot.context;
  }

  get state() {
    return positionOf(this.job.snapshot).state;
  }

  get isOver() {
    return this.job.snapshot.status === 'done';
  }

  push(event: JobEvent): void {
    this.#inbox.push(event);
  }

  receive(digest: Digest): void {
    this.#inbox.pushDigest(digest, this.cluster.now);
  }

  /** The machine takes in what has come. */
  wake(): void {
    for (let event = this.#inbox.take(); event && !this.isOver; event = this.#inbox.take()) {
      const before = this.job;
      const { job, effects } = step(before, event);
      this.job = job;
      this.#observer.stepped(before, event, job, effects);
      this.#follow(effects);
    }
  }

  /** Activities get on by so many writes; what is done is told. */
  work(writes: number): void {
    const { lane } = this;
    for (let left = writes; lane && lane === this.lane && left > 0; left--) {
      const done = this.#advance(lane);
      if (!done) continue;
      this.lane = undefined;
      this.#answer(lane.effect.type, done);
    }
  }

  /** Its worker dies: another one begins anew. */
  retry(): void {
    if (this.lane) this.lane.activity = this.#begin(this.lane, true);
  }

  /** It cannot be done, and never will. */
  giveUp(cause: Cause): void {
    const effect = this.lane?.effect;
    this.lane = undefined;
    if (effect) this.push({ type: 'effectFailed', effect: effect.type, cause, at: this.cluster.now });
  }

  /** The next timer, if it is due by then, goes off. */
  waitUntil(latest: number): void {
    const next = this.nextTimer();
    this.cluster.now = Math.max(this.cluster.now, Math.min(latest, next?.at ?? latest));
    if (next && next.at <= latest) this.#fire(next.name);
  }

  /** Nobody is there to hear timers until then; all that are due go off together. */
  sleepUntil(then: number): void {
    this.cluster.now = then;
    for (let next = this.nextTimer(); next && next.at <= then; next = this.nextTimer()) this.#fire(next.name);
  }

  nextTimer() {
    const pending = [...this.#alarms].filter(([, { isOver }]) => !isOver);
    const [first] = pending.sort(([, a], [, b]) => a.at - b.at);
    return first && { name: first[0], at: first[1].at };
  }

  /** Another run of the workflow goes on with the JSON of this one; what was under way is done again. */
  continueAsNew(): void {
    const { lane } = this;
    this.#cancel();
    this.job = restore(JSON.parse(JSON.stringify(save(this.job))));
    this.#alarms = new Map();
    this.#follow(lane ? [lane.effect] : []);
  }

  #follow(effects: readonly Effect[]): void {
    // Nothing is refused for now in this model that somebody could have tried again.
    for (const effect of effects) if (effect.type !== 'tryAgain') this.#schedule(effect);
    this.#setTimers();
  }

  /** What is under way is cancelled, and waited for, before. */
  #schedule(effect: Effect): void {
    this.#cancel();
    this.#observer.scheduled(effect);
    const lane = { effect, plan: this.context.plan };
    this.lane = { ...lane, activity: this.#begin(lane, false) };
  }

  #cancel(): void {
    const { lane } = this;
    this.isCancelling = true;
    for (let left = this.slack; lane && left > 0; left--) if (this.#advance(lane)) break;
    this.isCancelling = false;
    this.lane = undefined;
  }

  #begin = ({ effect, plan }: Pick<Lane, 'effect' | 'plan'>, isRetry: boolean) =>
    perform(effect, { cluster: this.cluster, plan, isRetry });

  #advance(lane: Lane) {
    try {
      const { done, value } = lane.activity.next();
      return done ? value : undefined;
    } catch (error) {
      if (!(error instanceof StillLeaving)) throw error;
      lane.activity = this.#begin(lane, true);
      return undefined;
    }
  }

  #answer(effect: Effect['type'], done: object): void {
    this.push({ type: 'effectDone', effect, resourceVersion: 0, ...done, at: this.cluster.now });
  }

  /** As workflows/timers.ts: one that is over is armed again only if its time changes. */
  #setTimers(): void {
    const { deadlines } = this.job;
    for (const [name, { at }] of this.#alarms) if (deadlines[name] !== at) this.#alarms.delete(name);
    for (const [name, at] of Object.entries(deadlines)) {
      if (!this.#alarms.has(name)) this.#alarms.set(name, { at, isOver: false });
    }
  }

  #fire(name: string): void {
    this.#alarms.get(name)!.isOver = true;
    this.push({ type: 'deadline', name, at: this.cluster.now });
  }
}
