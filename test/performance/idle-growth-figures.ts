import type { CaseResult } from './cases.ts';
import { costFigures, cpuFigures, type Figure } from './figures.ts';
import type { IdleGrowthRun, Resident } from './idle-growth.ts';

export function idleGrowthFigures(
  results: readonly CaseResult<IdleGrowthRun>[],
): readonly Figure<IdleGrowthRun>[] {
  const steps = results[0]?.runs[0]?.steps.map(({ jobs }) => jobs) ?? [];
  return [
    ...steps.map(speedUpTo),
    ...PARTS.flatMap((part) => [memoryOf(part, 'none', ({ empty }) => empty), ...memoryBySteps(part, steps)]),
    ...PARTS.map(memoryPerJob),
    ...cpuFigures('processor time of an idle minute', results, ({ idleMinute }) => idleMinute),
    ...QUERIES,
    ...costFigures<IdleGrowthRun>((run) => run),
  ];
}

interface Part {
  readonly name: keyof Resident;
  readonly title: string;
}

const PARTS: readonly Part[] = [
  { name: 'worker', title: 'worker' },
  { name: 'watcher', title: 'watcher' },
  { name: 'temporal', title: 'Temporal' },
];

const speedUpTo = (jobs: number, step: number): Figure<IdleGrowthRun> => ({
  group: 'start, by live jobs',
  label: String(jobs),
  unit: 'jobs/s',
  of: ({ steps }) => [steps[step]?.jobsPerSecond],
});

const memoryBySteps = (part: Part, steps: readonly number[]) =>
  steps.map((jobs, step) => memoryOf(part, String(jobs), (run) => run.steps[step]?.resident));

const memoryOf = (
  { name, title }: Part,
  label: string,
  pick: (run: IdleGrowthRun) => Resident | undefined,
): Figure<IdleGrowthRun> => ({
  group: `resident memory of ${title}, by live jobs`,
  label,
  unit: 'MB',
  of: (run) => [pick(run)?.[name]],
});

const memoryPerJob = ({ name, title }: Part): Figure<IdleGrowthRun> => ({
  group: 'resident memory per live job',
  label: title,
  unit: 'kB',
  of: ({ empty, steps, jobs }) => {
    const [first, last] = [empty[name], steps.at(-1)?.resident[name]];
    return [first === undefined || last === undefined ? undefined : ((last - first) * 1024) / jobs];
  },
});

const QUERY = 'status query of a job of the first step';

const QUERIES: readonly Figure<IdleGrowthRun>[] = [
  { group: QUERY, label: 'each', unit: 'ms', of: ({ queries }) => queries },
  { group: QUERY, label: 'longest', unit: 'ms', of: ({ queries }) => [Math.max(...queries)] },
];
