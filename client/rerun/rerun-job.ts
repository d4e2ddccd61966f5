import { workflowIdOf } from '../../contracts/labels.ts';
import type { HandledJob } from '../handled-job.ts';
import type { HandleContext, JobRunId } from '../job-run.ts';
import { checkedManifest } from '../manifest.ts';
import { submitJob } from '../submit-job.ts';
import { readRerunSource } from './read-source.ts';
import { planRerun, type RerunPlan } from './rerun-manifest.ts';
import type { RerunOptions } from './rerun-options.ts';

/** Plans a rerun of a job that Temporal has on record. */
export async function planRerunOf(
  context: HandleContext,
  { workflowId, runId: ownRunId }: JobRunId,
  options: RerunOptions,
): Promise<RerunPlan> {
  const { runId = ownRunId } = options;
  return planRerun(await readRerunSource(context, { workflowId, runId }, options), options);
}

/** Starts a rerun. Under its parent's name it also has its workflow id: a pipeline knows its job by that. */
export async function rerunJob(
  context: HandleContext,
  job: JobRunId,
  options: RerunOptions,
): Promise<HandledJob> {
  const { manifest, parent } = await planRerunOf(context, job, options);
  const { key, why, name } = options;
  const checked = checkedManifest(manifest, { namespace: 'default' });
  const workflowId = name === undefined ? parent.workflowId : workflowIdOf(checked.metadata);
  const submission = { manifest: checked, workflowId, key, why, rerun: true, rerunOf: parent };
  return submitJob(
    context,
    { ...submission, taskQueue: context.taskQueue, submittedBy: context.user },
    options,
  );
}
