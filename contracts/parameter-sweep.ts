import { tallyText } from '../language/tally.ts';
import type { ReasonCode } from './reasons.ts';
import type { FinalPhase } from './status.ts';
import type { Phase } from './types.ts';

/** A parameter sweep: one job, a trial, for each combination of values. Type of the workflow that starts the trials. */
export const PARAMETER_SWEEP = 'parameterSweep';
/** Answers with the `SweepSummary`. */
export const SWEEP_QUERY = 'summary';

export const parameterSweepIdOf = (sweep: { readonly namespace: string; readonly name: string }): string =>
  `parameter-sweep/${sweep.namespace}/${sweep.name}`;

/** Returns the sweep of a workflow id, if it is one of a sweep. */
export function parameterSweepOf(
  workflowId: string,
): { readonly namespace: string; readonly name: string } | undefined {
  const [type, namespace, name] = workflowId.split('/');
  return type === 'parameter-sweep' && namespace && name ? { namespace, name } : undefined;
}

/** Each trial is a workflow with a history of its own. */
export const MOST_TRIALS = 10_000;
export const DEFAULT_AT_MOST = 50;
/** All that run are looked at in each round. */
export const LARGEST_AT_MOST = 1_000;

/**
 * Values by parameter. A plain name is an environment variable of the containers that use it; a name with a dot or a
 * bracket is the path of a field of the manifest.
 *
 * @public
 */
export type ParameterValues = Readonly<Record<string, readonly unknown[]>>;

/** Whether the name of a parameter is the path of a field. */
export const isFieldPath = (name: string): boolean => /[.[]/.test(name);

/** Input of the workflow. */
export interface ParameterSweep {
  /** Of each trial, before its values are set; its name is the name of the sweep. */
  readonly manifest: Readonly<Record<string, unknown>>;
  readonly set: ParameterValues;
  /** How many trials run at once. */
  readonly atMost?: number;
  /** Also run trials that an earlier sweep of this name has completed. */
  readonly rerun?: boolean;
  /** When a trial has Failed, start no more, and stop those that run. */
  readonly stopOnFailure?: boolean;
  /** Recorded with each trial. */
  readonly why?: string;
}

/** What the first activity of the sweep found out. */
export interface PlannedSweep {
  readonly name: string;
  readonly namespace: string;
  readonly trials: number;
  readonly atMost: number;
  /** The identity of the client that started the workflow. */
  readonly startedBy?: string;
}

/**
 * Why a trial did not complete.
 *
 * @public
 */
export interface FailedTrial {
  readonly name: string;
  /** `Refused`: it could not be started. */
  readonly phase: 'Failed' | 'Stopped' | 'Refused';
  readonly why: string;
  /** What its logs say of it, without what looks like a secret. */
  readonly errorLine?: string;
}

/** A trial that was started and has not ended. */
export interface RunningTrial {
  readonly index: number;
  /** The first run of its job. */
  readonly runId: string;
  readonly isStopping?: boolean;
}

/** How far a sweep is. */
export interface SweepProgress {
  /** Index of the first trial that is not started. */
  readonly next: number;
  readonly running: readonly RunningTrial[];
  readonly ended: Readonly<Record<'Completed' | FailedTrial['phase'], number>>;
  /** The first ones. */
  readonly failures: readonly FailedTrial[];
}

/**
 * Who stops a sweep, and why.
 *
 * @public
 */
export interface SweepStop {
  readonly by?: string;
  readonly why?: string;
  /** The trial that has Failed, if that stops the sweep (`stopOnFailure`). */
  readonly trial?: string;
}

/** What a round of the sweep is asked for; the activity finds the sweep in the history of its workflow. */
export interface SweepRound {
  readonly progress: SweepProgress;
  readonly submittedBy?: string;
  readonly stop?: SweepStop;
}

/** Activities of the workflow. */
export interface SweepActivities {
  planParameterSweep(): Promise<PlannedSweep>;
  advanceParameterSweep(round: SweepRound): Promise<SweepProgress>;
}

/**
 * How far a parameter sweep is.
 *
 * @public
 */
export interface SweepCounts {
  readonly name: string;
  readonly namespace: string;
  /** At the end `Completed` if all trials have completed, `Stopped` if a user stopped the sweep, else `Failed`. */
  readonly phase: 'Running' | 'Stopping' | FinalPhase;
  /** How many there are of all. */
  readonly trials: number;
  readonly atMost: number;
  /** Trials that were not started yet; in a stopped sweep those that never will be. */
  readonly waiting: number;
  readonly running: number;
  readonly completed: number;
  readonly failed: number;
  readonly stopped: number;
  /** Trials that could not be started, e.g. because a job of another user has the name. */
  readonly refused: number;
  /** Who asked to stop the sweep, and why. */
  readonly stop?: SweepStop;
}

/**
 * How far a parameter sweep is, and what became of its trials.
 *
 * @public
 */
export interface SweepSummary extends SweepCounts {
  /** The first trials that did not complete, and why. */
  readonly failures: readonly FailedTrial[];
  /** What running trials wait for, those that most wait for first. */
  readonly waits?: readonly SweepWait[];
  /** No worker answered: this is what was recorded last, without failures. */
  readonly recordedIn?: 'temporal';
}

/**
 * What some trials of a sweep wait for.
 *
 * @public
 */
export interface SweepWait {
  readonly reason: ReasonCode;
  readonly trials: number;
}

/**
 * One trial of a sweep, and how far it is.
 *
 * @public
 */
export interface SweepTrial {
  /** Its place in the sweep, from 0. */
  readonly index: number;
  readonly name: string;
  readonly workflowId: string;
  /** The value of each parameter. */
  readonly values: Readonly<Record<string, unknown>>;
  /**
   * Of its job. `Waiting`: not started yet; `Refused`: it could not be started; `Unknown`: it was started, and Temporal has
   * its job no longer.
   */
  readonly phase: Phase | 'Waiting' | 'Refused' | 'Unknown';
  /** What the job waits for, or why it ended so. */
  readonly reason?: ReasonCode;
  /** Why there is no job. */
  readonly why?: string;
  /** The last progress that it reported, if its policy says where (`progress`). */
  readonly progress?: string;
  readonly runId?: string;
  /** RFC 3339. */
  readonly startTime?: string;
  readonly endTime?: string;
}

/** Identifies a trial among the jobs of its name: a sweep of the same name has other jobs. */
export const trialKeyOf = (firstRunId: string, index: number): string => `${firstRunId}/${index}`;

/** Returns how many trials are in which state, e.g. `200 trials: 120 completed, 50 running, 30 waiting`. */
export function trialsText(summary: SweepCounts): string {
  const { trials, completed, failed, stopped, refused, running, waiting } = summary;
  const counts = Object.entries({ completed, failed, stopped, refused, running, waiting });
  return tallyText(trials, counts, { of: 'trial' });
}
