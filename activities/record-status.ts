import { isGoneOrReplaced } from '../cluster/errors.ts';
import { CONFIG_MAPS } from '../contracts/kubernetes.ts';
import { ANNOTATIONS, anchorNameOf } from '../contracts/labels.ts';
import type { JobStatus } from '../contracts/status.ts';
import type { Dependencies } from './dependencies.ts';

export interface RecordStatusRequest {
  readonly anchorUid: string;
  readonly status: JobStatus;
}

/**
 * Writes the status to the anchor, where kubectl shows it, and where it stays when the workflow's history is gone.
 * Idempotent: the newest status replaces the one before. An anchor that is gone, or another job's, is left alone.
 */
export async function recordStatus({ cluster }: Dependencies, request: RecordStatusRequest): Promise<void> {
  const { status, anchorUid } = request;
  const target = { namespace: status.namespace, name: anchorNameOf(status.name) };
  const patch = {
    metadata: { uid: anchorUid, annotations: { [ANNOTATIONS.phase]: status.phase } },
    data: { status: JSON.stringify(status) },
  };
  try {
    await cluster.patch(CONFIG_MAPS, target, patch);
  } catch (error) {
    if (!isGoneOrReplaced(error)) throw error;
  }
}
