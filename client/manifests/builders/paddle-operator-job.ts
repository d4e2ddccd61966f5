import { CLEAN_UP_TIMES } from '../../../contracts/training-job.ts';
import type { PaddleOperatorJob, PaddleOperatorJobWorker } from '../manifest-types.ts';
import type { AnyJobOptions } from './builder-options.ts';
import { ALWAYS, checkOptions, integerFrom, oneOfWords, POD_RULES } from './check-options.ts';
import { given, metadataOf } from './job-parts.ts';
import { buildPodTemplate } from './pod-template.ts';

/**
 * What a PaddleJob of batch.paddlepaddle.org is built from.
 *
 * @public
 */
export interface PaddleOperatorJobOptions extends AnyJobOptions {
  /** Pods that train: the role worker. */
  readonly nodes: number;
  /** Pods that hold the parameters, the role ps, without GPUs; default: 0. */
  readonly parameterServers?: number;
  /** How pods reach each other: by address, by the names of their Services, or on the host network. */
  readonly intranet?: 'PodIP' | 'Service' | 'Host';
  /** Which failures the kubelet retries; default: `Never`, so that a crash ends the job. */
  readonly restartPolicy?: 'Always' | 'OnFailure' | 'Never';
  /** At which end pods are removed; default: `OnCompletion`. */
  readonly cleanPodPolicy?: 'Always' | 'Never' | 'OnFailure' | 'OnCompletion';
}

/**
 * Returns the manifest of a PaddleJob of batch.paddlepaddle.org. Throws `InvalidManifestError` with all options that are
 * wrong.
 *
 * @example
 * ```ts
 * const manifest = paddleOperatorJob({ name: 'ctr', image: 'registry.example/ctr:1', nodes: 4, parameterServers: 2 });
 * ```
 *
 * @public
 */
export function paddleOperatorJob(options: PaddleOperatorJobOptions): PaddleOperatorJob {
  checkOptions(options, RULES, [...ALWAYS, 'nodes']);
  const { nodes, parameterServers = 0, intranet, cleanPodPolicy } = options;
  return {
    apiVersion: 'batch.paddlepaddle.org/v1',
    kind: 'PaddleJob',
    metadata: metadataOf(options),
    spec: {
      ...given({ cleanPodPolicy, intranet }),
      ...(parameterServers > 0 ? { ps: roleOf({ ...options, gpusPerNode: 0 }, parameterServers) } : {}),
      worker: roleOf(options, nodes),
    },
  };
}

function roleOf(options: PaddleOperatorJobOptions, replicas: number): PaddleOperatorJobWorker {
  const { spec } = buildPodTemplate(options, 'paddle');
  const { restartPolicy = 'Never' } = options;
  return { replicas, template: { spec: { restartPolicy, ...spec } } };
}

const RULES = {
  ...POD_RULES,
  nodes: integerFrom(1),
  parameterServers: integerFrom(0),
  intranet: oneOfWords(['PodIP', 'Service', 'Host']),
  restartPolicy: oneOfWords(['Always', 'OnFailure', 'Never']),
  cleanPodPolicy: oneOfWords(CLEAN_UP_TIMES),
};
