import type { JobResource } from '../contracts/job-resources.ts';
import { isSuspendedByManifest } from '../contracts/suspended-manifest.ts';
import { boundsOf } from '../frameworks/kinds/elastic-policy.ts';
import { findFramework } from '../frameworks/kinds/registry.ts';
import { isFields, valueAt } from '../language/fields.ts';

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
export function autoscalingOf(resource: JobResource): Autoscaling | 'none' | undefined {
  const { apiVersion, kind, spec } = resource;
  const elasticPolicy = valueAt(spec, 'elasticPolicy');
  if (!isFields(elasticPolicy)) return undefined;
  const { metrics, minReplicas, maxReplicas } = elasticPolicy;
  if (isSuspendedByManifest(resource) || !Array.isArray(metrics) || metrics.length === 0) return 'none';
  const workers = valueAt(spec, `${findFramework(apiVersion, kind)?.replicaSpecs}.Worker.replicas`);
  const replicas = countOf(workers) ?? 1;
  const bounds = { minReplicas: countOf(minReplicas), maxReplicas: countOf(maxReplicas) };
  return { ...boundsOf({ replicas }, bounds), metrics };
}

const countOf = (value: unknown) => (typeof value === 'number' ? value : undefined);
