import type { Condition } from '../../contracts/kubernetes.ts';
import type { TrainingJob } from '../../contracts/training-job.ts';
import { Course } from './course.ts';
import type { GoldenCase, ObservedFailure } from './observed.ts';
import { asKubeflow } from './statuses.ts';

type Row = readonly [title: string, wanted: object, got: () => unknown];

/** What followed where one pod of a job that ran failed: all lists of conditions one after another, and the last counts. */
export function failuresOf({ job, observed }: GoldenCase): Row[] {
  return (observed.failures ?? []).map((failure): Row => {
    const { role, index, exitCode, conditions, replicaStatuses } = failure;
    const title = `when ${role} ${index} has failed with ${exitCode}`;
    return [title, { conditions: asWritten(conditions), replicaStatuses }, () => afterFailure(job, failure)];
  });
}

/** A slip of the pen that is not copied (reason-of-failure). */
const asWritten = (conditions: ObservedFailure['conditions']): ObservedFailure['conditions'] =>
  JSON.parse(JSON.stringify(conditions).replaceAll('MPIJobMPIJob', 'MPIJob'));

function afterFailure(job: TrainingJob, { role, index, exitCode }: ObservedFailure) {
  const ready = Object.fromEntries(job.roles.map(({ name }) => [name, 'ready'] as const));
  const course = new Course(job).sees(ready).sees(ready);
  const before = asKubeflow(course.status);
  const failed = asKubeflow(course.seesFailure({ role, index, exitCode }, {}).status);
  // The pod is made again, if the job still goes on.
  const last = failed.completionTime ? failed : asKubeflow(course.sees(ready).status);
  const conditions = [before, failed, last].map((status) => status.conditions).filter(differsFromLast);
  return { conditions, replicaStatuses: last.replicaStatuses };
}

const differsFromLast = (
  conditions: readonly Condition[],
  at: number,
  all: readonly (readonly Condition[])[],
) => JSON.stringify(conditions) !== JSON.stringify(all[at - 1]);
