import { formatAnchorRecord } from '../contracts/anchor.ts';
import type { CleanUpScope } from '../contracts/clean-up.ts';
import { anchorNameOf } from '../contracts/labels.ts';
import { isFinal, type JobStatus } from '../contracts/status.ts';
import { expiryOf } from './anchors/expiry-time.ts';
import { writeStatus } from './anchors/write-status.ts';
import type { Dependencies } from './support/dependencies.ts';

export interface RecordStatusRequest {
  readonly anchorUid: string;
  readonly clusterId?: string;
  readonly status: JobStatus;
  /** From the manifest. */
  readonly ttlSeconds?: number;
  /** What clean-up deleted at the end of the job. */
  readonly cleanUp?: CleanUpScope;
  /** `Digest.hash` of the last digest, or empty: `AnchorRecord.digestHash`. */
  readonly digestHash?: string;
}

/**
 * Writes the status to the anchor, where kubectl shows it and where it outlives the workflow's history. Idempotent: the
 * newest status replaces the previous one. Ignores an anchor that is gone or belongs to another job.
 */
export async function recordStatus(
  dependencies: Dependencies,
  { status, anchorUid, ttlSeconds, cleanUp, digestHash }: RecordStatusRequest,
): Promise<void> {
  const anchor = { namespace: status.namespace, name: anchorNameOf(status.name), uid: anchorUid };
  const { completionTime } = status;
  const expiry = isFinal(status.phase) ? expiryOf(dependencies, { completionTime, ttlSeconds }) : {};
  const annotations = { ...expiry, ...formatAnchorRecord({ cleanUp, digestHash }) };
  await writeStatus(dependencies, { anchor, status, annotations });
}
