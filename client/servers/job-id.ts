import type { SubmissionResult } from './client-settings.ts';

/** A workflow id; with `firstRunId`, only the chain of runs that began with it. */
export interface JobId {
  readonly workflowId: string;
  readonly runId?: string;
  readonly firstRunId?: string;
}

/** A job, and what its submission found. */
export interface SubmittedJob extends JobId {
  readonly submission?: SubmissionResult;
  readonly warnings?: readonly string[];
}
