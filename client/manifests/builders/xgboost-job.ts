import type { XGBoostJob } from '../manifest-types.ts';
import type { JobOptions } from './builder-options.ts';
import { ALWAYS, checkOptions, integerFrom, JOB_RULES } from './check-options.ts';
import { failureRules, given, metadataOf, runPolicyOf } from './job-parts.ts';
import { buildPodTemplate } from './pod-template.ts';

/**
 * What a XGBoostJob is built from.
 *
 * @public
 */
export interface XGBoostJobOptions extends JobOptions {
  /** Pods: one Master and Workers for the rest. */
  readonly nodes: number;
}

/**
 * Returns the manifest of an XGBoostJob, which also runs LightGBM. Throws `InvalidManifestError` with all options that
 * are wrong.
 *
 * @example
 * ```ts
 * const manifest = xgboostJob({ name: 'churn', image: 'registry.example/churn:1', nodes: 3, cpu: 8, memory: '32Gi' });
 * ```
 *
 * @public
 */
export function xgboostJob(options: XGBoostJobOptions): XGBoostJob {
  checkOptions(options, RULES, [...ALWAYS, 'nodes']);
  const { nodes } = options;
  const { restartPolicy } = failureRules(options);
  const role = (replicas: number) => ({
    replicas,
    ...given({ restartPolicy }),
    template: buildPodTemplate(options, 'xgboost'),
  });
  return {
    apiVersion: 'kubeflow.org/v1',
    kind: 'XGBoostJob',
    metadata: metadataOf(options),
    spec: {
      ...runPolicyOf(options),
      xgbReplicaSpecs: { Master: role(1), ...(nodes > 1 ? { Worker: role(nodes - 1) } : {}) },
    },
  };
}

const RULES = { ...JOB_RULES, nodes: integerFrom(1) };
