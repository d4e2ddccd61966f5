import { continueAsNew, setCurrentDetails, sleep, workflowInfo } from '@temporalio/workflow';
import type { Swept } from '../activities/sweep-job.ts';
import type { SweepRequest } from '../contracts/messages.ts';
import { sweepJob as sweep } from './activity-options.ts';

/** How long pods may take after their nodes should have reported their end. Pods of a dead node may stay forever. */
const LEAVE_MS = 80_000;
const PAUSE_MS = { first: 1_000, forPods: 20_000, ifRefused: 300_000 };

/**
 * Removes the objects of a job whose workflow ended without clean-up. It is a workflow so that the removal is on
 * record. Retries refused deletions without limit.
 */
export async function sweepJob(request: SweepRequest): Promise<Swept['is']> {
  let overdueSince: number | undefined;
  for (let pause = PAUSE_MS.first, again = false; ; pause *= 2, again = true) {
    const givesUp = overdueSince !== undefined && Date.now() - overdueSince >= LEAVE_MS;
    const { is, why = '', isOverdue } = await sweep({ ...request, again, givesUp });
    if (is !== 'unfinished') return is;
    overdueSince = isOverdue ? (overdueSince ?? Date.now()) : undefined;
    setCurrentDetails(why);
    pause = Math.min(pause, isOverdue === undefined ? PAUSE_MS.ifRefused : PAUSE_MS.forPods);
    await sleep(pause, { summary: 'Before another look' });
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof sweepJob>(request);
  }
}
