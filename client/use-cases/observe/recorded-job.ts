import { withoutLastApplied } from '../../../contracts/last-applied.ts';
import { MEMO } from '../../../contracts/messages.ts';
import type { PodsRecord } from '../../../contracts/types.ts';
import { findWorkflow, firstRunIdOf } from '../../../temporal/find-workflow.ts';
import { isOpen } from '../../../temporal/open-workflows.ts';
import { type RunChain, readRunChain } from '../../../temporal/run-chain.ts';
import { workflowStart } from '../../../temporal/workflow-start.ts';
import { ask } from '../../servers/ask.ts';
import type { CallOptions } from '../../servers/client-settings.ts';
import type { JobId } from '../../servers/job-id.ts';
import type { ClientPorts, TemporalPort } from '../../servers/ports.ts';
import { type JobSummary, summaryOf } from '../../servers/summary.ts';
import { describeLastRun } from './describe-job.ts';

/** What Temporal has on record of a job. None of this needs a worker. */

type NamedJob = JobSummary & {
  /** It identifies the job's objects. */
  readonly firstRunId: string;
  /** Of the anchor, if it had one. */
  readonly anchorUid?: string;
};

export const namedJob = (ports: TemporalPort, job: JobId, options: CallOptions): Promise<NamedJob> =>
  ask({ ports, workflowId: job.workflowId, options }, async () => {
    const described = await describeLastRun(ports, job);
    const anchorUid = described.memo?.[MEMO.anchorUid] as string | undefined;
    const firstRunId = firstRunIdOf(described);
    const summary = summaryOf(described);
    const startTime = firstRunId === described.runId ? undefined : await startOf(ports, job, firstRunId);
    return { ...summary, startTime: startTime ?? summary.startTime, firstRunId, anchorUid };
  });

/** Of a job that continued in a new run; retention may have deleted its first one. */
async function startOf(
  { temporal }: TemporalPort,
  { workflowId }: JobId,
  firstRunId: string,
): Promise<string | undefined> {
  const first = await findWorkflow(temporal, workflowId, firstRunId);
  return first?.startTime.toISOString();
}

export async function jobSummary(ports: TemporalPort, job: JobId, options: CallOptions): Promise<JobSummary> {
  const { firstRunId, anchorUid, ...summary } = await namedJob(ports, job, options);
  return summary;
}

export const isJobOpen = (ports: TemporalPort, job: JobId, options: CallOptions): Promise<boolean> =>
  ask({ ports, workflowId: job.workflowId, options }, async () =>
    isOpen((await describeLastRun(ports, job)).status.name),
  );

/** Returns the manifest as submitted. Each run of a chain is started with it, and retention may delete the first ones. */
export const submittedManifest = (ports: TemporalPort, job: JobId, options: CallOptions): Promise<unknown> =>
  ask({ ports, workflowId: job.workflowId, options }, async () => {
    const { workflowId, runId } = await describeLastRun(ports, job);
    return withoutLastApplied((await workflowStart(ports.temporal, { workflowId, runId })).input[0]);
  });

/** Returns the histories of all runs that are still there. */
export const jobHistories = (ports: TemporalPort, job: JobId, options: CallOptions): Promise<RunChain> =>
  ask({ ports, workflowId: job.workflowId, options }, async () => {
    const { workflowId, runId } = await describeLastRun(ports, job);
    return readRunChain(ports.temporal, { workflowId, runId });
  });

/** Returns what ran, by attempt. */
export async function jobPods(
  ports: TemporalPort & Pick<ClientPorts, 'evidence'>,
  job: JobId,
  options: CallOptions,
): Promise<readonly PodsRecord[]> {
  const { podsRecordsOf } = await import('../../../evidence/pods-records.ts');
  const { namespace, name, anchorUid } = await namedJob(ports, job, options);
  if (anchorUid === undefined) return [];
  return podsRecordsOf(await ports.evidence(), { namespace, name, anchorUid });
}
