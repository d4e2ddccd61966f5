import type { EnvVar } from '../../../../contracts/kubernetes.ts';
import { withContainer, withEnv, withPortNumber } from '../spec/containers.ts';
import { ancestorOf, type ReplicatedJob, TRAINER } from '../spec/runtime.ts';
import { MEETING_PORT, NODE } from './ml-policy.ts';

/** Changes what stands for the trainer among the replicated jobs. */
export const withTrainers = (
  jobs: readonly ReplicatedJob[],
  change: (trainer: ReplicatedJob) => ReplicatedJob,
): readonly ReplicatedJob[] => jobs.map((one) => (ancestorOf(one) === TRAINER ? change(one) : one));

/** Its nodes know from these variables where they meet, and open the port. */
export const withMeeting = (trainer: ReplicatedJob, variables: readonly EnvVar[]): ReplicatedJob =>
  withContainer(trainer, NODE, (container) => withPortNumber(withEnv(container, variables), MEETING_PORT));
