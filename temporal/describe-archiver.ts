import type { Client } from '@temporalio/client';
import { type ArchiverBeat, archiverIdOf } from '../contracts/archiver.ts';
import { msOf } from './event-time.ts';
import { findWorkflow } from './find-workflow.ts';
import { isOpen } from './open-workflows.ts';
import { type PendingActivity, pendingActivity } from './pending-activity.ts';

/** What Temporal knows of the archiver, without a worker's help. */
export interface ArchiverDescription {
  readonly workflowId: string;
  readonly taskQueue: string;
  /** When it was last known to look for ended jobs: Temporal's time, in epoch milliseconds. */
  readonly lookedAt: number;
  activity<Beat>(type: 'archiveClosed' | 'archiveAsked'): Promise<PendingActivity<Beat>>;
}

type Description = NonNullable<Awaited<ReturnType<typeof findWorkflow>>>;

/** Returns undefined if the installation's archiver does not run. */
export async function describeArchiver(
  client: Client,
  installation: string,
): Promise<ArchiverDescription | undefined> {
  const workflowId = archiverIdOf(installation);
  const found = await findWorkflow(client, workflowId);
  if (!found || !isOpen(found.status.name)) return undefined;
  const activity = <Beat>(type: string) => pendingActivity<Beat>(client, found, type);
  const { beat } = await activity<ArchiverBeat>('archiveClosed');
  return { workflowId, taskQueue: found.taskQueue, lookedAt: lookedAt(found, beat), activity };
}

/**
 * An activity that has said nothing yet was scheduled when the one before had ended. Of one that is tried again, and of a
 * workflow whose next task no worker could do, the start of the workflow's run is the latest time that is certain.
 */
function lookedAt({ raw, startTime }: Description, beat: ArchiverBeat | undefined): number {
  if (beat) return Date.parse(beat.at);
  const activity = raw.pendingActivities?.find(({ activityType }) => activityType?.name === 'archiveClosed');
  const scheduled = (activity?.attempt ?? 1) > 1 ? undefined : activity?.scheduledTime;
  const since = scheduled ?? raw.pendingWorkflowTask?.originalScheduledTime;
  return since ? msOf(since) : startTime.getTime();
}
