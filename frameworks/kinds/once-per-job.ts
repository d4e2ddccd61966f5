import type { TrainingJob } from '../../contracts/training-job.ts';

/**
 * What is the same for all pods of a job, made for the first of them only: a list of 1,000 peers that each of 1,000 pods
 * makes anew is most of the time that rendering takes.
 */
export function oncePerJob<T>(make: (job: TrainingJob) => T): (job: TrainingJob) => T {
  const made = new WeakMap<TrainingJob, T>();
  return (job) => {
    const known = made.get(job);
    if (known !== undefined) return known;
    const value = make(job);
    made.set(job, value);
    return value;
  };
}
