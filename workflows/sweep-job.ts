import type { SweepResult } from '../activities/sweep-job.ts';
import type { SweepRequest } from '../contracts/messages.ts';
import { sweepJob as sweep } from './activity-options.ts';

/** Removes what a job left behind whose workflow was ended without clean-up; a workflow, so that it is on record. */
export async function sweepJob(request: SweepRequest): Promise<SweepResult> {
  return sweep(request);
}
