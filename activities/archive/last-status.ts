import type { Client } from '@temporalio/client';
import { parseAnchorRecord } from '../../contracts/anchor.ts';
import { CONFIG_MAPS, type ConfigMap } from '../../contracts/kubernetes.ts';
import { anchorNameOf } from '../../contracts/labels.ts';
import { STATUS_QUERY } from '../../contracts/messages.ts';
import { withoutActive } from '../../contracts/status.ts';
import { ANSWER_MS } from '../../contracts/timing.ts';
import type { JobStatus } from '../../contracts/types.ts';
import { readClosedRun } from '../../temporal/closed-run.ts';
import { endingOf, type WorkflowEnding } from '../../temporal/recorded-outcome.ts';
import type { ArchiverDependencies } from './archiver-dependencies.ts';
import type { ClosedJob } from './closed-jobs.ts';

/**
 * Returns the anchor of a job; undefined if it is gone, belongs to another job or is in another cluster. Throws if the
 * cluster does not answer.
 */
export async function anchorOf(
  { cluster, clusterId }: Pick<ArchiverDependencies, 'cluster' | 'clusterId'>,
  job: ClosedJob,
  firstRunId: string,
): Promise<ConfigMap | undefined> {
  if (job.anchorUid === undefined) return undefined;
  if (job.clusterId !== undefined && job.clusterId !== (await clusterId())) return undefined;
  const anchor = await cluster.find(CONFIG_MAPS, job.namespace, anchorNameOf(job.name));
  const isOfJob = anchor && parseAnchorRecord(anchor.metadata.annotations).firstRunId === firstRunId;
  return isOfJob ? anchor : undefined;
}

/**
 * Returns the outcome that the workflow recorded, else how Temporal closed it, with what the workflow knew before. Nothing
 * is from the anchor: any user of the namespace can write it.
 */
export async function lastStatusOf(
  { temporal }: Pick<ArchiverDependencies, 'temporal'>,
  job: ClosedJob,
): Promise<JobStatus> {
  const { outcome, failure } = await readClosedRun(temporal, job);
  if (outcome) return outcome;
  const last = await askedStatus(temporal, job);
  const ending = endingOf(failure?.cause);
  return last.phase === ending.phase ? last : ended(last, job, ending);
}

function ended(
  last: JobStatus,
  { closed: at }: ClosedJob,
  { phase, reason, message }: WorkflowEnding,
): JobStatus {
  const { cause: _, ...before } = last;
  const end = { at, phase, state: phase, attempt: last.attempt, cause: message || phase };
  return {
    ...before,
    ...{ phase, state: phase, since: at, completionTime: at },
    ...(reason ? { cause: { reason, message } } : {}),
    replicaStatuses: withoutActive(last.replicaStatuses),
    timeline: [...last.timeline, end],
  };
}

async function askedStatus(temporal: Client, job: ClosedJob): Promise<JobStatus> {
  const handle = temporal.workflow.getHandle(job.workflowId, job.runId);
  try {
    return await temporal.withDeadline(Date.now() + ANSWER_MS, () => handle.query<JobStatus>(STATUS_QUERY));
  } catch {
    const { kind, name, namespace } = job;
    return {
      ...{ kind, name, namespace, phase: 'Pending', state: 'Pending', attempt: 1, restarts: 0 },
      ...{ conditions: [], replicaStatuses: {}, warnings: [], timeline: [] },
    };
  }
}
