import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import { ParentClosePolicy, proxyActivities, startChild, workflowInfo } from '@temporalio/workflow';
import {
  NOTIFICATION,
  type NotificationRequest,
  type NotificationResult,
  type NotifiedChange,
  type NotifierActivities,
  notificationIdOf,
} from '../contracts/notifications.ts';
import { memoOfNotification, searchableNotice } from '../contracts/searchable-notice.ts';

/** A receiver may be away for a weekend. The activity says itself what no repetition can help. */
const { deliver } = proxyActivities<NotifierActivities>({
  startToCloseTimeout: '1m',
  scheduleToCloseTimeout: '3d',
  retry: { initialInterval: '5s', backoffCoefficient: 2, maximumInterval: '30m' },
});

/**
 * Delivers one message. Its id is the key of what it tells, so Temporal starts it once. A message about several things
 * takes the key of each first: what another message has told, or tells, is left out.
 */
export async function notification(request: NotificationRequest): Promise<NotificationResult> {
  const { notices, within } = request;
  if (within !== undefined) return { told: notices.length, within };
  const own = notices.length === 1 ? notices : await claimed(request);
  if (own.length === 0) return { told: 0 };
  return { ...(await deliver({ ...request, notices: own })), told: own.length };
}

async function claimed({ route, to, notices }: NotificationRequest): Promise<NotifiedChange[]> {
  const within = workflowInfo().workflowId;
  const claims = notices.map(async (notice) => {
    const request: NotificationRequest = { route, to, notices: [notice], within };
    return (await isClaimed(request, notice)) ? [notice] : [];
  });
  return (await Promise.all(claims)).flat();
}

async function isClaimed(request: NotificationRequest, notice: NotifiedChange): Promise<boolean> {
  try {
    await startChild(NOTIFICATION, {
      workflowId: notificationIdOf(request.route, notice.key),
      workflowIdReusePolicy: 'REJECT_DUPLICATE',
      parentClosePolicy: ParentClosePolicy.ABANDON,
      args: [request],
      memo: { ...memoOfNotification(request) },
      typedSearchAttributes: searchableNotice(request),
    });
    return true;
  } catch (error) {
    if (error instanceof WorkflowExecutionAlreadyStartedError) return false;
    throw error;
  }
}
