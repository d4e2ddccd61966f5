import { type JobContext, LOOK } from '../model/job-context.ts';
import { timeOf } from '../model/time.ts';
import { withTimer } from '../model/timers.ts';

const PAUSE_MS = { least: 5_000, most: 300_000 };

export function withCleanUpRefusal(context: JobContext, message: string, at: number): Partial<JobContext> {
  const since = context.refusedCleanUp?.since ?? at;
  const pause = Math.min(Math.max(at - since, PAUSE_MS.least), PAUSE_MS.most);
  return {
    refusedCleanUp: { message, since },
    terminating: undefined,
    ...withTimer(context, LOOK, at + pause),
  };
}

/** Undefined while nothing is refused. */
export const explainRefusal = ({ refusedCleanUp, deadlines }: JobContext): string | undefined =>
  refusedCleanUp &&
  `the clean-up is refused: ${refusedCleanUp.message}; ${deadlines[LOOK] ? `it is tried again at ${timeOf(deadlines[LOOK])}` : 'it is being tried again'}`;
