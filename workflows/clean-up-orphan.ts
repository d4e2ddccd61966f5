import { continueAsNew, setCurrentDetails, sleep, workflowInfo } from '@temporalio/workflow';
import type { OrphanResult } from '../activities/clean-up-orphan.ts';
import type { OrphanRequest } from '../contracts/messages.ts';
import { LEFT_PODS_MS } from '../contracts/timing.ts';
import { doubledPause } from '../language/back-off.ts';
import { cleanUpOrphan as cleanUp } from './activity-options.ts';

const FOR_PODS = { firstMs: 1_000, mostMs: 20_000 };
const IF_REFUSED = { firstMs: 1_000, mostMs: 300_000 };

/**
 * Removes the objects of a job whose workflow ended without clean-up. It is a workflow so that the removal is on
 * record. Retries refused deletions without limit.
 */
export async function cleanUpOrphan(request: OrphanRequest): Promise<OrphanResult['is']> {
  let overdueSince: number | undefined;
  for (let tried = 1; ; tried++) {
    const givesUp = overdueSince !== undefined && Date.now() - overdueSince >= LEFT_PODS_MS;
    const { is, why = '', isOverdue } = await cleanUp({ ...request, again: tried > 1, givesUp });
    if (is !== 'unfinished') return is;
    overdueSince = isOverdue ? (overdueSince ?? Date.now()) : undefined;
    setCurrentDetails(why);
    const limits = isOverdue === undefined ? IF_REFUSED : FOR_PODS;
    await sleep(doubledPause(limits, tried), { summary: 'Before another look' });
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof cleanUpOrphan>(request);
  }
}
