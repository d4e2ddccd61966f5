import { firstNodeOf, indexVariable, MEETING_PORT, type MlPolicy, nodesOf } from './ml-policy.ts';
import { withMeeting, withTrainers } from './trainer-jobs.ts';

/** What jax.distributed reads. */
export const jaxPolicy: MlPolicy = {
  reserved: ['JAX_NUM_PROCESSES', 'JAX_PROCESS_ID', 'JAX_COORDINATOR_ADDRESS'],
  apply: (jobs, job) =>
    withTrainers(jobs, (trainer) =>
      withMeeting(trainer, [
        { name: 'JAX_NUM_PROCESSES', value: `${nodesOf(job)}` },
        indexVariable('JAX_PROCESS_ID'),
        { name: 'JAX_COORDINATOR_ADDRESS', value: `${firstNodeOf(job, trainer.name)}:${MEETING_PORT}` },
      ]),
    ),
};
