import { Context } from '@temporalio/activity';
import { unlessGoneOrReplaced } from '../cluster/errors.ts';
import { PODS, type Pod } from '../contracts/kubernetes.ts';
import { ANNOTATIONS } from '../contracts/labels.ts';
import { UNFINISHED } from '../contracts/pod.ts';
import type { Dependencies } from './support/dependencies.ts';
import type { EffectRequest, EffectResult } from './support/effect.ts';
import { inParallel } from './support/in-parallel.ts';
import { listPodsOfAttempt } from './support/pods-of-attempt.ts';

/** Requests a checkpoint from unfinished pods by an annotation. Idempotent: skips pods that have it. */
export async function requestCheckpoint(
  dependencies: Dependencies,
  request: EffectRequest<'requestCheckpoint'>,
): Promise<EffectResult> {
  const { cluster, connections, bulk } = dependencies;
  const signal = Context.current().cancellationSignal;
  const askedAt = new Date().toISOString();
  const pods = await listPodsOfAttempt(cluster, request, { fieldSelector: UNFINISHED });
  let resourceVersion = 0;
  await inParallel(pods.filter(needsRequest), { limit: connections, signal }, async ({ metadata }) => {
    const { name, uid } = metadata;
    const patch = { metadata: { uid, annotations: { [ANNOTATIONS.checkpoint]: askedAt } } };
    const target = { namespace: request.job.namespace, name };
    const patched = await bulk.run(() => cluster.patch(PODS, target, patch).catch(unlessGoneOrReplaced));
    resourceVersion = Math.max(resourceVersion, Number(patched?.metadata.resourceVersion ?? 0));
  });
  return { resourceVersion };
}

/** Excludes pods that are being deleted: they were already asked to stop. */
const needsRequest = ({ metadata }: Pod) =>
  !metadata.deletionTimestamp && metadata.annotations?.[ANNOTATIONS.checkpoint] === undefined;
