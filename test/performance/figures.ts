import type { CaseName, CaseResult } from './cases.ts';

export type Unit = 's' | 'ms' | 'MB' | 'kB' | 'events' | 'digests' | 'jobs/s' | 'x';

/** One line of a table: what is taken from a run, and what it should be at most. */
export interface Figure<Run> {
  /** What its label belongs to, with the lines before and after it. */
  readonly group?: string;
  readonly label: string;
  readonly unit: Unit;
  readonly of: (run: Run) => readonly (number | undefined)[];
  readonly target?: Partial<Record<CaseName, number>>;
}

/** A figure with what was measured in each case of its table. */
export interface Row extends Pick<Figure<unknown>, 'group' | 'label' | 'unit'> {
  readonly cells: readonly Cell[];
}

export interface Cell {
  readonly name: CaseName;
  readonly values: readonly number[];
  readonly target?: number;
}

export const rowsOf = <Run>(figures: readonly Figure<Run>[], results: readonly CaseResult<Run>[]): Row[] =>
  figures.map(({ of, target, ...figure }) => ({
    ...figure,
    cells: results.map(({ name, runs }) => ({
      name,
      values: runs.flatMap(of).filter((value) => value !== undefined),
      target: target?.[name],
    })),
  }));

/** For times in milliseconds. */
export const inSecondsOf =
  <Run>(pick: (run: Run) => number | undefined) =>
  (run: Run) => {
    const ms = pick(run);
    return [ms === undefined ? undefined : ms / 1000];
  };

/** What jobs cost until they run, and how long their histories are. */
export interface JobCosts {
  readonly jobs: number;
  /** Of processes by name, from the first submission to the last phase Running. */
  readonly cpuSeconds: Readonly<Record<string, number>>;
  readonly historyEvents: readonly number[];
}

/** For every table. */
export function costFigures<Run>(
  costsOf: (run: Run) => JobCosts,
  target: Figure<Run>['target'] = {},
): readonly Figure<Run>[] {
  const perJob = (label: string, ...processes: readonly string[]): Figure<Run> => ({
    group: 'processor time per job until it runs',
    label,
    unit: 'ms',
    of: (run) => {
      const { cpuSeconds, jobs } = costsOf(run);
      const seconds = processes.flatMap((name) => cpuSeconds[name] ?? []);
      return [seconds.length === 0 ? undefined : (seconds.reduce((sum, one) => sum + one) * 1000) / jobs];
    },
  });
  return [
    perJob('Temporal with its database', 'temporal', 'postgresql'),
    perJob('worker', 'worker'),
    perJob('watcher', 'watcher'),
    { label: 'history events per job', unit: 'events', of: (run) => costsOf(run).historyEvents, target },
  ];
}

/** Processor seconds of each process: who the time goes to. */
export function cpuFigures<Run>(
  group: string,
  results: readonly CaseResult<Run>[],
  secondsOf: (run: Run) => Readonly<Record<string, number>>,
): readonly Figure<Run>[] {
  const names = results.flatMap(({ runs }) => runs.flatMap((run) => Object.keys(secondsOf(run))));
  return [...new Set(names)].map((label) => ({
    group,
    label,
    unit: 's',
    of: (run) => [secondsOf(run)[label]],
  }));
}
