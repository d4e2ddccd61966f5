import type { CaseResult } from './cases.ts';
import { costFigures, cpuFigures, type Figure, inSecondsOf } from './figures.ts';
import type { StartRun } from './start.ts';

/** Ratios are taken within a run, where both were measured within the same minute. */
export const startFigures = (results: readonly CaseResult<StartRun>[]): readonly Figure<StartRun>[] => [
  ...RAW_FIGURES,
  ...ENGINE_FIGURES,
  ...RATIOS,
  ...costFigures<StartRun>(({ engine }) => engine, { a: 150 }),
  ...SIZES,
  ...cpuFigures('processor time until all run', results, ({ engine }) => engine.cpuSeconds),
];

const time = (
  group: string,
  label: string,
  pick: (run: StartRun) => number | undefined,
): Figure<StartRun> => ({ group, label, unit: 's', of: inSecondsOf(pick) });

const NO_GANG = 'raw limit, no gang';
const RAW = 'raw limit, as the engine';

const RAW_FIGURES = [
  time(NO_GANG, 'all pods created', ({ rawWithoutGang }) => rawWithoutGang?.created),
  time(NO_GANG, 'all pods Running', ({ rawWithoutGang }) => rawWithoutGang?.running),
  time(RAW, 'all pods created', ({ raw }) => raw.created),
  time(RAW, 'all pods Running', ({ raw }) => raw.running),
  time(RAW, 'all pods deleted again', ({ raw }) => raw.deleted),
];

const ENGINE = 'engine';

const ENGINE_FIGURES: readonly Figure<StartRun>[] = [
  time(ENGINE, 'all jobs submitted', ({ engine }) => engine.submitted),
  time(ENGINE, 'all pods created', ({ engine }) => engine.created),
  time(ENGINE, 'all pods Running', ({ engine }) => engine.running),
  time(ENGINE, 'every phase Running', ({ engine }) => engine.phaseRunning),
  {
    group: ENGINE,
    label: 'jobs until then',
    unit: 'jobs/s',
    of: ({ engine }) => [(engine.jobs * 1000) / engine.phaseRunning],
  },
  time(ENGINE, 'stopped and removed again', ({ engine }) => engine.stopped),
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

const SIZES: readonly Figure<StartRun>[] = [
  {
    label: 'history per job',
    unit: 'kB',
    of: ({ engine }) => engine.historyBytes.map((bytes) => bytes / 1000),
  },
  { label: 'peak memory of the worker', unit: 'MB', of: ({ engine }) => [engine.memoryMb.worker] },
  { label: 'peak memory of the watcher', unit: 'MB', of: ({ engine }) => [engine.memoryMb.watcher] },
];
