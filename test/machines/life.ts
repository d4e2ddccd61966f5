import type { Cause } from '../../contracts/status.ts';
import type { Effect, JobEvent } from '../../machines/job-events.ts';
import { statusOf } from '../../machines/job-status.ts';
import { begin, type Job, restore, save, step } from '../../machines/step.ts';
import { ANCHOR, type DigestBuilder, type PlanBuilder } from './builders.ts';

/** 2026-01-01T00:00:00Z */
export const START = 1_767_225_600_000;

/** A job that lives through events, a second apart, and remembers what it wanted done. */
export class Life {
  private now = START;
  private current: Job;
  /** What the last event led to. */
  effects: readonly Effect[];

  constructor(plan: PlanBuilder, { queued = false } = {}) {
    const gang = queued ? 'volcano' : 'native';
    const { job, effects } = begin({ plan: plan.build(), anchorUid: ANCHOR, gang, queued }, this.now);
    this.current = job;
    this.effects = effects;
  }

  get status() {
    return statusOf(this.current, []);
  }

  get state() {
    return this.status.state;
  }

  get context() {
    return this.current.snapshot.context;
  }

  /** Types and status of the conditions, e.g. `Running=True`, in order. */
  get conditions() {
    return this.status.conditions.map(({ type, status }) => `${type}=${status}`);
  }

  get states() {
    return this.status.timeline.map(({ state }) => state);
  }

  hears(digest: DigestBuilder) {
    return this.live({ type: 'digest', digest: digest.build(), at: this.tick() });
  }

  /** The effect is done; digests count from this revision on. */
  does(effect: Effect['type'], revision = 0) {
    return this.live({ type: 'effectDone', effect, revision, at: this.tick() });
  }

  failsTo(effect: Effect['type'], cause: Cause) {
    return this.live({ type: 'effectFailed', effect, cause, at: this.tick() });
  }

  stop(message = 'stopped by ana') {
    return this.live({ type: 'stop', cause: { reason: 'StopRequested', message }, at: this.tick() });
  }

  suspend(message = 'suspended by ana') {
    return this.live({ type: 'suspend', cause: { reason: 'Suspended', message }, at: this.tick() });
  }

  resume(message = 'resumed by ana') {
    return this.live({ type: 'resume', cause: { reason: 'Suspended', message }, at: this.tick() });
  }

  reachesDeadline() {
    return this.live({ type: 'deadline', name: 'activeDeadline', at: this.tick() });
  }

  backsOff() {
    return this.live({ type: 'deadline', name: 'backOff', at: this.tick() });
  }

  /** Goes on in a new workflow run, with nothing but the JSON of the old one. */
  continueAsNew() {
    this.current = restore(JSON.parse(JSON.stringify(save(this.current))));
    return this;
  }

  private live(event: JobEvent) {
    const { job, effects } = step(this.current, event);
    this.current = job;
    this.effects = effects;
    return this;
  }

  private tick() {
    this.now += 1000;
    return this.now;
  }
}

export const aLife = (plan: PlanBuilder) => new Life(plan);

/** Of a job whose scheduler lets the group in before there are pods. */
export const aQueuedLife = (plan: PlanBuilder) => new Life(plan, { queued: true });
