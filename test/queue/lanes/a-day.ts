import fc from 'fast-check';
import type { Fields } from '../../../language/fields.ts';
import { GPU } from './lanes.ts';

/** A random day of lanes: what is configured, which jobs come, and what people and nodes do meanwhile. In minutes. */

const LANES = ['a', 'b', 'c'] as const;

const amount = (most: number) => fc.integer({ min: 1, max: most });

/** What a pool of 8 has for one lane. */
const A_LANE = fc.record({
  weight: fc.constantFrom(1, 1, 2, 3),
  priority: fc.constantFrom(0, 0, 0, 1),
  reclaim: fc.constantFrom('never', 'borrowed', 'borrowed'),
  preempt: fc.constantFrom('never', 'lower'),
  limit: fc.option(fc.integer({ min: 4, max: 8 }), { freq: 5 }),
  perUser: fc.option(fc.integer({ min: 2, max: 8 }), { freq: 5 }),
});

const A_JOB = fc.record({
  at: fc.integer({ min: 0, max: 200 }),
  /** How many equal ones come together. */
  copies: fc.constantFrom(1, 1, 1, 3),
  lane: fc.nat({ max: 2 }),
  user: fc.constantFrom('ada', 'bob', undefined),
  // Few forms: several fit at once.
  gpus: fc.constantFrom(1, 1, 2, 2, 3, 4, 6, 8),
  cpus: fc.constantFrom(0, 0, 1, 4),
  runsFor: fc.integer({ min: 5, max: 60 }),
  /** What it says of its duration. */
  declares: fc.constantFrom('nothing', 'truth', 'truth', 'more', 'less'),
  priority: fc.constantFrom(0, 0, 0, 5),
  /** How often it writes a checkpoint; never with 0. */
  savesEvery: fc.constantFrom(0, 0, 10),
  /** How long its pods take to go. */
  goesIn: fc.constantFrom(1, 1, 5),
  /** For how long its pods run on when it has ended. */
  leavesPodsFor: fc.constantFrom(0, 0, 0, 20),
});

const AN_ACT = fc.record({
  at: fc.integer({ min: 1, max: 300 }),
  does: fc.constantFrom(
    'pause',
    'resume',
    'drain',
    'move',
    'raise',
    'lower',
    'cancel',
    'hold',
    'return',
    'shrink',
    'grow',
  ),
  /** Which job or lane. */
  which: fc.nat({ max: 30 }),
});

export const A_DAY = fc.record({
  gpus: amount(10),
  lanes: fc.array(A_LANE, { minLength: 1, maxLength: 3 }),
  jobs: fc.array(A_JOB, { minLength: 2, maxLength: 12 }),
  acts: fc.array(AN_ACT, { maxLength: 6 }),
  backfill: fc.constantFrom('safe', 'safe', 'safe', 'any', 'none'),
  starveAfter: fc.constantFrom(30, 90, 1000),
});

/** One lane, where nobody does anything: what was said of starts must come true. */
export const A_QUIET_DAY: fc.Arbitrary<Day> = fc.record({
  gpus: fc.constantFrom(4, 8, 8),
  lanes: fc.constant<Day['lanes']>([
    { weight: 1, priority: 0, reclaim: 'never', preempt: 'never', limit: null, perUser: null },
  ]),
  jobs: fc.array(
    A_JOB.map((job) => ({ ...job, leavesPodsFor: 0 })),
    { minLength: 4, maxLength: 14 },
  ),
  acts: fc.constant<Act[]>([]),
  backfill: fc.constant('safe'),
  starveAfter: fc.constantFrom(30, 90, 1000),
});

export type Day = typeof A_DAY extends fc.Arbitrary<infer T> ? T : never;
export type JobOfDay = Day['jobs'][number];
export type Act = Day['acts'][number];

export const laneName = ({ lanes }: Day, index: number): string => LANES[index % lanes.length]!;

export const documentOf = (
  { lanes, backfill, starveAfter }: Day,
  closed: ReadonlyMap<string, Fields>,
): Fields => ({
  pools: { gpus: { capacity: { [GPU]: 1, cpu: 1 } } },
  backfill,
  starveAfter: `${starveAfter}m`,
  lanes: Object.fromEntries(
    lanes.map(({ limit, perUser, ...lane }, index) => [
      LANES[index]!,
      {
        ...{ pool: 'gpus', ...lane },
        ...(limit === null ? {} : { limit: { [GPU]: limit } }),
        ...(perUser === null ? {} : { caps: { perUser: { [GPU]: perUser } } }),
        ...closed.get(LANES[index]!),
      },
    ]),
  ),
});
