import type { TrainingJob } from '../../contracts/training-job.ts';
import type { Replica } from '../model/framework.ts';

/**
 * Computes a value that all pods of a job share only once. If each of 1,000 pods builds its own list of 1,000 peers,
 * that takes most of the rendering time.
 */
export function oncePerJob<T>(make: (job: TrainingJob) => T): (job: TrainingJob) => T {
  const once = oncePerMeeting(make);
  return (job) => once(job, {});
}

/** The same for a value that depends on where the ranks meet. */
export function oncePerMeeting<T>(make: (job: TrainingJob, meeting: number) => T) {
  const made = new WeakMap<TrainingJob, Map<number, T>>();
  return (job: TrainingJob, { meeting = 0 }: Pick<Replica, 'meeting'>): T => {
    const known = made.get(job) ?? new Map<number, T>();
    made.set(job, known);
    const value = known.get(meeting) ?? make(job, meeting);
    known.set(meeting, value);
    return value;
  };
}
