import { setWorkflowOptions, workflowInfo } from '@temporalio/workflow';
import { archiver } from './archiver.ts';
import { cleanUpOrphan } from './clean-up-orphan.ts';
import { expireJob } from './expire-job.ts';
import { notification } from './notification.ts';
import { notifier } from './notifier.ts';
import { parameterSweep } from './parameter-sweep.ts';
import { rpc } from './rpc.ts';

/**
 * With SIGNALBOX_UPGRADE=pinned a job ends on the build that began it. Other workflows serve all jobs: pinned, the archiver,
 * which never ends, would stay on a build whose workers are gone. A worker without versions must not say anything of them.
 */
const forAllJobs = () => {
  const isVersioned = Boolean(workflowInfo().currentDeploymentVersion?.deploymentName);
  return isVersioned ? ({ versioningBehavior: 'AUTO_UPGRADE' } as const) : {};
};
setWorkflowOptions(forAllJobs, archiver);
setWorkflowOptions(forAllJobs, expireJob);
setWorkflowOptions(forAllJobs, parameterSweep);
setWorkflowOptions(forAllJobs, rpc);
setWorkflowOptions(forAllJobs, cleanUpOrphan);
setWorkflowOptions(forAllJobs, notification);
setWorkflowOptions(forAllJobs, notifier);

export { interceptors } from './late-queries.ts';
export { trainingJob } from './training-job.ts';
export { unknownWorkflowType as default } from './unknown-workflow-type.ts';
/** Exports of the worker's bundle. The name of a workflow is its type. */
export { archiver, cleanUpOrphan, expireJob, notification, notifier, parameterSweep, rpc };
