import type { TrainingJob } from '../../contracts/training-job.ts';

/**
 * Computes a value that all pods of a job share only once. If each of 1,000 pods builds its own list of 1,000 peers,
 * that takes most of the rendering time.
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
