import { LONGEST_DURATION_MS } from '../language/duration.ts';

/** Signal, update and query names. Temporal's CLI and UI accept them as well. */
export const TRAINING_JOB = 'trainingJob';
export const CLEAN_UP_ORPHAN = 'cleanUpOrphan';
/** Id of the workflow that removes what a job without a workflow has left. */
export const orphanIdOf = ({ namespace, anchorName, anchorUid }: Omit<OrphanRequest, 'workflowId'>): string =>
  `orphan/${namespace}/${anchorName}/${anchorUid}`;
export const DEFAULT_TASK_QUEUE = 'signalbox';

export const DIGEST_SIGNAL = 'digest';
/** Says who is about to send an update, an `AskedSignal`. Only its event in the history counts: it has the sender. */
export const ASKED_SIGNAL = 'asked';
/** Requests to a job. */
export const UPDATES = {
  stop: 'stop',
  suspend: 'suspend',
  resume: 'resume',
  scale: 'scale',
  retryNow: 'retryNow',
  extendDeadline: 'extendDeadline',
  hold: 'hold',
  release: 'release',
  amendPolicy: 'amendPolicy',
  /** Makes the job what a manifest says. */
  apply: 'apply',
} as const;

export const STATUS_QUERY = 'status';
/** Answers with what the job is built from, a `SourceAnswer`. */
export const SOURCE_QUERY = 'source';

/** Workflow that deletes what an ended job left in the cluster when its time to live is over. */
export const EXPIRE_JOB = 'expireJob';

/**
 * Sent right before an update, with the same words. Temporal's authorizer knows who sends a signal; the event of an update
 * names the worker that accepted it.
 */
export interface AskedSignal {
  /** Id of the update. */
  readonly id: string;
  /** Name of the update. */
  readonly request: string;
  /** Argument of the update. */
  readonly argument: unknown;
}

/** Longer than any job, also the limit in policies: a larger number is a typing error. */
export const LONGEST_SECONDS = LONGEST_DURATION_MS / 1000;

/** Returns why a number of seconds is not allowed. */
export function explainSeconds(seconds: unknown, least: number): string | undefined {
  const isValid = Number.isInteger(seconds) && Number(seconds) >= least && Number(seconds) <= LONGEST_SECONDS;
  if (isValid) return undefined;
  const given = typeof seconds === 'number' ? String(seconds) : (JSON.stringify(seconds) ?? 'nothing');
  return `seconds: expected an integer from ${least} to ${LONGEST_SECONDS} (365d), got ${given}`;
}

/** Type of the failure that ends the workflow of a failed job. Its first detail is the JobOutcome. */
export const JOB_FAILED = 'JobFailed';
/** Type of the failure for a manifest with faults. Its details are the faults and the JobOutcome. */
export const INVALID_MANIFEST = 'InvalidManifest';

/** Types of the failures that answer a request: the job does not accept it now, or has ended. */
export const REFUSED_REQUEST = 'Refused';
export const JOB_ENDED = 'JobEnded';

/** Memo keys. */
export const MEMO = {
  /** Set at submission. */
  manifestHash: 'manifestHash',
  submittedBy: 'submittedBy',
  /** Identifies the submission: a program that submits again with it gets the same run. */
  key: 'key',
  why: 'why',
  /** A `ResourceIdentity`: the custom resource that the bridge starts the job of. */
  resource: 'resource',
  /** A `ParentJob`: this job is a rerun of it. */
  rerunOf: 'rerunOf',
  /** Set with the anchor. It shows that a job had an anchor even if nothing is left of the anchor. */
  anchorUid: 'anchorUid',
  /** Set with the anchor: the Kubernetes cluster of the job, if known. */
  clusterId: 'clusterId',
  /** Of a failed job: what its logs say, once evidence is taken. */
  error: 'error',
  /** Of a parameter sweep: its `SweepCounts`, after the last round that changed them. */
  sweep: 'sweep',
} as const;

export interface ExpireRequest {
  readonly namespace: string;
  readonly anchorName: string;
  readonly anchorUid: string;
  readonly clusterId?: string;
}

export interface OrphanRequest {
  readonly namespace: string;
  readonly anchorName: string;
  readonly anchorUid: string;
  readonly clusterId?: string;
  readonly workflowId: string;
}
