/** What the worker's bundle exports: a workflow's name is its type. */
export { sweepJob } from './sweep-job.ts';
export { trainingJob } from './training-job.ts';
