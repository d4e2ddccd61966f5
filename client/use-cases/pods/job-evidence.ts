import type { ClusterClient } from '../../../cluster/client.ts';
import { parseAnchorRecord } from '../../../contracts/anchor.ts';
import { CONFIG_MAPS } from '../../../contracts/kubernetes.ts';
import { anchorNameOf } from '../../../contracts/labels.ts';
import { parseRecordedStatus } from '../../../contracts/recorded-status.ts';
import type { EvidenceRecord, JobStatus } from '../../../contracts/types.ts';
import type { JobId } from '../../servers/job-id.ts';
import type { JobName } from '../../servers/job-name.ts';
import type { ClientPorts } from '../../servers/ports.ts';
import { readStatus } from '../observe/job-status.ts';
import { namedJob } from '../observe/recorded-job.ts';
import { crashEvidence, withCrashes } from './crash-evidence.ts';
import { type EvidenceChoice, readEvidence } from './evidence.ts';

/** Yields evidence of the job's failed pods, newest first; before them, pods whose containers are restarted in place. */
export async function* jobEvidence(
  ports: ClientPorts,
  job: JobId,
  choice: EvidenceChoice,
): AsyncGenerator<EvidenceRecord> {
  const { cluster } = ports;
  const named = () => namedJob(ports, job, {});
  const firstRunId = async () => (await named()).firstRunId;
  const status = await withSweptEvidence(await readStatus(ports, job, {}), cluster, named);
  const crashes = await crashEvidence(status, choice, { cluster, firstRunId });
  yield* withCrashes(crashes, readEvidence(await ports.evidence(), status, choice));
}

interface SweptJob extends JobName {
  readonly firstRunId: string;
}

/**
 * Returns the status with the evidence collected when the job's objects were swept. A terminated workflow could not
 * collect it, so only the anchor lists it. Returns `status` unchanged if the anchor is unreadable or a later job's.
 */
async function withSweptEvidence(
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
