import { numberInText } from '../../language/number-in-text.ts';
import type { JobContext } from '../model/job-context.ts';

/** Returns the furthest progress so far, so that repeating the same steps after a restart is not progress. */
export function furthestProgress({ bestProgress, progress }: JobContext): number | undefined {
  const present = numberInText(progress?.value);
  if (present === undefined || bestProgress === undefined) return present ?? bestProgress;
  return Math.max(present, bestProgress);
}

/** Whether the job reported progress at that time beyond what it had reached before its last restart. */
export function isFurther({ progress, bestProgress }: JobContext, at: number): boolean {
  if (progress?.at !== at) return false;
  const present = numberInText(progress.value);
  return present === undefined || bestProgress === undefined || present > bestProgress;
}
