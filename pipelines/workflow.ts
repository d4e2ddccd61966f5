/**
 * Training jobs as steps of your own Temporal workflows.
 *
 * @packageDocumentation
 */

export type { Outcome } from 'signalbox';
export { runTrainingJob } from './workflow/run-training-job.ts';
export type { TrainingJobOptions } from './workflow/training-step.ts';
