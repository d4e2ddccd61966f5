import type { JAXJob } from '../manifest-types.ts';
import type { JobOptions } from './builder-options.ts';
import { ALWAYS, checkOptions, integerFrom, JOB_RULES } from './check-options.ts';
import { failureRules, given, metadataOf, runPolicyOf } from './job-parts.ts';
import { buildPodTemplate } from './pod-template.ts';

/**
 * What a JAXJob is built from.
 *
 * @public
 */
export interface JAXJobOptions extends JobOptions {
  /** Pods, which are all Workers; the first one coordinates. */
  readonly nodes: number;
}

/**
 * Returns the manifest of a JAXJob. Throws `InvalidManifestError` with all options that are wrong.
 *
 * @example
 * ```ts
 * const manifest = jaxJob({ name: 'gemma', image: 'registry.example/gemma:1', nodes: 4, gpusPerNode: 8 });
 * ```
 *
 * @public
 */
export function jaxJob(options: JAXJobOptions): JAXJob {
  checkOptions(options, RULES, [...ALWAYS, 'nodes']);
  const { nodes } = options;
  const { restartPolicy } = failureRules(options);
  return {
    apiVersion: 'kubeflow.org/v1',
    kind: 'JAXJob',
    metadata: metadataOf(options),
    spec: {
      ...runPolicyOf(options),
      jaxReplicaSpecs: {
        Worker: { replicas: nodes, ...given({ restartPolicy }), template: buildPodTemplate(options, 'jax') },
      },
    },
  };
}

const RULES = { ...JOB_RULES, nodes: integerFrom(1) };
