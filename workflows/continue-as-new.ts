import { makeContinueAsNewFunc, workflowInfo } from '@temporalio/workflow';
import type { Admission } from '../activities/admit.ts';
import type { Phase } from '../contracts/status.ts';
import type { Effect, JobEvent } from '../machines/model/job-events.ts';
import { type Job, restore, type SavedJob, type Step, save } from '../machines/step.ts';

/** What a run hands to the next one when its history has grown long. */
export interface Carried {
  readonly admission: Admission;
  readonly job: SavedJob;
  /** What was under way, to be done again, and what was heard meanwhile. */
  readonly unfinished?: readonly Effect[];
  readonly events?: readonly JobEvent[];
  /** The phase that the anchor has on record, where that is not the job's. */
  readonly recorded?: Phase;
}

/** The same with the job itself. */
export type Resumed = Omit<Carried, 'job'> & { readonly job: Job };

export const resume = (carried: Carried): Resumed => ({ ...carried, job: restore(carried.job) });

export const stepOf = ({ job, unfinished = [] }: Resumed): Step => ({ job, effects: unfinished });

/** Memo and search attributes go along: the watcher and the client find the job by them. */
export function goOnInNewRun(manifest: unknown, { job, ...others }: Resumed): Promise<never> {
  const { memo, typedSearchAttributes } = workflowInfo();
  const carried: Carried = { ...others, job: save(job) };
  const goOn = makeContinueAsNewFunc<NextRun>({ memo, typedSearchAttributes });
  return goOn(manifest, carried);
}

type NextRun = (manifest: unknown, carried: Carried) => Promise<unknown>;
