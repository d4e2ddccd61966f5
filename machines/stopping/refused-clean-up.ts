import { timeOf } from '../../language/time.ts';
import type { JobContext } from '../model/job-context.ts';

const PAUSE_MS = { least: 5_000, most: 300_000 };

export function withCleanUpRefusal(context: JobContext, message: string, at: number): Partial<JobContext> {
  const since = context.refusedCleanUp?.since ?? at;
  const pause = Math.min(Math.max(at - since, PAUSE_MS.least), PAUSE_MS.most);
  return { refusedCleanUp: { message, since, nextTryAt: at + pause }, terminating: undefined };
}

/** Undefined while nothing is refused. */
export function explainRefusal({ refusedCleanUp }: JobContext): string | undefined {
  if (!refusedCleanUp) return undefined;
  const { message, nextTryAt } = refusedCleanUp;
  const next = nextTryAt ? `the next attempt is at ${timeOf(nextTryAt)}` : 'it is being retried';
  return `the clean-up is refused: ${message}; ${next}`;
}
