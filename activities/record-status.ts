import { formatAnchorRecord } from '../contracts/anchor.ts';
import type { CleanUpScope } from '../contracts/clean-up.ts';
import { CONFIG_MAPS } from '../contracts/kubernetes.ts';
import { anchorNameOf } from '../contracts/labels.ts';
import { isFinal } from '../contracts/status.ts';
import type { GangProvider } from '../contracts/training-job.ts';
import type { JobStatus } from '../contracts/types.ts';
import { expiryOf } from './anchors/expiry-time.ts';
import { writeStatus } from './anchors/write-status.ts';
import { tellReadiness } from './objects/workloads.ts';
import type { Dependencies } from './support/dependencies.ts';
import { verifyCluster } from './support/verify-cluster.ts';

export interface RecordStatusRequest {
  readonly anchorUid: string;
  readonly clusterId?: string;
  readonly status: JobStatus;
  /** From the manifest. */
  readonly ttlSeconds?: number;
  /** What clean-up deleted at the end of the job. */
  readonly cleanUp?: CleanUpScope;
  /** `Digest.hash` of the last digest, or empty: `AnchorRecord.digestHash`. */
  readonly digestHash: string;
  /** `AnchorRecord.record` */
  readonly record: number;
  /** The scheduler that gave the job its quota, and wants to know whether all its pods are ready. */
  readonly notifies?: GangProvider;
}

/** A status that is written without an activity, and may therefore come late. */
export interface ShowStatusRequest extends RecordStatusRequest {
  /** What it replaces: nothing else. */
  readonly over: { readonly phase: string; readonly record: number };
  /** Only counts have changed, as they do with each pod: it is written after a pause, and then the newest. */
  readonly isRecount?: true;
}

/** What a workflow hands over to its worker. Not an interface: sinks have an index signature. */
export type StatusSink = { readonly show: (request: ShowStatusRequest) => void };

/**
 * Writes the status to the anchor, where kubectl shows it and where it outlives the workflow's history. Idempotent: the
 * newest status replaces the previous one. Ignores an anchor that is gone or belongs to another job.
 */
export async function recordStatus(
  dependencies: Dependencies,
  { status, anchorUid, ttlSeconds, cleanUp, digestHash, record, notifies }: RecordStatusRequest,
): Promise<void> {
  const anchor = { namespace: status.namespace, name: anchorNameOf(status.name), uid: anchorUid };
  const { completionTime } = status;
  const expiry = isFinal(status.phase) ? expiryOf(dependencies, { completionTime, ttlSeconds }) : {};
  const annotations = { ...expiry, ...formatAnchorRecord({ cleanUp, digestHash, record }) };
  await writeStatus(dependencies, { anchor, status, annotations });
  if (notifies) await tellReadiness(dependencies, { ...status, anchorUid }, status.phase === 'Running');
}

/**
 * Writes the status to the anchor if that still says what the status replaces. Throws what the API server answers
 * otherwise: 404 if the anchor is gone, 422 if it says something else, belongs to another job, or is immutable.
 */
export async function showStatus(
  dependencies: Pick<Dependencies, 'cluster' | 'clusterId'>,
  { status, anchorUid, clusterId, digestHash, record, over }: ShowStatusRequest,
): Promise<void> {
  await verifyCluster(dependencies, { clusterId });
  const { phase, namespace } = status;
  const annotations = formatAnchorRecord({ phase, record, digestHash });
  const patch = [
    { op: 'test', path: '/metadata/uid', value: anchorUid },
    ...annotationOps('test', formatAnchorRecord(over)),
    ...annotationOps('add', annotations),
    { op: 'add', path: '/data/status', value: JSON.stringify(status) },
  ];
  await dependencies.cluster.patch(
    CONFIG_MAPS,
    { namespace, name: anchorNameOf(status.name) },
    patch,
    'json',
  );
}

/** Operations of a JSON patch, in whose paths a slash is `~1` (RFC 6901). */
const annotationOps = (op: 'test' | 'add', annotations: Readonly<Record<string, string>>) =>
  Object.entries(annotations).map(([name, value]) => ({
    ...{ op, path: `/metadata/annotations/${name.replaceAll('/', '~1')}`, value },
  }));
