import type { Client } from '@temporalio/client';
import { type OrphanRequest, orphanIdOf } from '../contracts/messages.ts';
import { findWorkflow } from './find-workflow.ts';

/** Whether the orphan clean-up of a job's anchor has completed after its workflow had closed. `closed`: by Temporal's clock. */
export async function isCleanedUpSince(
  client: Pick<Client, 'workflow'>,
  anchor: Omit<OrphanRequest, 'workflowId'>,
  closed: Date,
): Promise<boolean> {
  const cleanUp = await findWorkflow(client, orphanIdOf(anchor));
  return (
    cleanUp?.status.name === 'COMPLETED' && cleanUp.closeTime !== undefined && cleanUp.closeTime > closed
  );
}
