import { podNameOf } from '../../contracts/labels.ts';
import type { TrainingJob } from '../../contracts/training-job.ts';
import { Course, type PodsState } from './course.ts';
import { leftAfter } from './left.ts';
import type { GoldenCase } from './observed.ts';

type Row = readonly [title: string, wanted: object, got: () => unknown];

/** What paddle-operator wrote in each of the courses that the cases led it through, and what signalbox says there. */
export function paddleStatusesOf({ job, observed }: GoldenCase): Row[] {
  return COURSES.flatMap(({ title, course, status }): Row[] => {
    const seen = observed[status];
    if (!isPaddleStatus(seen)) return [];
    const { jobAnnotations: _, jobFinalizers: __, ...wanted } = seen;
    return [[title, wanted, () => asPaddleOperator(job, course(job))]];
  });
}

/** The objects that stay after each end. */
export function paddleLeftOf({ job, observed, rendered }: GoldenCase): Row[] {
  return COURSES.flatMap(({ title, course, status, left }): Row[] => {
    const wanted = left && observed[left];
    if (!wanted || !isPaddleStatus(observed[status])) return [];
    return [[title, wanted as readonly string[], () => leftAfter(course(job).scope, job.plan, rendered)]];
  });
}

const isPaddleStatus = (seen: unknown): seen is Readonly<Record<string, unknown>> =>
  typeof seen === 'object' && seen !== null && 'mode' in seen;

export const running = (job: TrainingJob) => new Course(job).sees(allAre(job, 'ready'));

const succeeded = (job: TrainingJob) => running(job).sees(allAre(job, 'succeeded'));

/** The last pod by name. */
function failed(job: TrainingJob): Course {
  const { name, replicas } = [...job.roles].sort((a, b) => (a.name < b.name ? 1 : -1))[0]!;
  return running(job).seesFailure({ role: name, index: replicas - 1 }, {});
}

const COURSES = [
  { title: 'while it runs', course: running, status: 'statusWhenRunning', left: undefined },
  {
    title: 'when it has succeeded',
    course: succeeded,
    status: 'statusWhenAllSucceeded',
    left: 'objectsLeft',
  },
  {
    title: 'when its last pod has failed',
    course: failed,
    status: 'statusWhenLastPodFailed',
    left: 'objectsLeftWhenLastPodFailed',
  },
] as const;

const allAre = ({ roles }: TrainingJob, state: PodsState) =>
  Object.fromEntries(roles.map(({ name }) => [name, state]));

/** A status of pods that run or have ended, as paddle-operator writes it: it counts and names those that are there. */
export function asPaddleOperator(job: TrainingJob, { status, scope }: Pick<Course, 'status' | 'scope'>) {
  const { phase, mode, startTime, completionTime, replicaStatuses } = status;
  const isThere = scope === undefined || scope === 'None';
  const roles = job.roles.map(({ name, replicas }) => {
    const refs = Array.from({ length: replicas }, (_, index) => podNameOf(job.name, name, index));
    return [name, isThere ? { ...replicaStatuses[name], refs } : { refs: [] }] as const;
  });
  return {
    phase,
    mode,
    ...Object.fromEntries(roles),
    startTime: startTime !== undefined,
    completionTime: completionTime !== undefined,
  };
}
