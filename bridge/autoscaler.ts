import { isDeepStrictEqual } from 'node:util';
import type { ClusterClient } from '../cluster/client.ts';
import { ApiError, isConflict, unlessGoneOrReplaced } from '../cluster/errors.ts';
import { HORIZONTAL_POD_AUTOSCALERS, type HorizontalPodAutoscaler } from '../contracts/kubernetes.ts';
import type { Autoscaling } from './autoscaling.ts';
import type { Notice } from './events.ts';
import type { ResourceFacts } from './resource-facts.ts';
import { warning } from './warnings.ts';

/**
 * Makes the HorizontalPodAutoscaler of a resource what it is to be. One of the same name that is not the resource's is left
 * alone. Returns what a user has to know, if anything.
 */
export async function applyAutoscaler(
  cluster: Pick<ClusterClient, 'find' | 'create' | 'patch' | 'delete'>,
  resource: ResourceFacts,
  wanted: Autoscaling | 'none',
): Promise<Notice | undefined> {
  try {
    const { namespace, name, uid } = resource;
    const found = await cluster.find(HORIZONTAL_POD_AUTOSCALERS, namespace, name);
    const isOwn = found?.metadata.ownerReferences?.some((owner) => owner.controller && owner.uid === uid);
    if (wanted === 'none') {
      if (found && isOwn) await remove(cluster, found);
    } else if (!found) await cluster.create(HORIZONTAL_POD_AUTOSCALERS, autoscalerOf(resource, wanted));
    else if (!isOwn) return warning('AutoscalerNotOurs', NOT_OURS);
    else await change(cluster, found, autoscalerOf(resource, wanted));
    return undefined;
  } catch (error) {
    // The job runs without one: no rights, or metrics that the API server refuses.
    if (error instanceof ApiError && error.status < 500 && !isConflict(error))
      return warning('AutoscalerRefused', error.detail);
    throw error;
  }
}

const NOT_OURS =
  'a HorizontalPodAutoscaler of this name exists and is not of this job: it is left alone, and elasticPolicy.metrics has no effect until it is gone';

type Objects = Parameters<typeof applyAutoscaler>[0];

const remove = (cluster: Objects, { metadata }: HorizontalPodAutoscaler) =>
  cluster
    .delete(HORIZONTAL_POD_AUTOSCALERS, metadata.namespace, metadata.name, { uid: metadata.uid })
    .catch(unlessGoneOrReplaced);

/** Fields that a user has added, e.g. `behavior`, stay. */
async function change(
  cluster: Objects,
  found: HorizontalPodAutoscaler,
  { spec }: HorizontalPodAutoscaler,
): Promise<void> {
  const { namespace, name, uid } = found.metadata;
  if (isDeepStrictEqual({ ...found.spec, ...spec }, found.spec)) return;
  await cluster.patch(HORIZONTAL_POD_AUTOSCALERS, { namespace, name }, { metadata: { uid }, spec });
}

function autoscalerOf(
  { apiVersion, kind, namespace, name, uid }: ResourceFacts,
  wanted: Autoscaling,
): HorizontalPodAutoscaler {
  return {
    apiVersion: HORIZONTAL_POD_AUTOSCALERS.apiVersion,
    kind: HORIZONTAL_POD_AUTOSCALERS.kind,
    metadata: { name, namespace, ownerReferences: [{ apiVersion, kind, name, uid, controller: true }] },
    spec: { scaleTargetRef: { apiVersion, kind, name }, ...wanted },
  };
}
