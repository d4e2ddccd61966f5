import type { CaseResult } from './cases.ts';
import { costFigures, cpuFigures, type Figure, inSecondsOf } from './figures.ts';
import type { JobStart } from './job-start.ts';
import type { StartRun } from './start.ts';

/** Ratios are taken within a run, where both were measured within the same minute. */
export function startFigures(results: readonly CaseResult<StartRun>[]): readonly Figure<StartRun>[] {
  const isVersus = results.some(({ runs }) => runs.some(({ operator }) => operator));
  return [
    ...(isVersus ? [] : RAW_WITHOUT_GANG),
    ...RAW_FIGURES,
    ...startOf('engine', ({ engine }) => engine),
    ...(isVersus ? startOf(OPERATOR, ({ operator }) => operator) : []),
    ...RATIOS,
    ...(isVersus ? OPERATOR_RATIOS : []),
    ...costFigures<StartRun>(({ engine }) => engine, { a: 150 }),
    ...SIZES,
    ...(isVersus ? OPERATOR_COSTS : []),
    ...cpuFigures('processor time until all run', results, ({ engine }) => engine.cpuSeconds),
    ...cpuFigures(
      `processor time until all run, ${OPERATOR}`,
      results,
      ({ operator }) => operator?.cpuSeconds ?? {},
    ),
  ];
}

const OPERATOR = 'training-operator';

const time = (
  group: string,
  label: string,
  pick: (run: StartRun) => number | undefined,
): Figure<StartRun> => ({ group, label, unit: 's', of: inSecondsOf(pick) });

const NO_GANG = 'raw limit, no gang';
const RAW = 'raw limit, as the engine';

const RAW_WITHOUT_GANG = [
  time(NO_GANG, 'all pods created', ({ rawWithoutGang }) => rawWithoutGang?.created),
  time(NO_GANG, 'all pods Running', ({ rawWithoutGang }) => rawWithoutGang?.running),
];

const RAW_FIGURES = [
  time(RAW, 'all pods created', ({ raw }) => raw.created),
  time(RAW, 'all pods Running', ({ raw }) => raw.running),
  time(RAW, 'all pods deleted again', ({ raw }) => raw.deleted),
];

/** What is measured of the engine and of the operator alike. */
type Side = JobStart & { readonly jobs: number; readonly stopped: number };

const startOf = (group: string, sideOf: (run: StartRun) => Side | undefined): readonly Figure<StartRun>[] => [
  time(group, 'all jobs submitted', (run) => sideOf(run)?.submitted),
  time(group, 'all pods created', (run) => sideOf(run)?.created),
  time(group, 'all pods Running', (run) => sideOf(run)?.running),
  time(group, 'every job Running', (run) => sideOf(run)?.phaseRunning),
  {
    group,
    label: 'jobs until then',
    unit: 'jobs/s',
    of: (run) => {
      const side = sideOf(run);
      return [side && (side.jobs * 1000) / side.phaseRunning];
    },
  },
  time(group, 'stopped and removed again', (run) => sideOf(run)?.stopped),
];

const RATIOS: readonly Figure<StartRun>[] = [
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
];

/** For runs that have an operator. */
const ratio = (
  group: string,
  label: string,
  of: (run: StartRun & { readonly operator: Side }) => number,
): Figure<StartRun> => ({
  group,
  label,
  unit: 'x',
  of: (run) => [run.operator && of({ ...run, operator: run.operator })],
});

const AGAINST_RAW = `${OPERATOR} against the raw limit`;
const AGAINST_OPERATOR = `engine against ${OPERATOR}`;

const OPERATOR_RATIOS: readonly Figure<StartRun>[] = [
  ratio(AGAINST_RAW, 'created', ({ operator, raw }) => operator.created / raw.created),
  ratio(AGAINST_RAW, 'Running', ({ operator, raw }) => operator.running / raw.running),
  ratio(AGAINST_OPERATOR, 'created', ({ engine, operator }) => engine.created / operator.created),
  ratio(AGAINST_OPERATOR, 'Running', ({ engine, operator }) => engine.running / operator.running),
  ratio(
    AGAINST_OPERATOR,
    'every job Running',
    ({ engine, operator }) => engine.phaseRunning / operator.phaseRunning,
  ),
  ratio(
    AGAINST_OPERATOR,
    'stopped and removed again',
    ({ engine, operator }) => engine.stopped / operator.stopped,
  ),
];

const SIZES: readonly Figure<StartRun>[] = [
  {
    label: 'history per job',
    unit: 'kB',
    of: ({ engine }) => engine.historyBytes.map((bytes) => bytes / 1000),
  },
  { label: 'peak memory of the worker', unit: 'MB', of: ({ engine }) => [engine.memoryMb.worker] },
  { label: 'peak memory of the watcher', unit: 'MB', of: ({ engine }) => [engine.memoryMb.watcher] },
];

const OPERATOR_COSTS: readonly Figure<StartRun>[] = [
  { label: `peak memory of ${OPERATOR}`, unit: 'MB', of: ({ operator }) => [operator?.memoryMb] },
];
