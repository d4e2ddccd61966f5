import type { PlannedRole } from '../../../contracts/training-job.ts';
import type { Fault } from '../../../contracts/types.ts';
import { checkAwaited } from '../../fields/awaited-roles.ts';
import { describeValue } from '../../fields/faults.ts';
import { JOBS_PATH, type ReplicatedJob, type RuntimeSpec } from './spec/runtime.ts';

/** Returns what a replicated job waits for, as the plan has it. */
export function afterJobs(
  job: ReplicatedJob,
  { template: { spec } }: RuntimeSpec,
): Pick<PlannedRole, 'after' | 'afterEnd'> {
  const awaited = job.dependsOn ?? [];
  if (awaited.length > 0) {
    const ended = awaited.filter(({ status }) => status === 'Complete').map(({ name }) => name);
    return { after: awaited.map(({ name }) => name), ...(ended.length > 0 ? { afterEnd: ended } : {}) };
  }
  const before = spec.startupPolicy?.startupPolicyOrder === 'InOrder' ? jobBefore(job, spec) : undefined;
  return before ? { after: [before.name] } : {};
}

const jobBefore = (job: ReplicatedJob, { replicatedJobs }: RuntimeSpec['template']['spec']) =>
  replicatedJobs[replicatedJobs.findIndex(({ name }) => name === job.name) - 1];

/** Returns the replicated jobs that wait for none of the runtime, or for each other. */
export function checkOrder({ template: { spec } }: RuntimeSpec): Fault[] {
  const jobs = spec.replicatedJobs.map(({ name, dependsOn = [] }, index) => ({
    name,
    awaited: dependsOn.map((one) => one.name),
    path: `${JOBS_PATH}[${index}].dependsOn`,
    pathOf: (at: number) => `${JOBS_PATH}[${index}].dependsOn[${at}].name`,
  }));
  const isInOrder = spec.startupPolicy?.startupPolicyOrder === 'InOrder';
  const both = jobs.find(({ awaited }) => isInOrder && awaited.length > 0);
  if (!both) return checkAwaited(jobs, 'replicated job');
  return [
    { path: both.path, expected: 'nothing beside startupPolicy InOrder', got: describeValue(both.awaited) },
  ];
}
