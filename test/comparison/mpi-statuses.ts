import { ACTIVE_DEADLINE } from '../../machines/model/job-context.ts';
import { Course, type PodsState } from './course.ts';
import { leftAfter } from './left.ts';
import { keyOf } from './objects.ts';
import type { GoldenCase } from './observed.ts';
import { asKubeflow } from './statuses.ts';

type Row = readonly [title: string, wanted: object, got: () => unknown];

/** The courses through which cases of mpi-operator were led, by the end of their snapshots' names. */
const COURSES: Readonly<Record<string, (running: Course) => Course>> = {
  DeadlineExceeded: (running) => running.passes(ACTIVE_DEADLINE),
  LauncherFailed: (running) => running.seesFailure({ role: 'Launcher', index: 0 }, {}),
  Worker1Failed: (running) => running.seesFailure({ role: 'Worker', index: 1 }, {}),
  LauncherThenSucceeded: (running) =>
    running
      .seesFailure({ role: 'Worker', index: 1 }, {})
      .seesFailure({ role: 'Worker', index: 1 }, { Launcher: 'succeeded' }),
};

/** Roles whose pods had finished by then. */
const FINISHED: Readonly<Record<string, readonly string[]>> = {
  DeadlineExceeded: [],
  LauncherFailed: ['Launcher'],
  Worker1Failed: [],
};

export function mpiStatusesOf(golden: GoldenCase): Row[] {
  return snapshotsOf(golden, 'statusWhen').map(([name, seen, course]) => {
    const { replicaStatuses, ...wanted } = withoutEndings(seen);
    // A launcher that was removed counts as failed there (failures-of-the-launcher).
    const counts = name === 'DeadlineExceeded' ? {} : { replicaStatuses };
    return [`when ${name}`, { ...wanted, ...counts }, () => asKubeflow(course().status)];
  });
}

/** Less the slash and the colon that nothing follows (reason-of-failure). */
const withoutEndings = (status: object): Record<string, unknown> =>
  JSON.parse(JSON.stringify(status).replace('Exceeded/"', 'Exceeded"').replace('limit: "', 'limit"'));

export function mpiLeftOf(golden: GoldenCase): Row[] {
  const { job, observed, rendered } = golden;
  const left = (course: Course, successRoles: readonly string[]) =>
    course.scope === undefined
      ? rendered.map(keyOf).sort()
      : leftAfter(course.scope, { ...job.plan, successRoles }, rendered);
  const ends = snapshotsOf(golden, 'objectsLeftWhen')
    .filter(([name]) => name in FINISHED)
    .map(([name, wanted, course]): Row => [`when ${name}`, wanted, () => left(course(), FINISHED[name]!)]);
  const neverEnded = observed.statusWhenAllSucceeded?.completionTime === false;
  const waits: Row[] = neverEnded
    ? [['while it waits', observed.objectsLeft ?? [], () => left(allAre(golden, 'unscheduled'), [])]]
    : [];
  return [...ends, ...waits];
}

function snapshotsOf(golden: GoldenCase, prefix: string) {
  return Object.entries(COURSES)
    .filter(([name]) => `${prefix}${name}` in golden.observed)
    .map(([name, lead]) => {
      const seen = golden.observed[`${prefix}${name}`] as object;
      return [name, seen, () => lead(allAre(golden, 'ready'))] as const;
    });
}

const allAre = ({ job }: GoldenCase, state: PodsState) =>
  new Course(job).sees(Object.fromEntries(job.roles.map(({ name }) => [name, state] as const)));
