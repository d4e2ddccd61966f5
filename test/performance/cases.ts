/** The size of a case. */
export interface CaseShape {
  readonly name: CaseName;
  readonly jobs: number;
  readonly podsPerJob: number;
}

export interface CaseResult<Run> extends CaseShape {
  readonly runs: readonly Run[];
}

interface Scale {
  readonly pods: number;
  readonly jobs: number;
}

interface Case {
  readonly measures: string;
  /** By default, on a 2-core machine that does nothing else. */
  readonly takes: string;
  readonly shape: (scale: Scale) => Omit<CaseShape, 'name'>;
}

/** In how many steps case e grows. */
export const GROWTH_STEPS = 5;

export const CASES = {
  a: {
    measures: 'one job of 1,000 pods, until it runs',
    takes: 'a minute',
    shape: ({ pods }) => ({ jobs: 1, podsPerJob: pods }),
  },
  b: {
    measures: '100 jobs of 10 pods, until they run',
    takes: 'two minutes',
    shape: ({ pods, jobs }) => ({ jobs, podsPerJob: Math.max(1, Math.round(pods / jobs)) }),
  },
  c: {
    measures: '1,000 jobs of a pod, until they run',
    takes: 'four minutes',
    shape: ({ pods }) => ({ jobs: pods, podsPerJob: 1 }),
  },
  d: {
    measures: 'worker and watcher are killed beside 1,000 jobs of a pod, and one pod fails',
    takes: 'five minutes',
    shape: ({ pods }) => ({ jobs: pods, podsPerJob: 1 }),
  },
  e: {
    measures: 'growth to 5,000 idle jobs of a pod, in five steps',
    takes: 'a quarter of an hour',
    shape: ({ pods }) => ({ jobs: GROWTH_STEPS * pods, podsPerJob: 1 }),
  },
} as const satisfies Record<string, Case>;

export type CaseName = keyof typeof CASES;

/** Those in which jobs start; they are measured by default. */
export const START_CASES: readonly CaseName[] = ['a', 'b', 'c'];

export const isCaseName = (text: string): text is CaseName => Object.hasOwn(CASES, text);

export const shapeOf = (name: CaseName, scale: Scale): CaseShape => ({ name, ...CASES[name].shape(scale) });

export const title = ({ name, jobs, podsPerJob }: CaseShape) =>
  `(${name}) ${counted(jobs, 'job')} x ${counted(podsPerJob, 'pod')}`;

const counted = (count: number, what: string) => `${count} ${what}${count === 1 ? '' : 's'}`;
