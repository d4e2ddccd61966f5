import type { LanesConfig } from '../../../contracts/lanes.ts';
import { parseAmounts } from '../../../contracts/pod-requests.ts';
import type { Fields } from '../../../language/fields.ts';
import { decideLanes } from '../../../queue/lanes/decide-lanes.ts';
import type { LaneEntry } from '../../../queue/lanes/lane-entry.ts';
import type { LanesDecision, LanesState } from '../../../queue/lanes/lanes-decision.ts';
import { type Act, type Day, documentOf, type JobOfDay, laneName } from './a-day.ts';
import { config, GPU, MINUTE, NOW } from './lanes.ts';

/** A job as the world has it. */
interface LivingJob {
  readonly uid: string;
  readonly spec: JobOfDay;
  lane: string;
  priority: number;
  /** `left`: it has ended, and its pods run on. */
  state: 'future' | 'waiting' | 'running' | 'yielding' | 'left' | 'ended' | 'cancelled';
  since: number;
  requeuedAt?: number;
  heldUntil?: number;
  startedAt?: number;
  savedAt?: number;
  goneAt?: number;
  yieldsTo?: string;
  /** What is left to do, in milliseconds. */
  left: number;
  /** How often it was stopped. */
  stops: number;
}

/** What is known when a decision has been made. `afterwards`: with what it has decided. */
export interface Moment {
  readonly state: LanesState;
  readonly decision: LanesDecision;
  readonly afterwards: LanesState;
  /** What others did since the last decision, other than that jobs came and ended as they had said. */
  readonly acts: readonly Act['does'][];
  readonly world: LaneWorld;
  readonly decide: Decide;
}

export type Decide = (state: LanesState) => LanesDecision;

/** Checks what holds at each decision. Returns what was broken. */
export type Check = (moment: Moment) => readonly string[];

const MOST_STEPS = 2_000;

/** Lives through a day until every job that can run has ended. Returns what was broken. */
export function liveThroughLanes(
  day: Day,
  checks: readonly Check[],
  decide: Decide = decideLanes,
): readonly string[] {
  const world = new LaneWorld(day, decide);
  for (let step = 0; step < MOST_STEPS; step++) {
    const broken = world.pass(checks);
    if (broken.length > 0) return broken;
    if (!world.goOn()) return world.unfinished();
  }
  return [`I5: jobs still run and wait after ${MOST_STEPS} decisions`];
}

class LaneWorld {
  readonly jobs: readonly LivingJob[];
  readonly day: Day;
  now = NOW;
  readonly #decide: Decide;
  readonly #closed = new Map<string, Fields>();
  #gpus: number;
  #acts: Act[] = [];
  #config: LanesConfig;

  constructor(day: Day, decide: Decide) {
    this.day = day;
    this.#decide = decide;
    this.#gpus = day.gpus;
    this.#config = config(documentOf(day, this.#closed));
    const specs = day.jobs.flatMap((spec) => Array.from({ length: spec.copies }, () => spec));
    this.jobs = specs.map((spec, index) => ({
      ...{
        uid: `job-${String(index).padStart(2, '0')}`,
        spec,
        lane: laneName(day, spec.lane),
        priority: spec.priority,
      },
      ...{ state: 'future', since: NOW + spec.at * MINUTE, left: spec.runsFor * MINUTE, stops: 0 },
    }));
  }

  /** Everything that is due happens, and is decided about. */
  pass(checks: readonly Check[]): readonly string[] {
    this.#live();
    const state = this.#state();
    const decision = this.#decide(state);
    this.#apply(decision);
    const acts = this.#acts.map(({ does }) => does);
    const moment = { state, decision, afterwards: this.#state(), acts, world: this, decide: this.#decide };
    this.#acts = [];
    return checks.flatMap((check) => check(moment));
  }

  /** Moves the clock to when something happens next; false if nothing does. */
  goOn(): boolean {
    const next = Math.min(...this.#times().filter((time) => time > this.now));
    if (!Number.isFinite(next)) return false;
    this.now = next;
    return true;
  }

  /** Returns what has not ended although it could have. */
  unfinished(): readonly string[] {
    const isClosed = (lane: string) => this.#closed.has(lane);
    return this.jobs
      .filter(({ state, lane }) => !['ended', 'cancelled'].includes(state) && !isClosed(lane))
      .filter((job) => this.#couldRun(job))
      .map(({ uid, state }) => `I5: ${uid} is ${state} for ever`);
  }

  #couldRun({ spec, lane }: LivingJob): boolean {
    const { limit, caps } = this.#config.lanes[lane]!;
    const most = [limit, spec.user ? caps.perUser : undefined].map(
      (amounts) => Number(amounts?.get(GPU)?.nanos ?? BigInt(1e12)) / 1e9,
    );
    return spec.gpus <= Math.min(this.#gpus, ...most) && spec.cpus <= this.#cpus;
  }

  get #cpus() {
    return 6;
  }

  #times(): number[] {
    const of = this.jobs.flatMap((job) => {
      switch (job.state) {
        case 'future':
          return [job.since];
        case 'running':
          return [job.startedAt! + job.left];
        case 'yielding':
        case 'left':
          return [job.goneAt!];
        case 'waiting':
          return [
            Math.max(job.since, job.requeuedAt ?? 0) + this.#config.starveAfterMs,
            ...(job.heldUntil ? [job.heldUntil] : []),
          ];
        default:
          return [];
      }
    });
    return [...of, ...this.day.acts.map(({ at }) => NOW + at * MINUTE)];
  }

  #live(): void {
    for (const job of this.jobs) {
      if (job.state === 'future' && job.since <= this.now) job.state = 'waiting';
      if (job.state === 'left' && job.goneAt! <= this.now) job.state = 'ended';
      if (job.state === 'running') this.#run(job);
      if (job.state === 'yielding' && job.goneAt! <= this.now)
        Object.assign(job, {
          ...{
            state: 'waiting',
            requeuedAt: this.now,
            startedAt: undefined,
            savedAt: undefined,
            goneAt: undefined,
          },
          stops: job.stops + 1,
        });
    }
    for (const act of this.day.acts) if (NOW + act.at * MINUTE === this.now) this.#act(act);
  }

  #run(job: LivingJob): void {
    const every = job.spec.savesEvery * MINUTE;
    if (every > 0) {
      const saves = Math.floor((this.now - job.startedAt!) / every);
      if (saves > 0) job.savedAt = job.startedAt! + saves * every;
    }
    if (job.startedAt! + job.left > this.now) return;
    const leavesMs = job.spec.leavesPodsFor * MINUTE;
    Object.assign(job, leavesMs > 0 ? { state: 'left', goneAt: this.now + leavesMs } : { state: 'ended' });
  }

  #act(act: Act): void {
    const lane = laneName(this.day, act.which);
    const waiting = this.jobs.filter(({ state }) => state === 'waiting');
    const job = waiting[act.which % Math.max(1, waiting.length)];
    const living = this.jobs.filter(({ state }) => state === 'waiting' || state === 'running');
    this.#acts.push(act);
    switch (act.does) {
      case 'pause':
        this.#closed.set(lane, { paused: 'tests' });
        break;
      case 'drain':
        this.#closed.set(lane, { drain: 'tests' });
        break;
      case 'resume':
        this.#closed.clear();
        break;
      case 'move':
        if (job) job.lane = lane;
        break;
      case 'raise':
        if (job) job.priority += 5;
        break;
      case 'lower':
        if (job) job.priority -= 5;
        break;
      case 'cancel': {
        const one = living[act.which % Math.max(1, living.length)];
        if (one) one.state = 'cancelled';
        break;
      }
      case 'hold':
        if (job) job.heldUntil = this.now + 20 * MINUTE;
        break;
      case 'return': {
        // A quota refuses its pods, or they were rolled back: it goes behind those that wait.
        const running = this.jobs.filter(({ state }) => state === 'running');
        const one = running[act.which % Math.max(1, running.length)];
        if (one)
          Object.assign(one, {
            state: 'waiting',
            since: this.now,
            requeuedAt: undefined,
            startedAt: undefined,
            savedAt: undefined,
          });
        break;
      }
      case 'shrink':
        this.#gpus = Math.max(0, this.#gpus - 3);
        break;
      case 'grow':
        this.#gpus += 3;
        break;
      default:
    }
    this.#config = config(documentOf(this.day, this.#closed));
  }

  #apply({ grants, yields }: LanesDecision): void {
    for (const { uid } of grants) {
      const job = this.job(uid);
      Object.assign(job, { state: 'running', startedAt: this.now, savedAt: undefined, yieldsTo: undefined });
    }
    for (const { uid, to } of yields) {
      const job = this.job(uid);
      if (job.state !== 'running') continue;
      // What it has saved it need not do again.
      const saved = (job.savedAt ?? job.startedAt!) - job.startedAt!;
      Object.assign(job, {
        ...{ state: 'yielding', yieldsTo: to, left: job.left - saved },
        goneAt: this.now + job.spec.goesIn * MINUTE,
      });
    }
  }

  job(uid: string): LivingJob {
    return this.jobs.find((job) => job.uid === uid)!;
  }

  #state(): LanesState {
    const capacity = new Map([['gpus', parseAmounts({ [GPU]: this.#gpus, cpu: this.#cpus })]]);
    const entries = this.jobs
      .filter(({ state }) => !['future', 'ended', 'cancelled'].includes(state))
      .map(entryOf);
    return { at: this.now, lanes: this.#config, capacity, entries };
  }
}

const DECLARED = { nothing: undefined, truth: 0, more: 15, less: -4 } as const;

function entryOf(job: LivingJob): LaneEntry {
  const { uid, spec, lane, priority, since, requeuedAt, heldUntil, startedAt, savedAt, yieldsTo } = job;
  const more = DECLARED[spec.declares];
  const isGranted = job.state !== 'waiting';
  return {
    ...{ uid, namespace: 'ml', job: uid, lane, priority, since, labels: {} },
    demand: parseAmounts({ [GPU]: spec.gpus, ...(spec.cpus > 0 ? { cpu: spec.cpus } : {}) }),
    ...(spec.user ? { user: spec.user } : {}),
    ...(requeuedAt === undefined ? {} : { requeuedAt }),
    ...(job.state === 'left' ? { hasEnded: true as const } : {}),
    ...(more === undefined || job.state === 'left' ? {} : { durationMs: (spec.runsFor + more) * MINUTE }),
    ...(heldUntil === undefined ? {} : { heldUntil }),
    ...(yieldsTo === undefined ? {} : { yieldsTo }),
    ...(isGranted
      ? { granted: { at: startedAt!, startedAt: startedAt!, ...(savedAt ? { savedAt } : {}) } }
      : {}),
  };
}
