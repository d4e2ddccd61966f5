import fc from 'fast-check';
import { ServerClock } from '../../../cluster/server-clock.ts';
import type { LanesConfig } from '../../../contracts/lanes.ts';
import { parseAmounts } from '../../../contracts/pod-requests.ts';
import { parseLanes } from '../../../contracts/schemas/lanes.ts';
import { TURN_IS_OVER_MS } from '../../../queue/decide-turns.ts';
import type { JobInLane } from '../../../queue/lanes/entry-of-job.ts';
import { LaneTurns } from '../../../watcher/lanes/lane-turns.ts';

/**
 * A random day of the leading watchers: jobs come, workers take what they are told sooner or later or not at all, and leaders
 * change at any moment. A new one knows only what is recorded. Watcher and worker have clocks of their own, which may be wrong.
 */

const SECOND = 1_000;
const START = 1_767_225_600_000;
/** Of the pool, and of the second lane. */
const POOL_PODS = 5;
const LIMIT_PODS = 4;
const MOST_SECONDS = 3_600;

const seconds = (most: number) => fc.integer({ min: 0, max: most });

const A_JOB = fc.record({
  at: seconds(120),
  lane: fc.constantFrom('a', 'b'),
  pods: fc.integer({ min: 1, max: LIMIT_PODS }),
  priority: fc.constantFrom(0, 0, 1),
  runsFor: seconds(90),
  /** How long a worker takes to come to what the job is told, each time; 40 s are too late. */
  comesAfter: fc.array(fc.constantFrom(0, 0, 2, 9, 14, 40), { minLength: 1, maxLength: 4 }),
  /** For how long it has no pods when it has taken its place, e.g. as a quota refuses them. */
  withoutPodsFor: fc.constantFrom(0, 0, 0, 60),
});

export const A_DAY_OF_LEADERS = fc.record({
  jobs: fc.array(A_JOB, { minLength: 2, maxLength: 7 }),
  reclaim: fc.constantFrom('never', 'borrowed'),
  /** When leaders change; `same`: the process has its lease back before another one has led. */
  changes: fc.array(fc.record({ at: seconds(300), isSame: fc.constantFrom(false, false, true) }), {
    maxLength: 5,
  }),
});

type Day = typeof A_DAY_OF_LEADERS extends fc.Arbitrary<infer T> ? T : never;

/** By how much the clocks of the processes are ahead of that of the API server, in milliseconds. */
export interface ClocksAhead {
  readonly watcher: number;
  readonly worker: number;
}

export const SOME_CLOCKS: fc.Arbitrary<ClocksAhead> = fc.record({
  watcher: fc.integer({ min: -3_600_000, max: 3_600_000 }),
  worker: fc.integer({ min: -3_600_000, max: 3_600_000 }),
});

interface LivingJob {
  readonly uid: string;
  readonly spec: Day['jobs'][number];
  state: 'future' | 'waiting' | 'running' | 'leaving' | 'ended';
  attempt: number;
  since: number;
  requeuedAt?: number;
  yieldsTo?: string;
  takenAt?: number;
  goneAt?: number;
  told: number;
}

/** A worker comes to what a job was told. */
interface Take {
  readonly at: number;
  readonly job: LivingJob;
  readonly attempt: number;
  readonly until: number;
}

/** Lives through the day, and returns what happened, by the clock of the API server, and what was broken. */
export function liveThroughLeaders(day: Day, ahead: ClocksAhead = { watcher: 0, worker: 0 }) {
  const world = new WorldOfLeaders(day, ahead);
  for (let second = 0; second < MOST_SECONDS && !world.isOver; second++) world.pass(START + second * SECOND);
  const left = world.isOver ? [] : ['a job waits for ever'];
  return { trace: world.trace, broken: [...world.broken, ...left] };
}

class WorldOfLeaders {
  readonly trace: string[] = [];
  readonly broken: string[] = [];
  readonly #day: Day;
  readonly #lanes: LanesConfig;
  readonly #jobs: readonly LivingJob[];
  readonly #clocks: Readonly<Record<keyof ClocksAhead, ServerClock>>;
  #now = START;
  #takes: Take[] = [];
  #turns = new LaneTurns();
  #mayGiveAt: number | undefined;

  constructor(day: Day, ahead: ClocksAhead) {
    this.#day = day;
    this.#lanes = lanesOf(day);
    // What a process knows of time is its own clock, and what the server says.
    const clockOf = (aheadMs: number) => new ServerClock(() => this.#now + aheadMs);
    this.#clocks = { watcher: clockOf(ahead.watcher), worker: clockOf(ahead.worker) };
    this.#jobs = day.jobs.map((spec, index) => ({
      ...{ uid: `job-${index}`, spec, attempt: 1, told: 0, since: START + spec.at * SECOND },
      state: 'future',
    }));
  }

  get isOver(): boolean {
    return this.#jobs.every(({ state }) => state === 'ended');
  }

  pass(now: number): void {
    this.#now = now;
    for (const clock of Object.values(this.#clocks)) clock.note(new Date(now).toUTCString(), clock.begin());
    for (const job of this.#jobs) this.#live(job);
    for (const { at, isSame } of this.#day.changes) if (START + at * SECOND === now) this.#change(isSame);
    for (const take of this.#takes.filter(({ at }) => at <= now)) this.#take(take);
    this.#takes = this.#takes.filter(({ at }) => at > now);
    this.#decide();
    this.#check();
  }

  #live(job: LivingJob): void {
    const { spec, takenAt = 0, goneAt = 0, since } = job;
    if (job.state === 'future' && since <= this.#now) job.state = 'waiting';
    const runsFor = (spec.runsFor + spec.withoutPodsFor) * SECOND;
    if (job.state === 'running' && takenAt + runsFor <= this.#now) this.#become(job, 'ended');
    if (job.state !== 'leaving' || goneAt > this.#now) return;
    this.#become(job, 'waiting');
    job.attempt += 1;
    if (job.yieldsTo === undefined) job.since = this.#now;
    else job.requeuedAt = this.#now;
    job.takenAt = undefined;
  }

  #become(job: LivingJob, state: LivingJob['state']): void {
    job.state = state;
    this.trace.push(`${this.#now - START}: ${job.uid} is ${state}`);
  }

  #change(isSame: boolean): void {
    if (isSame) return;
    this.#turns = new LaneTurns();
    this.#mayGiveAt = undefined;
  }

  #take({ job, attempt, until }: Take): void {
    if (job.state !== 'waiting' || job.attempt !== attempt || this.#clocks.worker.now() > until) return;
    job.takenAt = this.#clocks.worker.now();
    job.yieldsTo = undefined;
    this.#become(job, 'running');
  }

  #decide(): void {
    const at = this.#clocks.watcher.now();
    const jobs = this.#jobs.filter(({ state }) => state !== 'future' && state !== 'ended').map(inLane);
    const waits = jobs.some(({ place }) => place.takenAt === undefined);
    this.#mayGiveAt ??= waits ? at + TURN_IS_OVER_MS : 0;
    const unused = new Set(this.#jobs.filter((job) => this.#isUnused(job, at)).map(({ uid }) => uid));
    const capacity = new Map([['places', parseAmounts({ pods: POOL_PODS })]]);
    const situation = { at, lanes: this.#lanes, capacity, jobs, unused };
    const told = this.#turns.decide({ ...situation, mayGive: at >= this.#mayGiveAt });
    for (const job of this.#jobs) {
      const { lane, eviction } = told.get(job.uid) ?? {};
      if (lane?.until !== undefined) this.#tell(job, lane.attempt, lane.until);
      if (eviction && job.state === 'running') {
        job.yieldsTo = eviction.to;
        job.goneAt = this.#now + 5 * SECOND;
        this.#become(job, 'leaving');
      }
    }
  }

  /** A signal is news only once. */
  #tell(job: LivingJob, attempt: number, until: number): void {
    if (this.#takes.some((take) => take.job === job && take.until === until)) return;
    const { comesAfter } = job.spec;
    // In the end workers are there.
    const late = job.told < comesAfter.length ? comesAfter[job.told]! : 0;
    job.told += 1;
    this.#takes.push({ job, attempt, until, at: this.#now + late * SECOND });
  }

  #isUnused({ state, spec, takenAt = 0, attempt }: LivingJob, at: number): boolean {
    const hasNone = at < takenAt + spec.withoutPodsFor * SECOND && attempt === 1;
    return state === 'running' && hasNone && at > takenAt + TURN_IS_OVER_MS;
  }

  #check(): void {
    const held = this.#jobs.filter(({ state }) => state === 'running' || state === 'leaving');
    const podsOf = (jobs: readonly LivingJob[]) => jobs.reduce((sum, { spec }) => sum + spec.pods, 0);
    const when = `after ${(this.#now - START) / SECOND} s`;
    if (podsOf(held) > POOL_PODS) this.broken.push(`the pool has ${podsOf(held)} pods ${when}`);
    const ofLane = podsOf(held.filter(({ spec }) => spec.lane === 'b'));
    if (ofLane > LIMIT_PODS) this.broken.push(`lane b has ${ofLane} pods ${when}`);
  }
}

function inLane({ uid, spec, state, ...place }: LivingJob): JobInLane {
  const { attempt, since, requeuedAt, yieldsTo, takenAt } = place;
  const { lane, priority, pods } = spec;
  return {
    ...{ uid, namespace: 'ml', job: uid, hasStarted: takenAt !== undefined },
    request: { lane, priority, demand: { pods: String(pods) }, labels: {} },
    place: {
      ...{ attempt, since },
      ...(requeuedAt === undefined ? {} : { requeuedAt }),
      ...(yieldsTo === undefined || state === 'leaving' ? {} : { yieldsTo }),
      ...(takenAt === undefined ? {} : { takenAt }),
    },
  };
}

function lanesOf({ reclaim }: Day): LanesConfig {
  const read = parseLanes({
    pools: { places: { capacity: { pods: POOL_PODS } } },
    lanes: {
      a: { pool: 'places', preempt: 'lower' },
      b: { pool: 'places', reclaim, limit: { pods: LIMIT_PODS } },
    },
  });
  if ('faults' in read) throw new Error(JSON.stringify(read.faults));
  return read.lanes;
}
