import { makeContinueAsNewFunc, workflowInfo } from '@temporalio/workflow';
import type { AdmissionTerms } from '../activities/admit.ts';
import { isFields } from '../language/fields.ts';
import type { Effect, JobEvent } from '../machines/model/job-events.ts';
import type { LedgerBook } from '../machines/report/ledger-book.ts';
import { type JobState, restore, type SavedJob, type Step, save } from '../machines/step.ts';
import type { MadeFrom } from './applied-manifest.ts';
import type { Recorded } from './publisher.ts';

/** What a run passes to the next one when its history has grown long. */
export interface RunState {
  readonly terms: AdmissionTerms;
  readonly job: SavedJob;
  /** Effects in progress, to run again, and events received meanwhile. */
  readonly unfinished?: readonly Effect[];
  readonly events?: readonly JobEvent[];
  /** The state from which the ledger continues. */
  readonly ledger: LedgerBook;
  /** What the anchor says. */
  readonly recorded: Recorded;
  /** Number of the first revision of the run's manifest; absent if it is as submitted. */
  readonly appliedRevision?: number;
}

/**
 * Returns the second argument if an earlier run has passed it on; undefined if a client may have given it, who then could
 * skip admission. A run that was reset begins like the run that it repeats. Retries and cron repeat the arguments of the
 * client, in runs that continue others as well.
 */
export function carriedState(given: unknown): RunState | undefined {
  const { continuedFromExecutionRunId, attempt, cronSchedule } = workflowInfo();
  const isContinued = continuedFromExecutionRunId !== undefined && attempt === 1 && !cronSchedule;
  return isContinued && isRunState(given) ? given : undefined;
}

const isRunState = (given: unknown): given is RunState =>
  isFields(given) && isFields(given.job) && isFields(given.terms);

/** The same with the restored job, for which the ledger is open already. */
export type RestoredRun = Omit<RunState, 'job' | 'ledger'> & { readonly job: JobState };

export const restoreRun = (carried: RunState): RestoredRun => ({ ...carried, job: restore(carried.job) });

export const stepOf = ({ job, unfinished = [] }: RestoredRun): Step => ({ job, effects: unfinished });

/** Passes on memo and search attributes: the watcher and the client find the job by them. */
export function continueInNewRun(
  { manifest, terms, appliedRevision }: MadeFrom,
  { job, ...others }: Omit<RestoredRun, 'terms'> & Pick<RunState, 'ledger'>,
): Promise<never> {
  const { memo, typedSearchAttributes } = workflowInfo();
  const applied = appliedRevision === undefined ? {} : { appliedRevision };
  const carried: RunState = { terms: terms!, ...others, job: save(job), ...applied };
  const goOn = makeContinueAsNewFunc<NextRun>({ memo, typedSearchAttributes });
  return goOn(manifest, carried);
}

type NextRun = (manifest: unknown, carried: RunState) => Promise<unknown>;
