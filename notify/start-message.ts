import { createHash } from 'node:crypto';
import { type Client, WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import {
  NOTIFICATION,
  type NotificationRequest,
  notificationIdOf,
  notifierQueueOf,
} from '../contracts/notifications.ts';
import { memoOfNotification, searchableNotice, wordsOf } from '../contracts/searchable-notice.ts';

/**
 * Starts the workflow that delivers a message. Returns whether it was not there before. Idempotent by its id: of one thing its
 * key; of several, a hash of their keys, and their own keys are taken by the workflow itself.
 */
export async function startMessage(
  temporal: Client,
  taskQueue: string,
  request: NotificationRequest,
): Promise<boolean> {
  const { route, to, notices } = request;
  try {
    await temporal.workflow.start(NOTIFICATION, {
      workflowId: notificationIdOf(route, keyOf(notices.map(({ key }) => key))),
      taskQueue: notifierQueueOf(taskQueue),
      args: [request],
      workflowIdReusePolicy: 'REJECT_DUPLICATE',
      memo: { ...memoOfNotification(request) },
      typedSearchAttributes: searchableNotice(request),
      staticSummary: `${wordsOf(notices)} to ${to}`,
    });
    return true;
  } catch (error) {
    if (error instanceof WorkflowExecutionAlreadyStartedError) return false;
    throw error;
  }
}

function keyOf(keys: readonly string[]): string {
  if (keys.length === 1) return keys[0]!;
  return `group/${createHash('sha256')
    .update([...keys].sort().join(' '))
    .digest('hex')
    .slice(0, 32)}`;
}
