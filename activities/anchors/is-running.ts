import { MEMO } from '../../contracts/messages.ts';
import { findWorkflow, hasFirstRun } from '../../temporal/find-workflow.ts';
import { isOpen } from '../../temporal/open-workflows.ts';
import type { Dependencies } from '../support/dependencies.ts';

/** What an anchor says of its job's workflow. */
export interface AnchoredWorkflow {
  readonly workflowId: string;
  readonly firstRunId: string | undefined;
  readonly anchorUid: string | undefined;
}

/**
 * Whether the workflow of an anchor runs. The workflow names its anchor, too: anybody with access to the namespace can
 * write another first run on that.
 */
export async function isRunning(
  temporal: Dependencies['temporal'],
  { workflowId, firstRunId, anchorUid }: AnchoredWorkflow,
): Promise<boolean> {
  const last = await findWorkflow(temporal, workflowId);
  if (last === undefined || !isOpen(last.status.name)) return false;
  return (
    hasFirstRun(last, firstRunId) || (anchorUid !== undefined && last.memo?.[MEMO.anchorUid] === anchorUid)
  );
}
