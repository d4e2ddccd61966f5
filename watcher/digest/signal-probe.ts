import { randomUUID } from 'node:crypto';
import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import { DIGEST_SIGNAL } from '../../contracts/messages.ts';

const ANSWER_MS = 5_000;

/**
 * Resolves if Temporal takes this watcher's signals: it is there, and the watcher may send them. Asks with a signal to a
 * workflow that does not exist, because an error about a job's own workflow may be the job's alone.
 */
export async function probeSignals(client: Client): Promise<void> {
  const missingWorkflow = client.workflow.getHandle(`signalbox-probe/${randomUUID()}`);
  try {
    await client.withDeadline(Date.now() + ANSWER_MS, () => missingWorkflow.signal(DIGEST_SIGNAL));
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error;
  }
}
