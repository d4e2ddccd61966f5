import type { LanesReference } from '../../contracts/lane-request.ts';
import type { ParentJob } from '../../contracts/parent-job.ts';
import type { ClusterSettings, EvidenceSettings, TemporalSettings } from '../../contracts/settings.ts';
import type { Fault } from '../../contracts/types.ts';
import type { Manifest } from '../manifests/named-manifest.ts';

/**
 * Which servers a client speaks to, and its defaults.
 *
 * @public
 */
export interface ClientSettings {
  /** Default: TEMPORAL_ADDRESS and the other variables of the command line, else `localhost:7233`. */
  readonly temporal?: TemporalSettings;
  /** For logs, evidence, lanes, `whyWaiting` and `createIfAbsent`; default: the kubeconfig that kubectl would use. */
  readonly cluster?: Pick<ClusterSettings, 'kubeconfig' | 'context'>;
  /** Where workers store evidence of failed pods; default: their default directory. */
  readonly evidence?: EvidenceSettings;
  /** Task queue of the workers; default: SIGNALBOX_TASK_QUEUE, else `signalbox`. */
  readonly taskQueue?: string;
  /** Namespace of jobs whose manifest or name has none; default: SIGNALBOX_NAMESPACE, else `default`. */
  readonly namespace?: string;
  /** The ConfigMap with the lanes of the installation (docs/queue.md); default: SIGNALBOX_LANES, else there are none. */
  readonly lanes?: LanesReference;
  /** Recorded with each submission, and with interventions without `by`; default: `user@host`. */
  readonly submittedBy?: string;
  /** Finds faults before a job is submitted; default: `validateManifest` of `signalbox/manifests`. */
  readonly validate?: (manifest: Manifest, options: { readonly strict: boolean }) => readonly Fault[];
}

/**
 * How long a call may take, and how to give it up.
 *
 * @public
 */
export interface CallOptions {
  /**
   * For how many milliseconds the call is repeated while servers are away; default: 10000. A request to a job also waits
   * that long for a busy worker; default: 30000.
   */
  readonly timeout?: number;
  /** Ends the call: it throws the signal's reason. */
  readonly signal?: AbortSignal;
}

/**
 * How long to wait for a job.
 *
 * @public
 */
export interface WaitOptions {
  /** For how many milliseconds to wait at most; default: without limit. The job continues. */
  readonly timeout?: number;
  /** Ends the wait: it throws the signal's reason. */
  readonly signal?: AbortSignal;
}

/**
 * How long a new job may wait for its name. The last job of the name keeps it until it has been cleaned up.
 *
 * @public
 */
export interface CleanUpOptions extends CallOptions {
  /**
   * For how many milliseconds to wait for the clean-up of an ended job of the name; default: 600000. Then, and if its
   * failed pods are held, the call throws `NameTakenError`.
   */
  readonly cleanUpTimeout?: number;
  /** Ends only that wait: a call that this ends, with the signal's reason, has started nothing. */
  readonly cleanUpSignal?: AbortSignal;
  /** Called with a sentence when the call begins to wait for a clean-up, and when the reason changes. */
  readonly onCleanUp?: (sentence: string) => void;
}

/**
 * How a manifest is submitted.
 *
 * @public
 */
export interface SubmitOptions extends CleanUpOptions {
  /**
   * Identifies this submission, e.g. `${pipelineRun}/train`. A run of the workflow id that has this key is returned
   * whatever its state, so a program that is restarted gets its job again. Another key after the end of a job starts
   * it anew.
   */
  readonly key?: string;
  /** Added to the manifest's metadata.labels. */
  readonly labels?: Readonly<Record<string, string>>;
  /** Why the job is run; recorded. */
  readonly why?: string;
  /** Namespace of a job whose manifest has none. */
  readonly namespace?: string;
  /** Default: `job/NAMESPACE/NAME`. */
  readonly workflowId?: string;
  /** Run a completed job again. Refused with a key, unless `rerunOf` is given: another key runs it again. */
  readonly rerun?: boolean;
  /** The job whose recorded manifest this one was made from; recorded. */
  readonly rerunOf?: ParentJob;
  /** Refuse unknown fields before anything is started; default: true. */
  readonly strict?: boolean;
}

/**
 * How many manifests are submitted. A `key` identifies each of these submissions together with the name of its job.
 *
 * @public
 */
export type SubmitManyOptions = Omit<SubmitOptions, 'workflowId' | 'rerunOf'>;

/**
 * What a submission found: it started the job, or the same submission had started it before. `already-ended` is a job
 * that Failed or was Stopped; only a submission with a key returns one.
 *
 * @public
 */
export type SubmissionResult = 'started' | 'already-running' | 'already-completed' | 'already-ended';

/**
 * Names a job: by name and namespace, or by workflow id. `run` chooses one of several jobs that had the name, for `find`:
 * `-1` is the job before the newest, `-2` the one before that, and else it is the beginning of a run id.
 *
 * @public
 */
export type JobSelector =
  | { readonly name: string; readonly namespace?: string; readonly run?: string }
  /** `runId`: the first run of the job, if several had this workflow id; default: the last one. */
  | { readonly workflowId: string; readonly runId?: string; readonly run?: string };
