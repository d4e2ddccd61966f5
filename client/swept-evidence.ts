import type { ClusterClient } from '../cluster/client.ts';
import { CONFIG_MAPS } from '../contracts/kubernetes.ts';
import { ANNOTATIONS, anchorNameOf } from '../contracts/labels.ts';
import type { JobStatus } from '../contracts/status.ts';
import type { JobName } from './job-name.ts';

export interface SweptJob extends JobName {
  readonly firstRunId: string;
}

/**
 * The status of a job, with the evidence that was taken when its objects were swept: a workflow that was terminated could
 * not take it, so that only the anchor tells of it. Who cannot read that, or finds a later job's, gets the status as it is.
 */
export async function withSweptEvidence(
  status: JobStatus,
  cluster: () => Promise<ClusterClient>,
  job: () => Promise<SweptJob>,
): Promise<JobStatus> {
  if (status.cause?.reason !== 'WorkflowTerminated') return status;
  const noted = await evidenceOnAnchor(await job(), cluster).catch(() => []);
  const known = new Set(noted.map(({ uid }) => uid));
  const others = (status.evidence ?? []).filter(({ uid }) => !known.has(uid));
  return { ...status, evidence: [...noted, ...others] };
}

async function evidenceOnAnchor(
  { name, namespace, firstRunId }: SweptJob,
  cluster: () => Promise<ClusterClient>,
): Promise<NonNullable<JobStatus['evidence']>> {
  const anchor = await (await cluster()).find(CONFIG_MAPS, namespace, anchorNameOf(name));
  if (anchor?.metadata.annotations?.[ANNOTATIONS.firstRunId] !== firstRunId) return [];
  const { evidence = [] } = JSON.parse(anchor.data?.status ?? '{}') as Partial<JobStatus>;
  return evidence;
}
