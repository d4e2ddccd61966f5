/** What the worker's bundle exports: a workflow's name is its type. */
export { expireJob } from './expire-job.ts';
export { sweepJob } from './sweep-job.ts';
export { trainingJob } from './training-job.ts';
