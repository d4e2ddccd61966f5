import type { ClusterClient } from '../../../cluster/client.ts';
import { withoutRequest } from '../../../cluster/errors.ts';
import { MESSAGE_LENGTH } from '../../../contracts/digest.ts';
import { type ContainerStatus, PODS, type Pod } from '../../../contracts/kubernetes.ts';
import { isOfAnchor } from '../../../contracts/objects.ts';
import { containersOf, hasPodEnded } from '../../../contracts/pod.ts';
import { DEFAULT_POLICY } from '../../../contracts/policy.ts';
import { isFinal } from '../../../contracts/status.ts';
import type { EvidenceRecord, JobStatus, LogExcerpt } from '../../../contracts/types.ts';
import {
  failedAt,
  failedContainers,
  failureFacts,
  isPodFailed,
} from '../../../evidence/failed-containers.ts';
import { KEPT_BYTES, LOG_MS, MOST_LOGS, READ_BYTES, runsWithLog } from '../../../evidence/kept-logs.ts';
import { LogTail } from '../../../evidence/log-tail.ts';
import {
  containerEvidence,
  identityOf,
  podEvidence,
  recordedJobOf,
} from '../../../evidence/render-record.ts';
import { shorten } from '../../../language/shorten.ts';
import { NoEvidenceError } from '../../errors/errors.ts';
import { type EvidenceChoice, fits } from './evidence.ts';
import { containerOf, selectionOf } from './pod-selection.ts';
import { type LogAnchor, readAnchor } from './read-anchor.ts';

/** As many as the status lists of failed pods. */
const MOST_PODS = 20;

/** Where the pods of a job are. */
interface Place {
  readonly cluster: () => Promise<ClusterClient>;
  readonly firstRunId: () => Promise<string>;
}

/**
 * Returns what the cluster has of pods whose containers are restarted in place: until such a pod fails, no record of it is
 * stored. Returns none if the cluster cannot be read.
 */
export async function crashEvidence(
  status: JobStatus,
  choice: EvidenceChoice,
  { cluster, firstRunId }: Place,
): Promise<readonly EvidenceRecord[]> {
  if (!mayCrash(status)) return [];
  try {
    return await recordsOf(await cluster(), { status, choice, firstRunId: await firstRunId() });
  } catch {
    return [];
  }
}

/** The cause of a running job does not name containers that have recovered. */
const mayCrash = ({ phase, cause, evidence = [] }: JobStatus): boolean =>
  !isFinal(phase) && (cause?.reason === 'ContainersRestarting' || evidence.length === 0);

interface Asked {
  readonly status: JobStatus;
  readonly choice: EvidenceChoice;
  readonly firstRunId: string;
}

async function recordsOf(
  cluster: ClusterClient,
  { status, choice, firstRunId }: Asked,
): Promise<EvidenceRecord[]> {
  const anchor = await readAnchor(cluster, status);
  if (anchor && anchor.firstRunId !== firstRunId) return [];
  const { pod } = choice;
  const { items } = await cluster.list(PODS, selectionOf(status, { pod, all: pod === undefined }));
  const stored = new Set(status.evidence?.map(({ uid }) => uid));
  const crashing = items
    .filter((one) => (!anchor || isOfAnchor(one, anchor.uid)) && !stored.has(one.metadata.uid ?? ''))
    .filter((one) => fits(identityOf(one), choice) && !hasPodEnded(one) && isPodFailed(one))
    .sort((a, b) => restartsOfPod(b) - restartsOfPod(a))
    .slice(0, MOST_PODS);
  return Promise.all(crashing.map((one) => recordOf(cluster, one, { status, anchor })));
}

const restartsOfPod = (pod: Pod): number =>
  Math.max(0, ...containersOf(pod).map(({ restartCount = 0 }) => restartCount));

async function recordOf(
  cluster: ClusterClient,
  pod: Pod,
  { status, anchor }: { readonly status: JobStatus; readonly anchor: LogAnchor | undefined },
): Promise<EvidenceRecord> {
  const failed = failedContainers(pod, containerOf(pod, undefined, anchor));
  const faults = [NOT_STORED];
  const logs = failed.slice(0, MOST_LOGS).map(async (one) => {
    const { present, previous } = runsWithLog(one.status);
    const read = (isPrevious: boolean) => logOf(cluster, pod, { status: one.status, isPrevious }, faults);
    const [log, previousLog] = await Promise.all([present && read(false), previous && read(true)]);
    return [one.status.name, { log: log || undefined, previousLog: previousLog || undefined }] as const;
  });
  const containers = containerEvidence(pod, new Map(await Promise.all(logs)));
  const takenAt = new Date().toISOString();
  const { kind, namespace, name } = status;
  const facts = { node: pod.spec.nodeName, ...failureFacts(pod, failed[0]) };
  const incomplete = shorten(faults.join('; '), MESSAGE_LENGTH);
  return {
    version: 1,
    job: { kind, namespace, name },
    anchorUid: recordedJobOf(pod).anchorUid,
    summary: { ...identityOf(pod), ...facts, takenAt, incomplete },
    failedAt: failedAt(pod, failed[0]) ?? takenAt,
    pod: podEvidence(pod),
    containers,
    events: [],
    incomplete: faults,
  };
}

const NOT_STORED =
  'record: none is stored before the pod fails; this is what the cluster has now, without node and events';

interface Run {
  readonly status: ContainerStatus;
  readonly isPrevious: boolean;
}

/** Reads the end of a log; an error is one of the faults. */
async function logOf(
  cluster: ClusterClient,
  { metadata: { name, namespace } }: Pod,
  { status, isPrevious }: Run,
  faults: string[],
): Promise<LogExcerpt | undefined> {
  const tail = new LogTail(KEPT_BYTES);
  const which = { container: status.name, previous: isPrevious || undefined };
  const limits = { tailLines: DEFAULT_POLICY.evidence.logLines, limitBytes: READ_BYTES };
  try {
    const signal = AbortSignal.timeout(LOG_MS);
    for await (const chunk of await cluster.log(namespace!, name, { ...which, ...limits, signal }))
      tail.add(chunk);
    return tail.excerpt();
  } catch (error) {
    faults.push(`${isPrevious ? 'previous log' : 'log'} of ${status.name}: ${withoutRequest(error)}`);
    return undefined;
  }
}

/** Yields crashes, then what is stored; throws that there is nothing only if there is neither. */
export async function* withCrashes(
  crashes: readonly EvidenceRecord[],
  stored: AsyncIterable<EvidenceRecord>,
): AsyncGenerator<EvidenceRecord> {
  yield* crashes;
  try {
    yield* stored;
  } catch (error) {
    if (crashes.length === 0 || !(error instanceof NoEvidenceError)) throw error;
  }
}
