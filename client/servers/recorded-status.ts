import type { WorkflowExecutionDescription } from '@temporalio/client';
import type { ClusterClient } from '../../cluster/client.ts';
import { parseAnchorRecord } from '../../contracts/anchor.ts';
import { CONFIG_MAPS } from '../../contracts/kubernetes.ts';
import { anchorNameOf } from '../../contracts/labels.ts';
import { parseRecordedStatus } from '../../contracts/recorded-status.ts';
import type { JobStatus } from '../../contracts/types.ts';
import { timeoutSignal } from '../../language/timers.ts';
import { firstRunIdOf } from '../../temporal/find-workflow.ts';
import { orAborted } from './abort.ts';
import { summaryOf } from './summary.ts';

/**
 * A job's status. Without a worker it is what was recorded last.
 *
 * @public
 */
export interface KnownStatus extends JobStatus {
  /**
   * Present if no worker answers: where this status was read, the job's anchor in the cluster, which has all of it, or
   * Temporal, which has phase, reason and attempt. The job's pods continue meanwhile.
   */
  readonly recordedIn?: 'anchor' | 'temporal';
}

/** How long the cluster has to answer, in milliseconds. */
const CLUSTER_MS = 3_000;

/** Returns the last status on record; reading it needs no worker. The cluster may take `clusterMs` to answer. */
export async function recordedStatus(
  described: WorkflowExecutionDescription,
  cluster: () => Promise<ClusterClient>,
  clusterMs = CLUSTER_MS,
): Promise<KnownStatus> {
  const onAnchor = await statusOnAnchor(described, cluster, clusterMs).catch(() => undefined);
  const inTemporal = statusInTemporal(described);
  return onAnchor
    ? { ...inTemporal, ...onAnchor, recordedIn: 'anchor' }
    : { ...inTemporal, recordedIn: 'temporal' };
}

/** Returns undefined if there is no anchor, or it is another job's. Throws if the cluster does not answer in time. */
async function statusOnAnchor(
  described: WorkflowExecutionDescription,
  cluster: () => Promise<ClusterClient>,
  clusterMs: number,
): Promise<Partial<JobStatus> | undefined> {
  const { name, namespace } = summaryOf(described);
  const firstRunId = firstRunIdOf(described);
  // Loading the library of Kubernetes takes seconds on a busy machine: the cluster's time begins afterwards.
  const client = await cluster();
  const reading = client.find(CONFIG_MAPS, namespace, anchorNameOf(name));
  const anchor = await orAborted(reading, timeoutSignal(clusterMs));
  if (!anchor || parseAnchorRecord(anchor.metadata.annotations).firstRunId !== firstRunId) return undefined;
  return anchor.data?.status === undefined ? undefined : parseRecordedStatus(anchor.data.status);
}

/** Returns what the visibility store knows of a job. */
export function statusInTemporal(described: WorkflowExecutionDescription): JobStatus {
  const { kind, name, namespace, phase, attempt, startTime, endTime } = summaryOf(described);
  return {
    ...{ kind, name, namespace, phase, state: phase, attempt: Math.max(attempt, 1), startTime },
    ...(endTime === undefined ? {} : { completionTime: endTime }),
    ...{ restarts: 0, conditions: [], replicaStatuses: {}, warnings: [], timeline: [] },
  };
}
