import { describe, expect, it } from '@jest/globals';
import type { LedgerCounts, LedgerEntry } from '../../../contracts/types.ts';
import { jobUsesOf } from '../../../record/uses/job-uses.ts';
import { ettrOf, sumsByResource } from '../../../record/uses/use-sums.ts';

const START = Date.parse('2026-11-23T18:00:00.000Z');
const GPU = 'nvidia.com/gpu';
const HOUR = 3_600;

type Step = Omit<Partial<LedgerEntry>, 'at' | 'to' | 'progress' | 'counts'> & {
  /** When it is, and when the progress was reported, in seconds. */
  readonly at: number;
  readonly to: string;
  readonly progress?: readonly [value: string, at: number];
  readonly counts?: Partial<LedgerCounts>;
};

/** A ledger with two pods of 8 GPUs each, with a node from `placed` on unless a step says otherwise. */
const ledgerOf = (...steps: readonly Step[]): LedgerEntry[] => ledgerOfAll(steps);

function ledgerOfAll(steps: readonly Step[]): LedgerEntry[] {
  let attempt = 1;
  let [placedMs, pods, last] = [0, 0, 0];
  return steps.map(({ at, to, progress, counts, ...more }, index): LedgerEntry => {
    attempt = more.attempt ?? attempt;
    // As the machine counts them: a clock that was set back adds nothing.
    placedMs += pods * Math.max(0, at - last) * 1000;
    const count = counts ?? (/^(Starting|Running)/.test(to) ? { ready: 2 } : {});
    pods = (count.ready ?? 0) + (count.scheduled ?? 0) + (count.terminating ?? 0);
    last = at;
    const from = steps[index - 1]?.to;
    return {
      ...{
        seq: index + 1,
        attempt,
        to,
        phase: to.split('.')[0] as LedgerEntry['phase'],
        message: to,
        revision: 1,
      },
      ...(from === undefined ? {} : { from }),
      at: timeOf(at),
      cause: { type: 'digest' },
      counts: { Worker: { wanted: 2, ...(pods + placedMs > 0 ? { placedMs } : {}), ...count } },
      ...(index === 0 ? { devices: { Worker: { [GPU]: 8 } } } : {}),
      ...(progress ? { progress: { value: progress[0], at: timeOf(progress[1]) } } : {}),
      ...more,
    };
  });
}

const timeOf = (seconds: number) => new Date(START + seconds * 1000).toISOString();

/** GPU-seconds by use, and cause where there is one. */
function usesOf(entries: readonly LedgerEntry[], until: number) {
  const [sums] = sumsByResource(jobUsesOf(entries, { until: START + until * 1000 }).uses);
  return Object.fromEntries(
    (sums?.uses ?? []).map(({ use, cause, ms }) => [cause ? `${use} for ${cause}` : use, ms / 1000]),
  );
}

/** Runs from 100 s on, reports from 160 s on, fails at 1,000 s, and runs again from 1,100 s. */
const RESTARTED: readonly Step[] = [
  { at: 0, to: 'Pending.Scheduling' },
  { at: 60, to: 'Pending.Scheduling', counts: { scheduled: 1, unscheduled: 1 } },
  { at: 90, to: 'Starting' },
  { at: 100, to: 'Running' },
  { at: 160, to: 'Running', progress: ['step=0', 160] },
  { at: 1000, to: 'Restarting.Capturing', progress: ['step=80', 960], counts: { ready: 1, failed: 1 } },
  { at: 1010, to: 'Restarting.Draining', classes: ['infrastructure'], counts: { terminating: 1 } },
  { at: 1030, to: 'Pending.Scheduling', attempt: 2, counts: {} },
  { at: 1050, to: 'Starting' },
  { at: 1100, to: 'Running' },
];

describe('what devices were used for', () => {
  it('is what the job did then, and after a restart for its cause', () => {
    const done = ledgerOf(
      ...RESTARTED,
      { at: 1150, to: 'Running', progress: ['step=60', 1150] },
      {
        at: 2150,
        to: 'Finishing.CleaningUp',
        phase: 'Completed',
        progress: ['step=160', 2140],
        counts: { terminating: 2 },
      },
      { at: 2160, to: 'Completed', counts: {} },
    );
    expect(usesOf(done, 9999)).toEqual({
      gang: 8 * 30,
      starting: 16 * (10 + 60),
      // Steps 0 to 60 of the first attempt, which took 10 s each; then all of the second one.
      productive: 16 * (600 + 990 + 10),
      'repeated for infrastructure': 16 * 200,
      'stalled for infrastructure': 16 * 40,
      'restarting for infrastructure': 8 * 30,
      'starting for infrastructure': 16 * (50 + 50),
      finishing: 16 * 10,
    });
    const uses = jobUsesOf(done, { until: START + 9_999_000 });
    expect(ettrOf(uses).withQueue.least).toBeCloseTo(1600 / 2160, 10);
    expect(ettrOf(uses).withoutQueue.least).toBeCloseTo(1600 / 2100, 10);
    expect(uses.restarts).toMatchObject([{ seq: 6, cause: 'infrastructure', ranAt: START + 1_100_000 }]);
  });

  it('is lost further back if a later attempt begins further back', () => {
    const twice = ledgerOf(
      ...RESTARTED,
      { at: 1150, to: 'Running', progress: ['step=60', 1150] },
      { at: 1350, to: 'Restarting.Draining', progress: ['step=80', 1350], classes: ['userCode'], counts: {} },
      { at: 1400, to: 'Running', attempt: 3 },
      { at: 1400, to: 'Running', progress: ['step=20', 1400] },
    );
    expect(usesOf(twice, 1400)).toMatchObject({
      productive: 16 * 200,
      'repeated for infrastructure': 16 * 200,
      'repeated for userCode': 16 * (400 + 200),
    });
  });

  it.each<[string, readonly Step[]]>([
    ['nothing was reported', [{ at: 1100, to: 'Completed' }]],
    [
      'what was reported is no number',
      [
        { at: 200, to: 'Running', progress: ['nan', 200] },
        { at: 1100, to: 'Completed' },
      ],
    ],
  ])('is unknown while the program runs if %s: the goodput has bounds', (_, steps) => {
    const entries = ledgerOf({ at: 0, to: 'Starting' }, { at: 100, to: 'Running' }, ...steps);
    expect(usesOf(entries, 1100)).toEqual({ starting: 16 * 100, unknown: 16 * 1000 });
    const [sums] = sumsByResource(jobUsesOf(entries, { until: START + 1_100_000 }).uses);
    expect(sums!.goodput).toEqual({ least: 0, most: 1000 / 1100 });
  });

  it('is unknown if numbers fall while the program runs on, as with each epoch', () => {
    const steps = [
      ['step=90', 200],
      ['step=10', 400],
      ['step=50', 800],
    ] as const;
    const entries = ledgerOf(
      { at: 100, to: 'Running' },
      ...steps.map((progress): Step => ({ at: progress[1], to: 'Running', progress })),
      { at: 1100, to: 'Completed' },
    );
    expect(usesOf(entries, 1100)).toEqual({ starting: 16 * 100, unknown: 16 * 600, productive: 16 * 300 });
  });

  it('is held while failed pods are kept, and what spares had is nobody’s work', () => {
    const entries = ledgerOf(
      { at: 0, to: 'Running' },
      { at: 10, to: 'Restarting.Holding', counts: { ready: 1, spareMs: 10_000 } },
      { at: 70, to: 'Completed', counts: { spareMs: 70_000 } },
    );
    expect(usesOf(entries, 70)).toEqual({ unknown: 160, 'held for other': 8 * 60, spare: 8 * 70 });
  });
});

describe('the sums of a ledger', () => {
  it('are cut at midnight in UTC, and add up to what pods held', () => {
    const entries = ledgerOf({ at: 5 * HOUR, to: 'Running' }, { at: 7 * HOUR + 0.001, to: 'Completed' });
    const { uses } = jobUsesOf(entries, { until: START + 8 * HOUR * 1000 });
    expect(uses.map(({ day, ms }) => [day, ms])).toEqual([
      ['2026-11-23', 16 * HOUR * 1000],
      ['2026-11-24', 16 * (HOUR * 1000 + 1)],
    ]);
  });

  it('are divided by product as far as it is known which GPUs pods of an attempt had, without losing a millisecond', () => {
    const entries = ledgerOf(
      { at: 0, to: 'Running' },
      { at: 10.001, to: 'Restarting.Draining', counts: { terminating: 2 } },
      {
        ...{
          at: 11,
          to: 'Running',
          attempt: 2,
          cause: { type: 'effect', effect: 'drain', ended: 'done', began: 2 },
        },
        products: { worker: { H100: 1, A100: 2 } },
      },
      { at: 12, to: 'Completed' },
    );
    const { uses } = jobUsesOf(entries, { until: START + 12_000 });
    const of = (product?: string) =>
      uses.filter((one) => one.product === product).reduce((sum, { ms }) => sum + ms, 0);
    expect(of('A100') + of('H100')).toBe(16 * 11_000);
    expect(of('H100') / of('A100')).toBeCloseTo(0.5, 3);
    expect(of()).toBe(16 * 1000);
  });

  it('of an earlier version are those of its counts, and said to be assumed', () => {
    const old = ledgerOf({ at: 0, to: 'Running' }, { at: 100, to: 'Completed' }).map(
      ({ devices: _, ...entry }) => ({
        ...entry,
        counts: { Worker: { wanted: 2, ...(entry.to === 'Running' ? { ready: 2 } : {}) } },
      }),
    );
    const template = { spec: { containers: [{ name: 'a', resources: { limits: { [GPU]: 4 } } }] } };
    const manifest = { spec: { pytorchReplicaSpecs: { Worker: { replicas: 2, template } } } };
    expect(jobUsesOf(old, { until: START + 100_000, manifest }).uses).toMatchObject([
      { use: 'unknown', resource: GPU, ms: 800_000, assumedMs: 800_000 },
    ]);
    // Without a manifest only its pods are known.
    expect(jobUsesOf(old, { until: START + 100_000 }).uses).toMatchObject([
      { resource: 'pods', ms: 200_000 },
    ]);
  });

  it('of a job that runs go on as its pods were counted last', () => {
    const entries = ledgerOf({ at: 0, to: 'Running' });
    expect(jobUsesOf(entries, { until: START + 5000 }).uses).toMatchObject([
      { ms: 80_000, assumedMs: 80_000 },
    ]);
  });

  it('are never negative, and add up, where a clock was set back', () => {
    const entries = ledgerOf(
      { at: 0, to: 'Starting' },
      { at: 100, to: 'Running' },
      // A worker whose clock is an hour behind writes the entry.
      { at: 40, to: 'Restarting.Draining', classes: ['infrastructure'], counts: { terminating: 2 } },
      { at: 200, to: 'Running', attempt: 2 },
      { at: 300, to: 'Completed', counts: {} },
    );
    const { uses, restarts, totalMs } = jobUsesOf(entries, { until: START + 300_000 });
    expect(uses.every(({ ms }) => ms > 0)).toBe(true);
    // What the machine has counted, not what lies between the first and the last entry.
    const held = entries.at(-1)!.counts!.Worker!.placedMs!;
    expect(uses.reduce((all, { ms }) => all + ms, 0)).toBe(8 * held);
    expect(totalMs).toBe(300_000);
    expect(restarts).toHaveLength(1);
  });

  it('do not depend on the clock of a program that reports progress from the future or the past', () => {
    const steps = (first: number, last: number) =>
      ledgerOf(
        { at: 0, to: 'Starting' },
        { at: 100, to: 'Running' },
        { at: 200, to: 'Running', progress: ['step=1', first] },
        { at: 400, to: 'Running', progress: ['step=2', last] },
        { at: 500, to: 'Completed', counts: {} },
      );
    for (const [first, last] of [
      [150, 350],
      [90_000, 90_200],
      [-9_000, -8_800],
    ] as const) {
      const sums = usesOf(steps(first, last), 500);
      expect(Object.values(sums).reduce((all, seconds) => all + seconds, 0)).toBe(16 * 500);
    }
    expect(usesOf(steps(90_000, 90_200), 500)).toEqual({ starting: 1600, unknown: 16 * 400 });
  });

  it('of a year with a restart each quarter of an hour add up, and keep their causes', () => {
    const steps = Array.from({ length: 35_000 }, (_, index): Step[] => [
      { at: index * 900, to: 'Running', attempt: index + 1 },
      { at: index * 900, to: 'Running', progress: [`step=${index * 5}`, index * 900] },
      { at: index * 900 + 800, to: 'Running', progress: [`step=${index * 5 + 10}`, index * 900 + 800] },
      { at: index * 900 + 880, to: 'Restarting.Draining', classes: ['userCode'], counts: { terminating: 2 } },
    ]).flat();
    const until = START + 35_000 * 900_000;
    const { uses, restarts } = jobUsesOf(ledgerOfAll(steps), { until });
    expect(restarts).toHaveLength(35_000);
    expect(uses.reduce((all, { ms }) => all + ms, 0)).toBe(16 * 35_000 * 900_000);
    // Ten steps in each attempt, of which the next one does five again; the last one does not.
    const repeated = uses.filter(({ use }) => use === 'repeated').reduce((all, { ms }) => all + ms, 0);
    expect(repeated).toBe(16 * 34_999 * 400_000);
  });

  it('of an empty ledger are none', () => {
    expect(jobUsesOf([], { until: START })).toEqual({
      uses: [],
      restarts: [],
      wallMs: {},
      totalMs: 0,
      placedMs: 0,
    });
  });
});

describe('a job whose policy names nothing that reports progress', () => {
  /** As RESTARTED, but its log was read when its pods went. */
  const restarted = (steps: object): readonly Step[] =>
    RESTARTED.map(({ progress: _, ...step }, index) =>
      index === 7 ? { ...step, steps: { pod: 'a', attempt: 1, ...steps } as never } : step,
    );
  const reached = (step: number, at: number) => ({ step, at: timeOf(at) });
  const ran = { first: reached(0, 160), last: reached(80, 960) };
  const ended: Step = {
    ...{ at: 2150, to: 'Completed', cause: { type: 'effect', effect: 'cleanUp', ended: 'done' } },
    steps: { pod: 'a', attempt: 2, first: reached(60, 1150), last: reached(160, 2140) } as never,
  };
  const PODS = 16;

  it('has lost what its next attempt did again', () => {
    expect(usesOf(ledgerOf(...restarted(ran), ended), 2150)).toMatchObject({
      'repeated for infrastructure': 200 * PODS,
      'stalled for infrastructure': 40 * PODS,
    });
  });

  it('has lost at least what was done since its last complete checkpoint, while that is not known', () => {
    const saved = reached(50, 700);
    expect(usesOf(ledgerOf(...restarted({ ...ran, saved })), 1200)).toMatchObject({
      productive: 500 * PODS,
      'repeated for infrastructure': 300 * PODS,
    });
  });

  it('has lost nobody knows how much without a checkpoint that is known', () => {
    const uses = usesOf(ledgerOf(...restarted(ran)), 1200);
    expect(uses).not.toHaveProperty('productive');
    expect(uses.unknown).toBe((800 + 100) * PODS);
  });

  it('has steps of before it was told to run, by the clock of its node', () => {
    const early = { first: reached(0, 95), last: reached(80, 1010) };
    const uses = usesOf(ledgerOf(...restarted({ ...early, saved: reached(80, 1000) })), 1100);
    expect(uses.productive).toBe(900 * PODS);
    const elsewhere = { first: reached(0, 9_000), last: reached(80, 9_900) };
    expect(usesOf(ledgerOf(...restarted(elsewhere)), 1100).unknown).toBe(900 * PODS);
  });
});
