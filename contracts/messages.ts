/** Names of what a workflow hears and answers; the same words work in Temporal's own CLI and UI. */
export const TRAINING_JOB = 'trainingJob';
export const SWEEP_JOB = 'sweepJob';
export const DEFAULT_TASK_QUEUE = 'signalbox';

export const DIGEST_SIGNAL = 'digest';
export const STOP_UPDATE = 'stop';
export const SUSPEND_UPDATE = 'suspend';
export const RESUME_UPDATE = 'resume';
export const SCALE_UPDATE = 'scale';
export const RETRY_NOW_UPDATE = 'retryNow';
export const EXTEND_DEADLINE_UPDATE = 'extendDeadline';
export const HOLD_UPDATE = 'hold';
export const RELEASE_UPDATE = 'release';
export const AMEND_POLICY_UPDATE = 'amendPolicy';
export const STATUS_QUERY = 'status';

/** Removes what an ended job left in the cluster, when its time to live is over. */
export const EXPIRE_JOB = 'expireJob';

/** What a person says with a stop, a suspension or a resumption. */
export interface Intervention {
  /** Who asks; recorded. */
  readonly by?: string;
  readonly why?: string;
}

export interface StopRequest extends Intervention {
  /** First ask for a checkpoint, as the policy says how. */
  readonly checkpoint?: boolean;
}

export interface ScaleRequest extends Intervention {
  readonly role: string;
  readonly replicas: number;
}

export interface ExtendRequest extends Intervention {
  /** Added to activeDeadlineSeconds. */
  readonly seconds: number;
}

export interface HoldRequest extends Intervention {
  /** How long failed pods are kept; counted anew for a job that is held already. */
  readonly seconds: number;
}

export interface AmendRequest extends Intervention {
  /** A part of a policy document: what it names replaces what was there (RFC 7396). */
  readonly policy: Readonly<Record<string, unknown>>;
}

/** Longer than any job, as in a policy; a slip of the finger otherwise. */
export const LONGEST_SECONDS = 365 * 24 * 3600;

/** Why a number of seconds cannot be asked for. */
export function explainSeconds(seconds: unknown, least: number): string | undefined {
  const isMeant = Number.isInteger(seconds) && Number(seconds) >= least && Number(seconds) <= LONGEST_SECONDS;
  if (isMeant) return undefined;
  const given = typeof seconds === 'number' ? String(seconds) : (JSON.stringify(seconds) ?? 'nothing');
  return `seconds: expected an integer from ${least} to ${LONGEST_SECONDS} (365d), got ${given}`;
}

/** Type of the failure that ends the workflow of a failed job; its first detail is the JobOutcome. */
export const JOB_FAILED = 'JobFailed';
/** Type of the failure of a manifest with faults; its details are the list of faults, and the JobOutcome. */
export const INVALID_MANIFEST = 'InvalidManifest';

/** Memo keys. */
export const MEMO = {
  /** Set at submission. */
  manifestHash: 'manifestHash',
  submittedBy: 'submittedBy',
  /** Set when the job has its anchor, so that the anchor can be missed even when nothing is left of it. */
  anchorUid: 'anchorUid',
  /** Set with it: the Kubernetes cluster that the job is in, where that is known. */
  clusterId: 'clusterId',
} as const;

export interface ExpireRequest {
  readonly namespace: string;
  readonly anchorName: string;
  readonly anchorUid: string;
  readonly clusterId?: string;
}

export interface SweepRequest {
  readonly namespace: string;
  readonly anchorName: string;
  readonly anchorUid: string;
  readonly clusterId?: string;
  readonly workflowId: string;
}
