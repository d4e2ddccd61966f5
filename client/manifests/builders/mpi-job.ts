import type { MPIJob, MPIJobV2 } from '../manifest-types.ts';
import type { JobOptions } from './builder-options.ts';
import {
  ALWAYS,
  BOOLEAN,
  checkOptions,
  integerFrom,
  JOB_RULES,
  oneOfWords,
  TEXT,
  TEXTS,
} from './check-options.ts';
import { failureRules, given, metadataOf, runPolicyOf } from './job-parts.ts';
import { buildPodTemplate } from './pod-template.ts';

/**
 * `command` and `args` are those of the launcher, which runs mpirun. It requests no GPUs.
 *
 * @public
 */
export interface MPIJobOptions extends JobOptions {
  /** Workers. */
  readonly nodes: number;
  /** Processes on each worker, as the host list says; default: 1. */
  readonly processesPerNode?: number;
  /** What workers run; default: they wait for the launcher. */
  readonly workerCommand?: readonly string[];
}

/**
 * What a MPIJob of kubeflow.org/v2beta1 is built from.
 *
 * @public
 */
export interface MPIJobV2Options extends MPIJobOptions {
  /** Restart policies of this kind. */
  readonly restartPolicy?: 'OnFailure' | 'Never';
  readonly implementation?: 'OpenMPI' | 'Intel' | 'MPICH';
  /** Where the SSH keys are mounted; default: `/root/.ssh`. */
  readonly sshAuthMountPath?: string;
  /** Creates the launcher when all workers are ready. */
  readonly waitForWorkers?: boolean;
}

/**
 * Returns the manifest of an MPIJob of kubeflow.org/v1, whose launcher reaches its workers by kubectl exec. Throws
 * `InvalidManifestError` with all options that are wrong.
 *
 * @example
 * ```ts
 * const manifest = mpiJob({ name: 'horovod', image: 'registry.example/horovod:1', command: ['mpirun', 'train'], nodes: 2 });
 * ```
 *
 * @public
 */
export function mpiJob(options: MPIJobOptions): MPIJob {
  checkOptions(options, RULES, [...ALWAYS, 'nodes']);
  return {
    apiVersion: 'kubeflow.org/v1',
    kind: 'MPIJob',
    metadata: metadataOf(options),
    spec: {
      ...runPolicyOf(options),
      ...given({ slotsPerWorker: options.processesPerNode }),
      mpiReplicaSpecs: rolesOfMpiJob(options),
    },
  };
}

/**
 * Returns the manifest of an MPIJob of kubeflow.org/v2beta1, whose launcher reaches its workers by SSH. Throws
 * `InvalidManifestError` with all options that are wrong.
 *
 * @example
 * ```ts
 * const manifest = mpiJobV2({
 *   name: 'allreduce',
 *   image: 'registry.example/mpi:1',
 *   command: ['mpirun', 'train'],
 *   nodes: 2,
 *   processesPerNode: 8,
 *   gpusPerNode: 8,
 * });
 * ```
 *
 * @public
 */
export function mpiJobV2(options: MPIJobV2Options): MPIJobV2 {
  checkOptions(options, RULES_V2, [...ALWAYS, 'nodes']);
  const { processesPerNode, implementation, sshAuthMountPath, waitForWorkers, restartPolicy } = options;
  const { Launcher, Worker } = rolesOfMpiJob(options);
  const rules = failureRules(options);
  return {
    apiVersion: 'kubeflow.org/v2beta1',
    kind: 'MPIJob',
    metadata: metadataOf(options),
    spec: {
      ...runPolicyOf({ ...options, backoffLimit: rules.backoffLimit ?? (restartPolicy ? undefined : 0) }),
      ...given({ slotsPerWorker: processesPerNode, mpiImplementation: implementation, sshAuthMountPath }),
      ...(waitForWorkers ? { launcherCreationPolicy: 'WaitForWorkersReady' } : {}),
      mpiReplicaSpecs: {
        // Even with Never, this kind replaces the pod of a launcher as often as backoffLimit allows, by default six times.
        Launcher: { ...Launcher, restartPolicy: rules.restartPolicy },
        Worker: { ...Worker, ...given({ restartPolicy }) },
      },
    },
  };
}

function rolesOfMpiJob({ workerCommand, ...options }: MPIJobOptions) {
  const { nodes, restartPolicy } = options;
  const worker = { ...options, command: workerCommand, args: undefined };
  return {
    Launcher: {
      replicas: 1,
      ...given({ restartPolicy: failureRules(options).restartPolicy }),
      template: buildPodTemplate({ ...options, gpusPerNode: 0 }, 'mpi-launcher'),
    },
    Worker: {
      replicas: nodes,
      ...given({ restartPolicy }),
      template: buildPodTemplate(worker, 'mpi-worker'),
    },
  };
}

const RULES = { ...JOB_RULES, nodes: integerFrom(1), processesPerNode: integerFrom(1), workerCommand: TEXTS };

const RULES_V2 = {
  ...RULES,
  restartPolicy: oneOfWords(['OnFailure', 'Never']),
  implementation: oneOfWords(['OpenMPI', 'Intel', 'MPICH']),
  sshAuthMountPath: TEXT,
  waitForWorkers: BOOLEAN,
};
