import type { TFJob, TFJobWorker } from '../manifest-types.ts';
import type { JobOptions } from './builder-options.ts';
import { ALWAYS, checkOptions, integerFrom, JOB_RULES } from './check-options.ts';
import { failureRules, given, metadataOf, runPolicyOf } from './job-parts.ts';
import { buildPodTemplate } from './pod-template.ts';

/**
 * What a TFJob is built from.
 *
 * @public
 */
export interface TFJobOptions extends JobOptions {
  /** Pods that train: with more than one, one Chief and Workers for the rest. */
  readonly nodes: number;
  /** Pods that hold the parameters, without GPUs; default: 0. */
  readonly parameterServers?: number;
  /** Pods that evaluate, beside those that train; default: 0. */
  readonly evaluators?: number;
  /** `AllWorkers`: every Worker must succeed; default: the Chief, or else the first Worker. */
  readonly successPolicy?: 'AllWorkers';
}

/**
 * Returns the manifest of a TFJob. Throws `InvalidManifestError` with all options that are wrong.
 *
 * @example
 * ```ts
 * const manifest = tfJob({ name: 'mnist', image: 'registry.example/mnist:1', nodes: 3, parameterServers: 1 });
 * ```
 *
 * @public
 */
export function tfJob(options: TFJobOptions): TFJob {
  checkOptions(options, RULES, [...ALWAYS, 'nodes']);
  const { nodes, parameterServers = 0, evaluators = 0, successPolicy } = options;
  const { restartPolicy } = failureRules(options);
  const role = (replicas: number, pod: JobOptions = options): TFJobWorker => ({
    replicas,
    ...given({ restartPolicy }),
    template: buildPodTemplate(pod, 'tensorflow'),
  });
  return {
    apiVersion: 'kubeflow.org/v1',
    kind: 'TFJob',
    metadata: metadataOf(options),
    spec: {
      ...runPolicyOf(options),
      ...given({ successPolicy }),
      tfReplicaSpecs: {
        ...(nodes > 1 ? { Chief: role(1) } : {}),
        Worker: role(nodes > 1 ? nodes - 1 : 1),
        ...(parameterServers > 0 ? { PS: role(parameterServers, { ...options, gpusPerNode: 0 }) } : {}),
        ...(evaluators > 0 ? { Evaluator: role(evaluators) } : {}),
      },
    },
  };
}

const RULES = {
  ...JOB_RULES,
  nodes: integerFrom(1),
  parameterServers: integerFrom(0),
  evaluators: integerFrom(0),
  successPolicy: { expected: 'AllWorkers', isMet: (value: unknown) => value === 'AllWorkers' },
};
