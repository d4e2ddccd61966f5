import type { JobContext } from '../model/job-context.ts';

/** How far the job has got, where it tells that by a number: `1200`, `step=1200`. */
const numberIn = (value: string | undefined): number | undefined => {
  const digits = /\d+(\.\d+)?/.exec(value ?? '')?.[0];
  return digits === undefined ? undefined : Number(digits);
};

/** How far it had got at most when it was restarted last, so that the same steps done again are no progress. */
export function furthestProgress({ bestProgress, progress }: JobContext): number | undefined {
  const present = numberIn(progress?.value);
  if (present === undefined || bestProgress === undefined) return present ?? bestProgress;
  return Math.max(present, bestProgress);
}

/** Something new was heard, and it is further than the job had been before its last restart. */
export function isFurther(before: JobContext, after: JobContext): boolean {
  if (after.progress === before.progress) return false;
  const present = numberIn(after.progress?.value);
  return present === undefined || after.bestProgress === undefined || present > after.bestProgress;
}
