import type { Client } from '@temporalio/client';
import type { JobHandle } from '../../client/handles/job-handle.ts';
import { eventually } from '../eventually.ts';

/** Builds of Temporal's worker versioning. */

interface Build {
  readonly deploymentName: string;
  readonly buildId: string;
}

/** What `temporal worker deployment set-current-version` does. The server knows a build from its first poll on. */
export const makeCurrent = (temporal: Client, { deploymentName, buildId }: Build) =>
  eventually(`build ${buildId} is current`, async () => {
    const { namespace } = temporal.options;
    await temporal.workflowService.setWorkerDeploymentCurrentVersion({ namespace, deploymentName, buildId });
    return true;
  });

/** Gives the task queue back to workers without a version, of whom there need not be any yet. */
export async function makeUnversioned(temporal: Client, deploymentName: string): Promise<void> {
  const { namespace } = temporal.options;
  const all = { buildId: '', ignoreMissingTaskQueues: true };
  await temporal.workflowService.setWorkerDeploymentCurrentVersion({ namespace, deploymentName, ...all });
}

/** How the job's workflow is versioned: by the build that handled its last workflow task. */
export async function versioningOf(temporal: Client, { workflowId }: Pick<JobHandle, 'workflowId'>) {
  const { raw } = await temporal.workflow.getHandle(workflowId).describe();
  const { behavior, deploymentVersion } = raw.workflowExecutionInfo?.versioningInfo ?? {};
  return { behavior, buildId: deploymentVersion?.buildId };
}
