import type { CleanUpScope } from '../contracts/clean-up.ts';
import { ANNOTATIONS, anchorNameOf } from '../contracts/labels.ts';
import { isFinal, type JobStatus } from '../contracts/status.ts';
import { expiryOf } from './anchors/expiry-time.ts';
import { writeStatus } from './anchors/write-status.ts';
import type { Dependencies } from './support/dependencies.ts';

export interface RecordStatusRequest {
  readonly anchorUid: string;
  readonly clusterId?: string;
  readonly status: JobStatus;
  /** Of its manifest. */
  readonly ttlSeconds?: number;
  /** What was removed at its end. */
  readonly cleanUp?: CleanUpScope;
}

/**
 * Writes the status to the anchor, where kubectl shows it, and where it stays when the workflow's history is gone.
 * Idempotent: the newest status replaces the one before. An anchor that is gone, or another job's, is left alone.
 */
export async function recordStatus(
  dependencies: Dependencies,
  { status, anchorUid, ttlSeconds, cleanUp }: RecordStatusRequest,
): Promise<void> {
  const anchor = { namespace: status.namespace, name: anchorNameOf(status.name), uid: anchorUid };
  const { completionTime } = status;
  const expiry = isFinal(status.phase) ? expiryOf(dependencies, { completionTime, ttlSeconds }) : {};
  const annotations = { ...expiry, ...(cleanUp && { [ANNOTATIONS.cleanUp]: cleanUp }) };
  await writeStatus(dependencies, { anchor, status, annotations });
}
