import type { Phase } from '../../contracts/status.ts';
import type { JobName } from '../job-name.ts';

export interface JobLogOptions extends PodChoice {
  /** The container that trains, unless another is named. */
  readonly container?: string;
  /** Wait for pods to start, go on through restarts, and end with the job. */
  readonly follow?: boolean;
  /** Of the run before the container's last restart. */
  readonly previous?: boolean;
  /** Only so many lines from the end. */
  readonly tailLines?: number;
  readonly sinceSeconds?: number;
  /** Each line begins with its time, as the cluster recorded it. */
  readonly timestamps?: boolean;
  readonly signal?: AbortSignal;
}

export interface JobLogLine {
  readonly pod: string;
  readonly text: string;
}

export interface LoggedJob extends JobName {
  readonly phase: Phase;
  /** The first run of its workflow: what tells it from an earlier job of the same name. */
  readonly firstRunId: string;
  /** Settles when the job has ended. */
  readonly end: () => Promise<unknown>;
}

export interface PodChoice {
  /** Pods of this role only. */
  readonly role?: string;
  /** Pods of this replica index only. */
  readonly index?: number;
  /** This pod only. */
  readonly pod?: string;
  /** Every pod of the job. Without any choice: the one whose log is the job's, rank 0 or the launcher. */
  readonly all?: boolean;
}
