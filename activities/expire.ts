import { unlessGoneOrReplaced } from '../cluster/errors.ts';
import { parseAnchorRecord } from '../contracts/anchor.ts';
import { jobResourceOf } from '../contracts/job-resources.ts';
import { CONFIG_MAPS, type ConfigMap } from '../contracts/kubernetes.ts';
import type { ExpireRequest } from '../contracts/messages.ts';
import { deleteAnchor } from './anchors/anchor-writes.ts';
import { resourceOwnerOf } from './anchors/job-of-resource.ts';
import { findWorkflowOf } from './anchors/workflow-of.ts';
import { disappearsSoon } from './deletion/wait-for-deletion.ts';
import { collectBeforeExpiry } from './evidence/collect-before-expiry.ts';
import type { Dependencies } from './support/dependencies.ts';

export type Expired = 'expired' | 'gone' | 'alive';

/**
 * Deletes the anchor of an ended job and all that it owns, after taking evidence of failed pods. Idempotent by uid: the
 * anchor of another job with the same name stays. So does that of a running job: anybody with access to the namespace can
 * write on it that it has ended.
 */
export async function expire(
  dependencies: Dependencies,
  { namespace, anchorName, anchorUid }: ExpireRequest,
): Promise<Expired> {
  const anchor = await dependencies.cluster.find(CONFIG_MAPS, namespace, anchorName);
  if (anchor?.metadata.uid !== anchorUid) return 'gone';
  if (!(await hasEnded(dependencies, anchor))) return 'alive';
  await collectBeforeExpiry(dependencies, anchor);
  await deleteResource(dependencies, anchor);
  const deleted = await deleteAnchor(dependencies, anchor.metadata);
  return deleted ? 'expired' : 'gone';
}

/** A job that was made from a custom resource ends with it, as the original operators do it. */
async function deleteResource({ cluster }: Dependencies, anchor: ConfigMap): Promise<void> {
  const owner = resourceOwnerOf(anchor);
  if (!owner) return;
  const { name, uid } = owner;
  await cluster
    .delete(jobResourceOf(owner), anchor.metadata.namespace, name, { uid })
    .catch(unlessGoneOrReplaced);
}

/** A job records its end a moment before its workflow closes. */
async function hasEnded({ temporal }: Dependencies, { metadata }: ConfigMap): Promise<boolean> {
  const { workflowId } = parseAnchorRecord(metadata.annotations);
  const isClosed = async () =>
    (await findWorkflowOf(temporal, { metadata }, workflowId)).running === undefined;
  return disappearsSoon(isClosed);
}
