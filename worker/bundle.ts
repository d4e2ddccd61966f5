import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode, type Logger, type WorkflowBundleWithSourceMap } from '@temporalio/worker';

/** The workflows and all they import, as one file for the workflow sandbox. Takes about two seconds. */
export function bundleWorkflows(logger?: Logger): Promise<WorkflowBundleWithSourceMap> {
  const workflowsPath = fileURLToPath(new URL('../workflows/workflows.ts', import.meta.url));
  return bundleWorkflowCode({ workflowsPath, logger });
}
