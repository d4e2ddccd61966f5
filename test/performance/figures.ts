import type { CaseName, CaseResult, CaseRun } from './bench.ts';

export type Unit = 's' | 'MB' | 'events' | 'kB' | 'x';

/** One line of the table: what is taken from a run, and what it should be at most. */
export interface Figure {
  readonly label: string;
  readonly unit: Unit;
  readonly of: (run: CaseRun) => readonly (number | undefined)[];
  readonly target?: Partial<Record<CaseName, number>>;
}

const seconds = (pick: (run: CaseRun) => number | undefined) => (run: CaseRun) => {
  const ms = pick(run);
  return [ms === undefined ? undefined : ms / 1000];
};

/** Ratios are taken within a run, where both were measured within the same minute. */
export const FIGURES: readonly Figure[] = [
  {
    label: 'raw limit, no gang: all pods created',
    unit: 's',
    of: seconds((run) => run.rawWithoutGang?.created),
  },
  { label: '  all pods Running', unit: 's', of: seconds((run) => run.rawWithoutGang?.running) },
  { label: 'raw limit, in gangs: all pods created', unit: 's', of: seconds(({ raw }) => raw.created) },
  { label: '  all pods Running', unit: 's', of: seconds(({ raw }) => raw.running) },
  { label: '  all pods deleted again', unit: 's', of: seconds(({ raw }) => raw.deleted) },
  { label: 'engine: all jobs submitted', unit: 's', of: seconds(({ engine }) => engine.submitted) },
  { label: '  all pods created', unit: 's', of: seconds(({ engine }) => engine.created) },
  { label: '  all pods Running', unit: 's', of: seconds(({ engine }) => engine.running) },
  { label: '  every phase Running', unit: 's', of: seconds(({ engine }) => engine.phaseRunning) },
  { label: '  stopped and removed again', unit: 's', of: seconds(({ engine }) => engine.stopped) },
  {
    label: 'created, against the raw limit',
    unit: 'x',
    of: ({ engine, raw }) => [engine.created / raw.created],
    target: { a: 2, b: 3 },
  },
  {
    label: 'Running, against the raw limit',
    unit: 'x',
    of: ({ engine, raw }) => [engine.running / raw.running],
  },
  {
    label: 'last pod Running to phase Running, longest',
    unit: 's',
    of: ({ engine }) => [Math.max(...engine.lags) / 1000],
    target: { a: 3 },
  },
  {
    label: 'history events per job',
    unit: 'events',
    of: ({ engine }) => engine.historyEvents,
    target: { a: 150 },
  },
  {
    label: 'history per job',
    unit: 'kB',
    of: ({ engine }) => engine.historyBytes.map((bytes) => bytes / 1000),
  },
  { label: 'peak memory of the worker', unit: 'MB', of: ({ engine }) => [engine.memoryMb.worker] },
  { label: 'peak memory of the watcher', unit: 'MB', of: ({ engine }) => [engine.memoryMb.watcher] },
];

/** Processor seconds until every phase is Running: who the time goes to. */
export const cpuFigures = (results: readonly CaseResult[]): Figure[] =>
  namesOfProcesses(results).map((name) => ({
    label: `  ${name}`,
    unit: 's',
    of: ({ engine }) => [engine.cpuSeconds[name]],
  }));

function namesOfProcesses(results: readonly CaseResult[]): string[] {
  const names = results.flatMap(({ runs }) => runs.flatMap(({ engine }) => Object.keys(engine.cpuSeconds)));
  return [...new Set(names)];
}

export const valuesOf = ({ of }: Figure, { runs }: CaseResult): number[] =>
  runs.flatMap(of).filter((value): value is number => value !== undefined);
