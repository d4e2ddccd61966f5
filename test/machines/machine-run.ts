import type { Digest } from '../../contracts/digest.ts';
import type { Plan } from '../../contracts/training-job.ts';
import type { Cause } from '../../contracts/types.ts';
import { statusOf } from '../../machines/job-status.ts';
import type { Effect } from '../../machines/model/effects.ts';
import type { JobEvent } from '../../machines/model/job-events.ts';
import type { NewEntry } from '../../machines/report/new-entry.ts';
import { begin, type JobState, restore, save, step } from '../../machines/step.ts';
import { ANCHOR, type DigestBuilder, type PlanBuilder, planned, someEvidence } from './builders.ts';

/** 2026-01-01T00:00:00Z */
export const START = 1_767_225_600_000;

type EffectDone = Extract<JobEvent, { readonly type: 'effectDone' }>;
type EffectDetails = Partial<
  Pick<
    EffectDone,
    | 'resourceVersion'
    | 'evidence'
    | 'stuckPods'
    | 'refused'
    | 'warnings'
    | 'isTurnOver'
    | 'isPlaced'
    | 'isUnadmitted'
  >
>;

interface MachineRunOptions {
  /** Its scheduler lets the group in before there are pods. */
  readonly queued?: boolean;
  /** It waits in a lane before it has pods. */
  readonly inLane?: boolean;
  /** Its pods have gates until there is room for all of them. */
  readonly gated?: 'gated' | 'gated-native';
  /** False for a job that began when the first start of one that begins suspended was attempt 2. */
  readonly countsStarts?: boolean;
  /** Evidence is taken at once, and shows nothing; else the test says when, and what it shows. Default true. */
  readonly findsNothing?: boolean;
}

/** Steps a machine through events, one second apart, and keeps the effects of the last one. */
export class MachineRun {
  private now = START;
  private current: JobState;
  /** What the last event led to. */
  effects: readonly Effect[];
  /** What the ledger says of it. */
  entry: NewEntry | undefined;

  readonly #findsNothing: boolean;

  constructor(
    plan: PlanBuilder,
    {
      queued = false,
      inLane = false,
      gated,
      findsNothing = true,
      countsStarts = true,
    }: MachineRunOptions = {},
  ) {
    const gang = gated ?? (queued ? 'volcano' : 'native');
    const { job, effects } = begin({
      ...planned(plan.build()),
      anchorUid: ANCHOR,
      gang,
      gate: inLane ? 'lane' : queued ? 'group' : undefined,
      at: this.now,
      ...(countsStarts ? { countsStarts } : {}),
    });
    this.#findsNothing = findsNothing;
    this.current = job;
    this.effects = effects;
  }

  get status() {
    return statusOf(this.current);
  }

  get state() {
    return this.status.state;
  }

  get context() {
    return this.current.snapshot.context;
  }

  /** When its timers ring. */
  get deadlines() {
    return this.current.deadlines;
  }

  /** Types and status of the conditions, e.g. `Running=True`, in order. */
  get conditions() {
    return this.status.conditions.map(({ type, status }) => `${type}=${status}`);
  }

  get states() {
    return this.status.timeline.map(({ state }) => state);
  }

  /** Epoch milliseconds of what happened last. */
  get time() {
    return this.now;
  }

  get lastCause() {
    return this.status.timeline.at(-1)?.cause;
  }

  /** Nothing happens for so long. */
  waits(seconds: number) {
    this.now += seconds * 1000;
    return this;
  }

  receives(digest: DigestBuilder) {
    return this.receivesDigest(digest.build());
  }

  /** A digest of a real watcher. */
  receivesDigest(digest: Digest) {
    return this.apply({ type: 'digest', digest, at: this.tick() });
  }

  /** The effect is done; digests count from this resource version on. */
  does(effect: Effect['type'], details: number | EffectDetails = 0) {
    const { resourceVersion = 0, ...rest } =
      typeof details === 'number' ? { resourceVersion: details } : details;
    return this.apply({ type: 'effectDone', effect, resourceVersion, ...rest, at: this.tick() });
  }

  /** Evidence is taken of the pods that were asked for; `matches` by pod: the rules whose pattern was found. */
  captures(matches: Readonly<Record<string, readonly number[]>> = {}) {
    const asked = this.effects.flatMap((effect) => (effect.type === 'capture' ? (effect.pods ?? []) : []));
    const evidence = asked.map(({ pod, uid }) => someEvidence({ pod, uid, matches: matches[pod] }));
    return this.does('capture', { evidence });
  }

  failsTo(effect: Effect['type'], cause: Cause) {
    return this.apply({ type: 'effectFailed', effect, cause, at: this.tick() });
  }

  /** The API server refuses it for now; it is tried again. */
  isRefused(effect: Effect['type'], cause: Cause, { isLimited = true } = {}) {
    return this.apply({ type: 'effectRefused', effect, cause, isLimited, at: this.tick() });
  }

  stop(message = 'stopped by ana', { checkpoint }: { readonly checkpoint?: boolean } = {}) {
    const cause = { reason: 'StopRequested', message } as const;
    return this.apply({ type: 'stop', cause, ...(checkpoint ? { checkpoint } : {}), at: this.tick() });
  }

  suspend(message = 'suspended by ana') {
    return this.apply({ type: 'suspend', cause: { reason: 'Suspended', message }, at: this.tick() });
  }

  resume(message = 'resumed by ana') {
    return this.apply({ type: 'resume', cause: { message }, at: this.tick() });
  }

  retryNow(message = 'retried at once by ana') {
    return this.apply({ type: 'retryNow', cause: { message }, at: this.tick() });
  }

  release(message = 'released by ana') {
    return this.apply({ type: 'release', cause: { message }, at: this.tick() });
  }

  hold(seconds: number, message = 'held by ana') {
    return this.apply({ type: 'hold', seconds, cause: { message }, at: this.tick() });
  }

  extendDeadline(seconds: number, message = 'extended by ana') {
    return this.apply({ type: 'extendDeadline', seconds, cause: { message }, at: this.tick() });
  }

  amend(plan: PlanBuilder | Plan, message = 'amended by ana') {
    const wanted = 'build' in plan ? plan.build() : plan;
    const { number } = (this.context.amended ?? this.context).revision;
    const next = planned(wanted, number + 1);
    return this.apply({ type: 'amend', ...next, cause: { message }, at: this.tick() });
  }

  reachesDeadline() {
    return this.fires('activeDeadline');
  }

  backsOff() {
    return this.fires('backOff');
  }

  /** A timer rings when its time has come. */
  reaches(name: string) {
    if (this.deadlines[name] === undefined) throw new Error(`no timer ${name} is running in ${this.state}`);
    return this.fires(name);
  }

  /** A timer has rung, though it may have been stopped since. */
  fires(name: string) {
    this.now = Math.max(this.deadlines[name] ?? 0, this.now);
    return this.apply({ type: 'deadline', name, at: this.now });
  }

  /** In how many seconds a timer rings; undefined: it does not run. */
  secondsTo(name: string) {
    const at = this.deadlines[name];
    return at === undefined ? undefined : (at - this.now) / 1000;
  }

  /** Goes on in a new workflow run, with nothing but the JSON of the old one. */
  continueAsNew() {
    this.current = restore(JSON.parse(JSON.stringify(save(this.current))));
    return this;
  }

  private apply(event: JobEvent) {
    const { job, effects, entry } = step(this.current, event);
    this.current = job;
    this.effects = effects;
    this.entry = entry;
    const isCapturing = effects.some(({ type }) => type === 'capture') && this.state.endsWith('.Capturing');
    if (isCapturing && this.#findsNothing)
      this.apply({ type: 'effectDone', effect: 'capture', resourceVersion: 0, at: this.now });
    return this;
  }

  private tick() {
    this.now += 1000;
    return this.now;
  }
}

export const aRun = (plan: PlanBuilder) => new MachineRun(plan);

/** The test says when evidence was taken, and what it shows. */
export const aRunWithEvidence = (plan: PlanBuilder, { queued = false } = {}) =>
  new MachineRun(plan, { queued, findsNothing: false });

/** Of a job whose scheduler lets the group in before there are pods. */
export const aQueuedRun = (plan: PlanBuilder) => new MachineRun(plan, { queued: true });

/** Of a job that waits in a lane. */
export const aRunInLane = (plan: PlanBuilder) => new MachineRun(plan, { inLane: true });

/** The pods of a gated gang exist, behind their gates. */
export const aGatedRun = (plan: PlanBuilder, gated: MachineRunOptions['gated'] = 'gated') =>
  new MachineRun(plan, { gated }).does('createAttempt', 10);
