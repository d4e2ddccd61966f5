import { ActivityCancellationType, continueAsNew, proxyActivities, workflowInfo } from '@temporalio/workflow';
import type { NotifierActivities, NotifierBeat } from '../contracts/notifications.ts';
import { NOTIFIER_HEARTBEAT } from '../contracts/timing.ts';

const { lookForNews } = proxyActivities<NotifierActivities>({
  startToCloseTimeout: '1h',
  heartbeatTimeout: NOTIFIER_HEARTBEAT.timeoutMs,
  cancellationType: ActivityCancellationType.TRY_CANCEL,
  retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '1m' },
});

/** The history of one run stays below a thousand events. */
const MOST_EVENTS = 900;

/** Looks for news without end: one activity after the other, each from where the last one was. Jobs do not know of it. */
export async function notifier(last?: NotifierBeat): Promise<never> {
  let beat = last;
  while (workflowInfo().historyLength < MOST_EVENTS && !workflowInfo().continueAsNewSuggested)
    beat = await lookForNews(beat);
  return continueAsNew<typeof notifier>(beat);
}
