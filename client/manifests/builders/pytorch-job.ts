import type { PyTorchJob } from '../manifest-types.ts';
import type { JobOptions } from './builder-options.ts';
import { ALWAYS, checkOptions, integerFrom, JOB_RULES, type OptionRule } from './check-options.ts';
import { failureRules, given, metadataOf, runPolicyOf } from './job-parts.ts';
import { buildPodTemplate } from './pod-template.ts';

/**
 * What a PyTorchJob is built from.
 *
 * @public
 */
export interface PyTorchJobOptions extends JobOptions {
  /** Pods: one Master and Workers for the rest. */
  readonly nodes: number;
  /** Processes that torchrun starts in each pod; default: `auto`, one for each GPU. */
  readonly processesPerNode?: number | 'auto' | 'cpu' | 'gpu';
  /** Lets the number of pods change while the job runs. Then all pods are Workers, and `nodes` of them start. */
  readonly elastic?: {
    readonly minNodes: number;
    readonly maxNodes: number;
    /** Restarts of the processes that torchrun allows. */
    readonly maxRestarts?: number;
  };
}

/**
 * Returns the manifest of a PyTorchJob. Throws `InvalidManifestError` with all options that are wrong.
 *
 * @example
 * ```ts
 * const manifest = pytorchJob({
 *   name: 'resnet',
 *   image: 'registry.example/resnet:1',
 *   command: ['torchrun', 'train.py'],
 *   nodes: 4,
 *   gpusPerNode: 8,
 * });
 * ```
 *
 * @public
 */
export function pytorchJob(options: PyTorchJobOptions): PyTorchJob {
  checkOptions(options, RULES, [...ALWAYS, 'nodes']);
  const { processesPerNode } = options;
  return {
    apiVersion: 'kubeflow.org/v1',
    kind: 'PyTorchJob',
    metadata: metadataOf(options),
    spec: {
      ...runPolicyOf(options),
      ...(processesPerNode === undefined ? {} : { nprocPerNode: processesPerNode }),
      ...elasticPolicyOf(options),
      pytorchReplicaSpecs: rolesOfPyTorchJob(options),
    },
  };
}

const ELASTIC: OptionRule = {
  expected: 'minNodes and maxNodes, both integers, with 1 <= minNodes <= maxNodes',
  isMet: (value) => {
    const { minNodes, maxNodes } = (value ?? {}) as Partial<NonNullable<PyTorchJobOptions['elastic']>>;
    return integerFrom(1).isMet(minNodes) && integerFrom(minNodes!).isMet(maxNodes);
  },
};

const RULES = {
  ...JOB_RULES,
  nodes: integerFrom(1),
  processesPerNode: {
    expected: 'an integer >= 1, auto, cpu or gpu',
    isMet: (value: unknown) => integerFrom(1).isMet(value) || ['auto', 'cpu', 'gpu'].includes(String(value)),
  },
  elastic: ELASTIC,
};

function rolesOfPyTorchJob(options: PyTorchJobOptions): PyTorchJob['spec']['pytorchReplicaSpecs'] {
  const { nodes, elastic } = options;
  const { restartPolicy } = failureRules(options);
  const role = (replicas: number) => ({
    replicas,
    ...given({ restartPolicy }),
    template: buildPodTemplate(options, 'pytorch'),
  });
  if (elastic) return { Worker: role(nodes) };
  return { Master: role(1), ...(nodes > 1 ? { Worker: role(nodes - 1) } : {}) };
}

function elasticPolicyOf({ elastic }: PyTorchJobOptions): Pick<PyTorchJob['spec'], 'elasticPolicy'> {
  if (!elastic) return {};
  const { minNodes, maxNodes, maxRestarts } = elastic;
  return {
    elasticPolicy: { minReplicas: minNodes, maxReplicas: maxNodes, ...given({ maxRestarts }) },
  };
}
