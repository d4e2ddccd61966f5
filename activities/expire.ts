import { isGoneOrReplaced } from '../cluster/errors.ts';
import { CONFIG_MAPS } from '../contracts/kubernetes.ts';
import type { Dependencies } from './dependencies.ts';
import { takeLeftEvidence } from './evidence/left-behind.ts';

export interface ExpireRequest {
  readonly namespace: string;
  readonly anchorName: string;
  readonly anchorUid: string;
}

/**
 * Deletes a job's anchor, and with it all that the anchor owns, after evidence was taken of failed pods. Idempotent by its uid: the anchor of another job that
 * has taken the name stays.
 */
export async function expire(
  dependencies: Dependencies,
  { namespace, anchorName, anchorUid }: ExpireRequest,
): Promise<'expired' | 'gone'> {
  const { cluster } = dependencies;
  const anchor = await cluster.find(CONFIG_MAPS, namespace, anchorName);
  if (anchor?.metadata.uid !== anchorUid) return 'gone';
  await takeLeftEvidence(dependencies, anchor);
  try {
    await cluster.delete(CONFIG_MAPS, namespace, anchorName, {
      uid: anchorUid,
      propagationPolicy: 'Background',
    });
    return 'expired';
  } catch (error) {
    if (!isGoneOrReplaced(error)) throw error;
    return 'gone';
  }
}
