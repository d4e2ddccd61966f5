/**
 * Training jobs as activities of your own Temporal workers.
 *
 * @packageDocumentation
 */

export type { RunTrainingJobOptions, TrainingJobActivities } from './activity/training-job-activities.ts';
export { trainingJobActivities } from './activity/training-job-activities.ts';
