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

/** How the job's workflow is versioned: by the build that handled its last workflow task. */
export async function versioningOf(temporal: Client, { workflowId }: Pick<JobHandle, 'workflowId'>) {
  const { raw } = await temporal.workflow.getHandle(workflowId).describe();
  const { behavior, deploymentVersion } = raw.workflowExecutionInfo?.versioningInfo ?? {};
  return { behavior, buildId: deploymentVersion?.buildId };
}
