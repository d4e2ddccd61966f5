import type { Client } from '@temporalio/client';
import { type SweepRequest, sweepIdOf } from '../contracts/messages.ts';
import { findWorkflow } from './find-workflow.ts';

/** Whether the sweep of a job's anchor has completed after its workflow had closed. `closed`: by Temporal's clock. */
export async function isSweptSince(
  client: Pick<Client, 'workflow'>,
  anchor: Omit<SweepRequest, 'workflowId'>,
  closed: Date,
): Promise<boolean> {
  const sweep = await findWorkflow(client, sweepIdOf(anchor));
  return sweep?.status.name === 'COMPLETED' && sweep.closeTime !== undefined && sweep.closeTime > closed;
}
