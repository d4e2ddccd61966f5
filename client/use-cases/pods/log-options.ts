import type { EvidenceRecord, Phase } from '../../../contracts/types.ts';
import type { JobName } from '../../servers/job-name.ts';

/**
 * Which lines of which pods are read.
 *
 * @public
 */
export interface JobLogOptions extends PodChoice {
  /** Default: the main container. */
  readonly container?: string;
  /** Wait for pods to start, continue through restarts, and end with the job. */
  readonly follow?: boolean;
  /** Read the run before the container's last restart. */
  readonly previous?: boolean;
  /** Only this many lines from the end. */
  readonly tailLines?: number;
  readonly sinceSeconds?: number;
  /** Start each line with its time, as recorded by the cluster. */
  readonly timestamps?: boolean;
  readonly signal?: AbortSignal;
}

/**
 * A line of the log of one pod.
 *
 * @public
 */
export interface JobLogLine {
  readonly pod: string;
  readonly text: string;
  /** Set if the pod is gone, and the line is from the evidence of its failure. */
  readonly from?: 'evidence';
}

export interface LoggedJob extends JobName {
  readonly phase: Phase;
  /** The first run of its workflow, which distinguishes it from an earlier job of the same name. */
  readonly firstRunId: string;
  /** Settles when the job has ended. */
  readonly end: () => Promise<{ readonly phase: Phase }>;
  /** What is known of its failed pods; throws if there is nothing. */
  readonly evidence: () => AsyncIterable<EvidenceRecord>;
}

/**
 * Which pods of a job are meant.
 *
 * @public
 */
export interface PodChoice {
  /** Only pods of this role. */
  readonly role?: string;
  /** Only pods with this replica index. */
  readonly index?: number;
  /** Only the pod with this rank, as its kind numbers pods, e.g. by RANK. */
  readonly rank?: number;
  /** Only this pod. */
  readonly pod?: string;
  /** All pods of the job. Default: the main pod, i.e. rank 0 or the launcher. */
  readonly all?: boolean;
}
