import { firstNodeOf, indexVariable, MEETING_PORT, type MlPolicy, nodesOf } from './ml-policy.ts';
import { gpusOfNode } from './node-resources.ts';
import { withMeeting, withTrainers } from './trainer-jobs.ts';

/** What the tracker of XGBoost reads; each GPU has a worker. */
export const xgboostPolicy: MlPolicy = {
  reserved: ['DMLC_TRACKER_URI', 'DMLC_TRACKER_PORT', 'DMLC_TASK_ID', 'DMLC_NUM_WORKER'],
  apply: (jobs, job) =>
    withTrainers(jobs, (trainer) =>
      withMeeting(trainer, [
        { name: 'DMLC_TRACKER_URI', value: firstNodeOf(job, trainer.name) },
        { name: 'DMLC_TRACKER_PORT', value: `${MEETING_PORT}` },
        indexVariable('DMLC_TASK_ID'),
        { name: 'DMLC_NUM_WORKER', value: `${nodesOf(job) * Math.max(1, gpusOfNode(job, trainer))}` },
      ]),
    ),
};
