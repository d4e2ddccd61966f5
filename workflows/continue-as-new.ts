import { makeContinueAsNewFunc, workflowInfo } from '@temporalio/workflow';
import type { AdmissionTerms } from '../activities/admit.ts';
import type { ResourceEdited } from '../activities/check-resource.ts';
import { passedOnOfJob } from '../contracts/carried-state.ts';
import { MEMO } from '../contracts/messages.ts';
import type { Effect } from '../machines/model/effects.ts';
import type { JobEvent } from '../machines/model/job-events.ts';
import type { LedgerBook } from '../machines/report/ledger-book.ts';
import { type JobState, restore, type SavedJob, type Step, save } from '../machines/step.ts';
import type { MadeFrom } from './applied-manifest.ts';
import type { Recorded } from './next-record.ts';

/** What a run passes to the next one. */
interface CarriedState {
  /** The state from which the ledger continues. */
  readonly ledger: LedgerBook;
  /** Events received meanwhile. */
  readonly events?: readonly JobEvent[];
}

/** The same of an admitted job whose history has grown long. */
interface RunState extends CarriedState {
  readonly terms: AdmissionTerms;
  readonly job: SavedJob;
  /** Effects in progress, to run again. */
  readonly unfinished?: readonly Effect[];
  /** What the anchor says. */
  readonly recorded: Recorded;
  /** Number of the first revision of the run's manifest; absent if it is as submitted. */
  readonly appliedRevision?: number;
}

/** Returns what an earlier run has passed on; undefined if a client may have given it, who then could skip admission. */
export function carriedState(given: unknown): CarriedState | undefined {
  const { continuedFromExecutionRunId: continues, attempt, cronSchedule } = workflowInfo();
  return passedOnOfJob({ continues, attempt, cronSchedule }, given) as CarriedState | undefined;
}

/** Whether the job was admitted in an earlier run. */
export const isRunState = (carried: CarriedState): carried is RunState => 'job' in carried;

/** The same with the restored job, for which the ledger is open already. */
export type RestoredRun = Omit<RunState, 'job' | 'ledger'> & { readonly job: JobState };

export const restoreRun = (carried: RunState): RestoredRun => ({ ...carried, job: restore(carried.job) });

export const stepOf = ({ job, unfinished = [] }: RestoredRun): Step => ({ job, effects: unfinished });

export function continueInNewRun(
  { manifest, terms, appliedRevision }: MadeFrom,
  { job, ...others }: Omit<RestoredRun, 'terms'> & Pick<RunState, 'ledger'>,
): Promise<never> {
  const applied = appliedRevision === undefined ? {} : { appliedRevision };
  const carried: RunState = { terms: terms!, ...others, job: save(job), ...applied };
  return goOn(manifest, carried);
}

/** Begins anew with what the custom resource of a job says now. Nothing was created for the job yet. */
export function beginAnew(
  { manifest, resource, manifestHash }: ResourceEdited['edited'],
  carried: CarriedState,
): Promise<never> {
  return goOn(manifest, carried, { [MEMO.resource]: resource, [MEMO.manifestHash]: manifestHash });
}

/** Passes on memo and search attributes: the watcher and the client find the job by them. */
function goOn(manifest: unknown, carried: CarriedState, changedMemo = {}): Promise<never> {
  const { memo, typedSearchAttributes } = workflowInfo();
  const options = { memo: { ...memo, ...changedMemo }, typedSearchAttributes };
  return makeContinueAsNewFunc<NextRun>(options)(manifest, carried);
}

type NextRun = (manifest: unknown, carried: CarriedState) => Promise<unknown>;
