/** Exports of the worker's bundle. The name of a workflow is its type. */
export { archiver } from './archiver.ts';
export { expireJob } from './expire-job.ts';
export { mistakenType as default } from './mistaken-type.ts';
export { sweepJob } from './sweep-job.ts';
export { trainingJob } from './training-job.ts';
