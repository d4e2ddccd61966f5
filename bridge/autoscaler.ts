import { isDeepStrictEqual } from 'node:util';
import type { ClusterClient } from '../cluster/client.ts';
import { ApiError, isConflict, unlessGoneOrReplaced } from '../cluster/errors.ts';
import type { JobResource } from '../contracts/job-resources.ts';
import { HORIZONTAL_POD_AUTOSCALERS, type HorizontalPodAutoscaler } from '../contracts/kubernetes.ts';
import { boundsOf } from '../frameworks/kinds/elastic-policy.ts';
import { findFramework } from '../frameworks/kinds/registry.ts';
import { isFields, valueAt } from '../language/fields.ts';
import type { Notice } from './events.ts';
import type { ResourceFacts } from './resource-facts.ts';
import { warning } from './warnings.ts';

/** What the HorizontalPodAutoscaler of a job has, besides what it scales. */
export interface Autoscaling {
  readonly minReplicas: number;
  readonly maxReplicas: number;
  readonly metrics: readonly unknown[];
}

/**
 * Returns how an elastic job is to be scaled by `elasticPolicy.metrics`: `none` without metrics and while it is suspended;
 * undefined for a job that is not elastic, which has nothing to scale.
 */
export function autoscalingOf({ apiVersion, kind, spec }: JobResource): Autoscaling | 'none' | undefined {
  const { elasticPolicy, runPolicy } = isFields(spec) ? spec : {};
  if (!isFields(elasticPolicy)) return undefined;
  const { metrics, minReplicas, maxReplicas } = elasticPolicy;
  const isSuspended = isFields(runPolicy) && runPolicy.suspend === true;
  if (isSuspended || !Array.isArray(metrics) || metrics.length === 0) return 'none';
  const workers = valueAt(spec, `${findFramework(apiVersion, kind)?.replicaSpecs}.Worker.replicas`);
  const replicas = countOf(workers) ?? 1;
  const bounds = { minReplicas: countOf(minReplicas), maxReplicas: countOf(maxReplicas) };
  return { ...boundsOf({ replicas }, bounds), metrics };
}

const countOf = (value: unknown) => (typeof value === 'number' ? value : undefined);

/**
 * Makes the HorizontalPodAutoscaler of a resource what it is to be. One of the same name that is not the resource's is left
 * alone. Returns what somebody has to know, if anything.
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

/** Fields that somebody has added, e.g. `behavior`, stay. */
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
