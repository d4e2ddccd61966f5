import type { PaddleJob } from '../manifest-types.ts';
import type { JobOptions } from './builder-options.ts';
import { ALWAYS, checkOptions, integerFrom, JOB_RULES } from './check-options.ts';
import { failureRules, given, metadataOf, runPolicyOf } from './job-parts.ts';
import { buildPodTemplate } from './pod-template.ts';

/**
 * What a PaddleJob of kubeflow.org is built from.
 *
 * @public
 */
export interface PaddleJobOptions extends JobOptions {
  /** Pods that train, which are all Workers. */
  readonly nodes: number;
  /** Pods that hold the parameters, the role Master, without GPUs; default: 0. */
  readonly parameterServers?: number;
}

/**
 * Returns the manifest of a PaddleJob of kubeflow.org. Throws `InvalidManifestError` with all options that are wrong.
 *
 * @example
 * ```ts
 * const manifest = paddleJob({ name: 'ocr', image: 'registry.example/ocr:1', nodes: 2, gpusPerNode: 8 });
 * ```
 *
 * @public
 */
export function paddleJob(options: PaddleJobOptions): PaddleJob {
  checkOptions(options, RULES, [...ALWAYS, 'nodes']);
  const { nodes, parameterServers = 0 } = options;
  const { restartPolicy } = failureRules(options);
  const role = (replicas: number, pod: JobOptions = options) => ({
    replicas,
    ...given({ restartPolicy }),
    template: buildPodTemplate(pod, 'paddle'),
  });
  return {
    apiVersion: 'kubeflow.org/v1',
    kind: 'PaddleJob',
    metadata: metadataOf(options),
    spec: {
      ...runPolicyOf(options),
      paddleReplicaSpecs: {
        ...(parameterServers > 0 ? { Master: role(parameterServers, { ...options, gpusPerNode: 0 }) } : {}),
        Worker: role(nodes),
      },
    },
  };
}

const RULES = { ...JOB_RULES, nodes: integerFrom(1), parameterServers: integerFrom(0) };
