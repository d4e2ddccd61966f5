import type { Client } from '@temporalio/client';
import { type NotifierBeat, notifierIdOf } from '../contracts/notifications.ts';
import { findWorkflow } from './find-workflow.ts';
import { isOpen } from './open-workflows.ts';
import { type PendingActivity, pendingActivity } from './pending-activity.ts';

/** Returns what the notifier of an installation said last; undefined if none was ever started. Needs none that runs. */
export async function notifierBeat(
  client: Client,
  installation: string,
): Promise<PendingActivity<NotifierBeat> | undefined> {
  const found = await findWorkflow(client, notifierIdOf(installation));
  if (!found || !isOpen(found.status.name)) return undefined;
  return pendingActivity<NotifierBeat>(client, found, 'lookForNews');
}
