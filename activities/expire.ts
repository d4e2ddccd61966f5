import { CONFIG_MAPS } from '../contracts/kubernetes.ts';
import type { ExpireRequest } from '../contracts/messages.ts';
import { deleteAnchor } from './anchors/anchor-writes.ts';
import { collectBeforeExpiry } from './evidence/collect-before-expiry.ts';
import type { Dependencies } from './support/dependencies.ts';

/**
 * Deletes a job's anchor and all that it owns, after taking evidence of failed pods. Idempotent by uid: the anchor of
 * another job with the same name stays.
 */
export async function expire(
  dependencies: Dependencies,
  { namespace, anchorName, anchorUid }: ExpireRequest,
): Promise<'expired' | 'gone'> {
  const anchor = await dependencies.cluster.find(CONFIG_MAPS, namespace, anchorName);
  if (anchor?.metadata.uid !== anchorUid) return 'gone';
  await collectBeforeExpiry(dependencies, anchor);
  const deleted = await deleteAnchor(dependencies, anchor.metadata);
  return deleted ? 'expired' : 'gone';
}
