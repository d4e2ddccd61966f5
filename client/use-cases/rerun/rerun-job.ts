import { workflowIdOf } from '../../../contracts/labels.ts';
import { checkedManifest } from '../../manifests/checked-manifest.ts';
import type { JobId, SubmittedJob } from '../../servers/job-id.ts';
import type { ClientPorts, TemporalPort } from '../../servers/ports.ts';
import { submitJob } from '../submit/submit-job.ts';
import { readRerunSource } from './read-source.ts';
import { planRerun, type RerunPlan } from './rerun-manifest.ts';
import type { RerunOptions } from './rerun-options.ts';

/** Plans a rerun of a job that Temporal has on record. */
export async function planRerunOf(
  ports: TemporalPort,
  { workflowId, runId: ownRunId }: JobId,
  options: RerunOptions,
): Promise<RerunPlan> {
  const { runId = ownRunId } = options;
  return planRerun(await readRerunSource(ports, { workflowId, runId }, options), options);
}

/** Starts a rerun of a job that Temporal has on record. */
export const rerunJob = async (
  ports: ClientPorts,
  job: JobId,
  options: RerunOptions,
): Promise<SubmittedJob> => startRerun(ports, await planRerunOf(ports, job, options), options);

/** Starts a planned rerun. Under its parent's name it also has its workflow id: a pipeline knows its job by that. */
export function startRerun(
  ports: ClientPorts,
  { manifest, namespace, parent }: Pick<RerunPlan, 'manifest' | 'namespace' | 'parent'>,
  { key, why, name, ...options }: RerunOptions,
): Promise<SubmittedJob> {
  const checked = checkedManifest(manifest, { namespace });
  const workflowId = name === undefined ? parent.workflowId : workflowIdOf(checked.metadata);
  return submitJob(ports, { manifest: checked, workflowId, key, why, rerun: true, rerunOf: parent }, options);
}
