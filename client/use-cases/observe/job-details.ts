import pMap from 'p-map';
import type { ClusterClient } from '../../../cluster/client.ts';
import { parseAnchorRecord } from '../../../contracts/anchor.ts';
import { gpuCountOf } from '../../../contracts/gpus.ts';
import { CONFIG_MAPS } from '../../../contracts/kubernetes.ts';
import { anchorNameOf } from '../../../contracts/labels.ts';
import { messageOfCause } from '../../../contracts/message-of-cause.ts';
import type { ReasonCode } from '../../../contracts/reasons.ts';
import { parseRecordedStatus } from '../../../contracts/recorded-status.ts';
import { isFinal } from '../../../contracts/status.ts';
import { asFields, type Fields, fieldsOfJson, isFields, withoutUndefined } from '../../../language/fields.ts';
import { timeoutSignal } from '../../../language/timers.ts';
import { orAborted } from '../../servers/abort.ts';
import type { ClientPorts } from '../../servers/ports.ts';
import type { JobSummary } from '../../servers/summary.ts';

/** What a job's anchor tells of it beyond what the visibility store knows. */
export interface JobDetails {
  /** What all its replicas request. */
  readonly gpus: number;
  /** Why it is in its phase, if that is recorded: not each reason of a job that waits. */
  readonly cause?: { readonly reason: ReasonCode; readonly message: string };
  /** What its program reported last, as its policy says. */
  readonly progress?: string;
  readonly restarts?: number;
  /** Since when it is in its phase, RFC 3339. */
  readonly since?: string;
}

type AskedJob = Pick<JobSummary, 'namespace' | 'name' | 'workflowId' | 'phase'>;

/**
 * Returns what the cluster has on record of jobs, by workflow id, without asking a worker. What it does not tell in time, or
 * may not be read, is left out.
 */
export async function findDetails(
  { cluster }: Pick<ClientPorts, 'cluster'>,
  jobs: readonly AskedJob[],
): Promise<ReadonlyMap<string, JobDetails>> {
  const found = new Map<string, JobDetails>();
  const client = jobs.length > 0 ? await cluster().catch(() => undefined) : undefined;
  if (!client) return found;
  // What it takes to load a kubeconfig does not count.
  const signal = timeoutSignal(READ_MS);
  const read = async (job: AskedJob) => {
    if (signal.aborted) return;
    const details = await orAborted(detailsOf(client, job), signal).catch(() => undefined);
    if (details) found.set(job.workflowId, details);
  };
  await pMap(jobs, read, { concurrency: AT_ONCE });
  return found;
}

/** For all jobs together. */
const READ_MS = 5_000;
const AT_ONCE = 8;

async function detailsOf(
  cluster: ClusterClient,
  { namespace, name, workflowId, phase }: AskedJob,
): Promise<JobDetails | undefined> {
  const anchor = await cluster.find(CONFIG_MAPS, namespace, anchorNameOf(name));
  if (!anchor || parseAnchorRecord(anchor.metadata.annotations).workflowId !== workflowId) return undefined;
  const { phase: recorded, cause, progress, restarts, since } = parseRecordedStatus(anchor.data?.status);
  // An anchor may still be that of the job before.
  if (recorded !== undefined && isFinal(recorded) !== isFinal(phase)) return undefined;
  return withoutUndefined({
    gpus: gpusIn(fieldsOfJson(anchor.data?.job)),
    cause: cause && { reason: cause.reason, message: messageOfCause(cause) },
    ...{ progress, restarts, since },
  });
}

/** Any user may have edited the anchor. */
function gpusIn({ roles }: Fields): number {
  const each = (Array.isArray(roles) ? roles : [])
    .filter(isFields)
    .map(({ replicas, template }) => Number(replicas) * gpuCountOf(asFields(asFields(template).spec)));
  return each.reduce((sum, gpus) => sum + (Number.isSafeInteger(gpus) ? gpus : 0), 0);
}
