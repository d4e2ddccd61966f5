import type { JobOutcome } from './status.ts';
import type { StopRequest } from './types.ts';

/**
 * What other people's workflows ask signalbox's workers: activities, as a workflow can neither read another one nor send
 * it an update. pipelines/workflow/run-training-job.ts
 */

export const FIND_EARLIER_JOB = 'findEarlierJob';
export const STOP_CALLED_JOB = 'stopCalledJob';

export interface EarlierJobRequest {
  readonly workflowId: string;
  /** The key of the submission, in the memo of its workflow; without one no job is the same. */
  readonly key?: string;
}

export type EarlierJob =
  /** Nothing runs under this id, and no job with this key has ended in its own way: one may be started. */
  | { readonly state: 'none' }
  /** Its workflow is open. `isSame`: with this key. A final phase: it has ended, and is being cleaned up, or held. */
  | { readonly state: 'live'; readonly isSame: boolean; readonly phase: string }
  | { readonly state: 'ended'; readonly outcome: JobOutcome };

export interface StopCalledJobRequest {
  readonly workflowId: string;
  /** The first run of the job. */
  readonly firstRunId: string;
  readonly request: StopRequest;
}

/** The activities, for `proxyActivities`. */
export interface CallsOfWorkflows {
  [FIND_EARLIER_JOB](request: EarlierJobRequest): Promise<EarlierJob>;
  [STOP_CALLED_JOB](request: StopCalledJobRequest): Promise<void>;
}
