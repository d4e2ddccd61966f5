import { describe, expect, test } from '@jest/globals';
import type { BenchResults } from './bench.ts';
import type { CaseName } from './cases.ts';
import { parseOptions } from './options.ts';
import { jsonReport, textReport } from './report.ts';
import type { StartRun } from './start.ts';
import type { TakeOverRun } from './take-over.ts';

const RAW = { created: 1_000, running: 2_000, deleted: 3_000 };

const aStart = (phaseRunning: number): StartRun => ({
  raw: RAW,
  engine: {
    ...{ jobs: 10, submitted: 100, created: 1_500, running: 4_000, phaseRunning, lags: [20, 40] },
    ...{ stopped: 5_000, historyEvents: [40, 40, 44], historyBytes: [9_000, 9_000, 12_000] },
    memoryMb: { worker: 300 },
    cpuSeconds: { temporal: 2, worker: 1, watcher: 0.5 },
  },
});

const versus = (run: StartRun): StartRun => ({
  ...run,
  operator: {
    ...{ jobs: 10, submitted: 100, created: 3_000, running: 5_000, phaseRunning: 8_000, lags: [500, 900] },
    ...{ stopped: 10_000, memoryMb: 100, cpuSeconds: { 'kube-apiserver': 3, 'training-operator': 1.5 } },
  },
});

const startsOf = (name: CaseName, ...phaseRunning: number[]): BenchResults => ({
  starts: [{ name, jobs: 10, podsPerJob: 1, runs: phaseRunning.map(aStart) }],
  takeOvers: [],
  growths: [],
});

const takeOverOf = (run: Partial<TakeOverRun>): BenchResults => ({
  starts: [],
  takeOvers: [{ name: 'd', jobs: 10, podsPerJob: 1, runs: [{ ...A_TAKE_OVER, ...run }] }],
  growths: [],
});

const A_TAKE_OVER: TakeOverRun = {
  ...{ jobs: 10, cpuSeconds: { temporal: 2 }, historyEvents: [20], addedEvents: [0, 0, 30] },
  ...{ workerReady: 2_000, watcherReady: 1_000, leads: 17_000, replaced: 18_500 },
  ...{ beyondLease: 2_500, beyondRenewal: 6_000, queries: [2_500, 40, 300, 60] },
  untilReplaced: { digests: 2, cpuSeconds: { worker: 3, temporal: 1 } },
  minuteAfter: { digests: 9, cpuSeconds: { worker: 3, temporal: 1.5 } },
};

const aGrowth = (workerMb: readonly (number | undefined)[]): BenchResults => {
  const [none, ...later] = workerMb;
  const { engine: start } = aStart(5_000);
  const steps = later.map((worker, index) => ({
    ...{ jobs: 1_024 * (index + 1), jobsPerSecond: 20 - index, start, resident: { worker } },
  }));
  const jobs = 1_024 * later.length;
  const costs = { jobs, cpuSeconds: { temporal: 2 }, historyEvents: [20] };
  const run = { ...costs, steps, empty: { worker: none }, idleMinute: { worker: 1 }, queries: [30, 90, 40] };
  return { starts: [], takeOvers: [], growths: [{ name: 'e', jobs, podsPerJob: 1, runs: [run] }] };
};

interface Fact {
  readonly case: CaseName;
  readonly figure: string;
  readonly median?: number;
  readonly met?: boolean;
}

const factsOf = (results: BenchResults): Fact[] => JSON.parse(jsonReport(results, parseOptions([]))).figures;

const factOf = (results: BenchResults, figure: string) =>
  factsOf(results).find((fact) => fact.figure === figure);

describe('the report of a take-over', () => {
  test('judges the time beyond the lease, and the load of worker and Temporal together', () => {
    const results = takeOverOf({});
    expect(factOf(results, 'since a pod failed: of which beyond the lease')).toMatchObject({
      median: 2.5,
      met: true,
    });
    const storm = 'the minute after that: processor time of worker and Temporal';
    expect(factOf(results, storm)).toMatchObject({ median: 4.5, met: false });
  });

  test('separates the first query, which waits for the worker, from the others', () => {
    const query = (label: string) => factOf(takeOverOf({}), `status query of a random job: ${label}`)?.median;
    expect(query('first, from the failure on')).toBe(2.5);
    expect(query('each later one')).toBe(0.06);
    expect(query('slowest of these')).toBe(0.3);
  });

  test('has a table of its own', async () => {
    const both = { ...takeOverOf({}), starts: startsOf('c', 5_000).starts };
    const text = await textReport(both, parseOptions([]));
    expect(text.split('\n\n')).toHaveLength(3);
  });
});

describe('the report of a growth', () => {
  test('has speed and memory of each step, and what a job adds to the memory', () => {
    const results = aGrowth([300, 500, 556]);
    const median = (figure: string) => factOf(results, figure)?.median;
    expect(median('start, by live jobs: 2048')).toBe(19);
    expect(median('resident memory of worker, by live jobs: none')).toBe(300);
    expect(median('resident memory of worker, by live jobs: 1024')).toBe(500);
    expect(median('resident memory per live job: worker')).toBe(128);
    expect(median('status query of a job of the first step: longest')).toBe(90);
  });

  test('leaves out the memory if the machine does not report it', () => {
    const fact = factOf(aGrowth([undefined, undefined]), 'resident memory per live job: worker');
    expect(fact).toBeDefined();
    expect(fact).not.toHaveProperty('median');
  });
});

describe('the report of a bench', () => {
  test('names every figure once per case', () => {
    const names = factsOf(startsOf('c', 5_000)).map(({ figure }) => figure);
    expect(new Set(names).size).toBe(names.length);
  });

  test('shares processor time among the jobs', () => {
    const results = startsOf('c', 5_000);
    expect(factOf(results, 'processor time per job until it runs: Temporal with its database')?.median).toBe(
      200,
    );
    expect(factOf(results, 'processor time per job until it runs: worker')?.median).toBe(100);
    expect(factOf(results, 'processor time per job until it runs: watcher')?.median).toBe(50);
    expect(factOf(results, 'history events per job')?.median).toBe(40);
  });

  test('shows how many jobs started per second', () => {
    expect(factOf(startsOf('c', 5_000), 'engine: jobs until then')?.median).toBe(2);
  });

  test('has no value where nothing was measured', () => {
    const fact = factOf(startsOf('c', 5_000), 'peak memory of the watcher');
    expect(fact).toBeDefined();
    expect(fact).not.toHaveProperty('median');
  });

  test('judges a case by its own target', () => {
    const ratio = 'created, against the raw limit';
    expect(factOf(startsOf('a', 5_000), ratio)?.met).toBe(true);
    expect(factOf(startsOf('c', 5_000), ratio)).not.toHaveProperty('met');
  });

  test('shows the median of several runs with the least and the most', async () => {
    const text = await textReport(startsOf('b', 4_000, 6_000, 5_000), parseOptions([]));
    expect(text).toContain('(b) 10 jobs x 1 pod');
    expect(text).toMatch(/every job Running\s+5\.00 s \(4\.00 to 6\.00\)/);
    expect(text).toMatch(/created, against the raw limit\s+1\.50 x \(1\.50 to 1\.50\)\s+b: met \(3\.00 x\)/);
  });
});

describe('the report of a bench with an operator', () => {
  const VERSUS = ['--versus', 'training-operator'];
  const { starts } = startsOf('b', 4_000);
  const results: BenchResults = {
    ...startsOf('b'),
    starts: starts.map((result) => ({ ...result, runs: result.runs.map(versus) })),
  };
  const median = (figure: string) => factOf(results, figure)?.median;

  test('has the same figures of the operator and of the engine', () => {
    expect(median('training-operator: all pods created')).toBe(3);
    expect(median('training-operator: all pods Running')).toBe(5);
    expect(median('training-operator: every job Running')).toBe(8);
    expect(median('training-operator: stopped and removed again')).toBe(10);
    expect(median('peak memory of training-operator')).toBe(100);
    expect(median('processor time until all run, training-operator: training-operator')).toBe(1.5);
    expect(median('processor time until all run, training-operator: kube-apiserver')).toBe(3);
  });

  test('compares it with the raw limit, and the engine with it', () => {
    expect(median('training-operator against the raw limit: created')).toBe(3);
    expect(median('training-operator against the raw limit: Running')).toBe(2.5);
    expect(median('engine against training-operator: created')).toBe(0.5);
    expect(median('engine against training-operator: Running')).toBe(0.8);
    expect(median('engine against training-operator: every job Running')).toBe(0.5);
    expect(median('engine against training-operator: stopped and removed again')).toBe(0.5);
  });

  test('names every figure once per case', () => {
    const names = factsOf(results).map(({ figure }) => figure);
    expect(new Set(names).size).toBe(names.length);
  });

  test('says that there was no gang', async () => {
    const text = await textReport(results, parseOptions(VERSUS));
    expect(text).toContain('a, b and c without gangs, as training-operator has none of its own');
    expect(text).not.toContain('raw limit, no gang');
    const { notes } = JSON.parse(jsonReport(results, parseOptions(VERSUS)));
    expect(notes).toEqual([expect.stringContaining('without gangs')]);
  });

  test('does not mention an operator without one', async () => {
    const text = await textReport(startsOf('b', 4_000), parseOptions([]));
    expect(text).not.toContain('training-operator');
    expect(text).toContain('raw limit, no gang');
  });
});
