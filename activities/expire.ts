import { unlessGoneOrReplaced } from '../cluster/errors.ts';
import { parseAnchorRecord } from '../contracts/anchor.ts';
import { jobResourceOf } from '../contracts/job-resources.ts';
import { CONFIG_MAPS, type ConfigMap } from '../contracts/kubernetes.ts';
import { ANNOTATIONS, workflowIdOf } from '../contracts/labels.ts';
import type { ExpireRequest } from '../contracts/messages.ts';
import { findFramework } from '../frameworks/kinds/registry.ts';
import { deleteAnchor, patchAnchor } from './anchors/anchor-writes.ts';
import { endOfClosed } from './anchors/end-of-closed.ts';
import { expiryOf } from './anchors/expiry-time.ts';
import { jobOfResource, resourceOwnerOf } from './anchors/job-of-resource.ts';
import { findWorkflowOf } from './anchors/workflow-of.ts';
import { disappearsSoon } from './deletion/wait-for-deletion.ts';
import { collectBeforeExpiry } from './evidence/collect-before-expiry.ts';
import { removeLaneRecord } from './lane-places.ts';
import type { Dependencies } from './support/dependencies.ts';
import { recordedJob } from './support/recorded-job.ts';

/** `kept`: the custom resource of the job says that its time has not come. */
type Expired = 'expired' | 'gone' | 'alive' | 'kept';

/**
 * Deletes the anchor of an ended job and all that it owns, after taking evidence of failed pods. Idempotent by uid: the
 * anchor of another job with the same name stays. So does that of a running job: any user of the namespace can
 * write on it that it has ended.
 */
export async function expire(
  dependencies: Dependencies,
  { namespace, anchorName, anchorUid }: ExpireRequest,
): Promise<Expired> {
  const anchor = await dependencies.cluster.find(CONFIG_MAPS, namespace, anchorName);
  if (anchor?.metadata.uid !== anchorUid) return 'gone';
  if (!(await hasEnded(dependencies, anchor))) return 'alive';
  if (await isKeptByResource(dependencies, anchor)) return 'kept';
  await collectBeforeExpiry(dependencies, anchor);
  await deleteResource(dependencies, anchor);
  const deleted = await deleteAnchor(dependencies, anchor.metadata);
  if (recordedJob(anchor)?.lane !== undefined) await removeLaneRecord(dependencies, anchorUid);
  return deleted ? 'expired' : 'gone';
}

/** The custom resource of an ended job goes with it where the original operator deletes it. */
async function deleteResource({ cluster }: Dependencies, anchor: ConfigMap): Promise<void> {
  const owner = resourceOwnerOf(anchor);
  if (!owner || findFramework(owner.apiVersion, owner.kind)?.resource?.outlivesTtl) return;
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

/**
 * Whether the custom resource of the job does not expire yet. Any user of the namespace can write a time on the anchor,
 * but not delete resources: what the resource says of its time to live counts, and when the job ended, as far as Temporal knows.
 * Corrects the anchor.
 */
async function isKeptByResource(dependencies: Dependencies, anchor: ConfigMap): Promise<boolean> {
  const { temporal } = dependencies;
  const job = await jobOfResource(dependencies, anchor);
  if (!job) return false;
  const workflowId = workflowIdOf(job);
  const { firstRunId } = await findWorkflowOf(temporal, anchor, workflowId);
  const end = await endOfClosed(temporal, { workflowId, firstRunId });
  const { completionTime } = end?.status ?? {};
  const { ttlSecondsAfterFinished: ttlSeconds } = job.plan.runPolicy;
  const annotations = expiryOf(dependencies, { completionTime, ttlSeconds });
  const { expiresAt = Number.POSITIVE_INFINITY } = parseAnchorRecord(annotations);
  const isKept = expiresAt === Number.POSITIVE_INFINITY || (completionTime && expiresAt > Date.now());
  if (!isKept) return false;
  const { namespace = '', name, uid = '' } = anchor.metadata;
  const corrected = { [ANNOTATIONS.expiresAt]: null, ...annotations };
  await patchAnchor(dependencies, { namespace, name, uid }, { annotations: corrected });
  return true;
}
