import type { ClusterClient } from '../../../cluster/client.ts';
import { parseAnchorRecord } from '../../../contracts/anchor.ts';
import { CONFIG_MAPS } from '../../../contracts/kubernetes.ts';
import { anchorNameOf } from '../../../contracts/labels.ts';
import { parseRecordedStatus } from '../../../contracts/recorded-status.ts';
import type { JobStatus } from '../../../contracts/types.ts';
import type { JobName } from '../../servers/job-name.ts';

interface SweptJob extends JobName {
  readonly firstRunId: string;
}

/**
 * Returns the status with the evidence collected when the job's objects were swept. A terminated workflow could not
 * collect it, so only the anchor lists it. Returns `status` unchanged if the anchor is unreadable or a later job's.
 */
export async function withSweptEvidence(
  status: JobStatus,
  cluster: () => Promise<ClusterClient>,
  job: () => Promise<SweptJob>,
): Promise<JobStatus> {
  if (status.cause?.reason !== 'WorkflowTerminated') return status;
  const recorded = await evidenceOnAnchor(await job(), cluster).catch(() => []);
  const known = new Set(recorded.map(({ uid }) => uid));
  const others = (status.evidence ?? []).filter(({ uid }) => !known.has(uid));
  return { ...status, evidence: [...recorded, ...others] };
}

async function evidenceOnAnchor(
  { name, namespace, firstRunId }: SweptJob,
  cluster: () => Promise<ClusterClient>,
): Promise<NonNullable<JobStatus['evidence']>> {
  const anchor = await (await cluster()).find(CONFIG_MAPS, namespace, anchorNameOf(name));
  if (!anchor || parseAnchorRecord(anchor.metadata.annotations).firstRunId !== firstRunId) return [];
  const { evidence = [] } = parseRecordedStatus(anchor.data?.status);
  return evidence;
}
