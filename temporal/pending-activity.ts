import type { Client, WorkflowExecutionDescription } from '@temporalio/client';
import { decodePayloads } from './payloads.ts';

/** What Temporal knows of an activity that has not ended. */
export interface PendingActivity<Beat> {
  /** What it said last. */
  readonly beat?: Beat;
  /** Why its last try failed. After an ordinary restart of a worker there is one, too. */
  readonly failure?: string;
}

/** Returns what is known of an activity of a workflow; nothing if none of its type is pending. */
export async function pendingActivity<Beat>(
  { options }: Client,
  { raw }: Pick<WorkflowExecutionDescription, 'raw'>,
  type: string,
): Promise<PendingActivity<Beat>> {
  const found = raw.pendingActivities?.find(({ activityType }) => activityType?.name === type);
  const [beat] = await decodePayloads(options.loadedDataConverter, found?.heartbeatDetails?.payloads);
  const failure = found?.lastFailure?.message;
  return { ...(beat ? { beat: beat as Beat } : {}), ...(failure ? { failure } : {}) };
}
