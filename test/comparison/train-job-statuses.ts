import { statusOfResource } from '../../bridge/resource-status.ts';
import type { TrainingJob } from '../../contracts/training-job.ts';
import { Course, type PodsState } from './course.ts';
import { leftAfter } from './left.ts';
import type { GoldenCase } from './observed.ts';
import { isOfTrainer } from './train-job-objects.ts';

type Row = readonly [title: string, wanted: unknown, got: () => unknown];

/** Statuses whose pods a course has as the golden case has them. Trainer forgets to count after a deadline. */
const COUNTED: ReadonlySet<string> = new Set(['statusWhenRunning', 'statusWhenAllSucceeded']);

/** The status of the custom resource of a job. */
function resourceStatus({ apiVersion, kind, name }: TrainingJob, { status }: Course): TrainStatus {
  const isSuspended = status.phase === 'Suspended';
  const about = { apiVersion, kind, name, generation: 1, isSuspended, ofSpec: {}, status: {} };
  return statusOfResource(about, status, { at: '2026-01-01T00:00:00Z' }) as unknown as TrainStatus;
}

const wordsOf = ({ conditions }: TrainStatus) =>
  conditions.map(({ type, status, reason }) => `${type}=${status} ${reason}`);

const statesOf = (job: TrainingJob, state: PodsState) =>
  Object.fromEntries(job.roles.map(({ name }) => [name, state] as const));

/** Jobs that others wait for come first, and end if it is their end that is awaited. */
function running(job: TrainingJob, course = new Course(job)): Course {
  const awaited = new Set(job.plan.roles.flatMap(({ afterEnd = [] }) => afterEnd));
  const states = Object.fromEntries(
    job.roles.map(({ name }) => [name, awaited.has(name) ? 'succeeded' : 'ready'] as const),
  );
  return course.sees(states).sees(states);
}

const succeeded = (job: TrainingJob) => running(job).sees(statesOf(job, 'succeeded'));

function lastNodeFailed(job: TrainingJob, course = running(job)): Course {
  const { name, replicas } = job.roles.at(-1)!;
  const uid = `${course.status.attempt}-${course.status.restarts}`;
  return course.seesFailure({ role: name, index: replicas - 1, uid }, {});
}

const secondFailure = (job: TrainingJob) => lastNodeFailed(job, running(job, lastNodeFailed(job)));

/** What became of a job by events in its pods. */
const COURSES: Readonly<Record<string, (job: TrainingJob) => Course>> = {
  statusWhenRunning: (job) => (job.plan.runPolicy.suspend ? running(job, resumed(job)) : running(job)),
  statusWhenAllSucceeded: succeeded,
  statusWhenLastNodeFailed: (job) => lastNodeFailed(job),
  statusAfterFirstFailure: (job) => lastNodeFailed(job, running(job, resumed(job))),
  statusAfterSecondFailure: (job) =>
    job.plan.runPolicy.suspend
      ? lastNodeFailed(job, running(job, lastNodeFailed(job, running(job, resumed(job)))))
      : secondFailure(job),
  statusAfterResume: (job) => resumed(job),
  statusWhenDeadlineExceeded: (job) => running(job).passes('activeDeadline'),
};

const resumed = (job: TrainingJob) => new Course(job).resumes();

interface TrainStatus {
  readonly conditions: readonly {
    readonly type: string;
    readonly status: string;
    readonly reason?: string;
  }[];
  readonly jobsStatus: readonly object[];
}

/** A job that is resumed keeps the condition Suspended=False, which says nothing of how it is. */
const lastOf = ({ conditions }: TrainStatus): string | undefined =>
  conditions
    .map(({ type, status }) => `${type}=${status}`)
    .filter((one) => one !== 'Suspended=False')
    .at(-1);

export const trainStatusesOf = ({ name, job, observed }: GoldenCase): Row[] =>
  isOfTrainer(name)
    ? Object.entries(COURSES).flatMap(([status, course]): Row[] => {
        const seen = observed[status] as TrainStatus | undefined;
        if (!seen) return [];
        const shown = () => resourceStatus(job, course(job));
        const counts = COUNTED.has(status) ? ({ jobsStatus }: TrainStatus) => jobsStatus : () => undefined;
        const toldIn = (one: TrainStatus) => ({ conditions: wordsOf(one), jobs: counts(one) });
        return [[`${status}: ${lastOf(seen) ?? 'lives'}`, toldIn(seen), () => toldIn(shown())]];
      })
    : [];

/** What stays when all pods have succeeded. */
export function trainLeftOf({ name, job, observed, rendered }: GoldenCase): Row[] {
  const wanted = observed.objectsLeftWhenAllSucceeded as readonly string[] | undefined;
  // With a TTL nothing stays.
  const isExpired = job.plan.runPolicy.ttlSecondsAfterFinished !== undefined;
  if (!isOfTrainer(name) || !wanted || isExpired) return [];
  const left = () => leftAfter(succeeded(job).scope, job.plan, rendered);
  return [['when all have succeeded', wanted.filter((key) => !key.startsWith('PodGroup/')).toSorted(), left]];
}
