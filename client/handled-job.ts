import type { SubmissionResult } from './client-settings.ts';
import type { JobRunId } from './job-run.ts';

/** A job, and what its submission found. */
export interface HandledJob extends JobRunId {
  readonly submission?: SubmissionResult;
  readonly warnings?: readonly string[];
}
