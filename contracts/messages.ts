/** Names of what a workflow hears and answers; the same words work in Temporal's own CLI and UI. */
export const TRAINING_JOB = 'trainingJob';
export const SWEEP_JOB = 'sweepJob';
export const DEFAULT_TASK_QUEUE = 'signalbox';

export const DIGEST_SIGNAL = 'digest';
export const STOP_UPDATE = 'stop';
export const SUSPEND_UPDATE = 'suspend';
export const RESUME_UPDATE = 'resume';
export const STATUS_QUERY = 'status';

/** What a person says with a stop, a suspension or a resumption. */
export interface Intervention {
  /** Who asks; recorded. */
  readonly by?: string;
  readonly why?: string;
}

/** Type of the failure that ends the workflow of a failed job; its first detail is the JobOutcome. */
export const JOB_FAILED = 'JobFailed';
/** Type of the failure of a manifest with faults; its first detail is the list of faults. */
export const INVALID_MANIFEST = 'InvalidManifest';

/** Memo keys. */
export const MEMO = {
  /** Set at submission. */
  manifestHash: 'manifestHash',
  submittedBy: 'submittedBy',
  /** Set when the job has its anchor, so that the anchor can be missed even when nothing is left of it. */
  anchorUid: 'anchorUid',
} as const;

export interface SweepRequest {
  readonly namespace: string;
  readonly anchorName: string;
  readonly anchorUid: string;
  readonly workflowId: string;
}
