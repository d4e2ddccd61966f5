import { z } from 'zod';
import { count, INT32, LABEL_NAME, ofKubernetes, templateMetadata } from '../../../fields/manifest-schema.ts';
import { unsupported } from '../../../fields/unsupported.ts';
import { jobSpec } from './job-spec.ts';

const dnsLabel = z.string().regex(LABEL_NAME.pattern, { error: LABEL_NAME.expected }).max(63);
const nodes = z.int().min(1).max(INT32);

export const TRAINER = 'trainer';
/** Which step of a TrainJob a replicated job is: a label of its Job template. */
export const ANCESTOR_LABEL = 'trainer.kubeflow.org/trainjob-ancestor-step';
export const ANCESTORS = [TRAINER, 'dataset-initializer', 'model-initializer'] as const;
export type Ancestor = (typeof ANCESTORS)[number];

const dependency = z.looseObject({ name: z.string().min(1), status: z.enum(['Ready', 'Complete']) });

const replicatedJob = z.looseObject({
  name: dnsLabel,
  replicas: z.int().min(1).optional(),
  groupName: z.string().optional(),
  dependsOn: z.array(dependency).optional(),
  template: z.looseObject({
    metadata: templateMetadata.optional(),
    spec: jobSpec,
  }),
});
export type ReplicatedJob = z.infer<typeof replicatedJob>;

const failureRule = z.looseObject({
  name: z.string().optional(),
  action: z.enum(['FailJobSet', 'RestartJobSet', 'RestartJobSetAndIgnoreMaxRestarts'], {
    error:
      'one of FailJobSet, RestartJobSet, RestartJobSetAndIgnoreMaxRestarts (for single Jobs: restart.ladder of signalbox.dev/policy)',
  }),
  onJobFailureReasons: z
    .array(
      z.enum([
        'BackoffLimitExceeded',
        'DeadlineExceeded',
        'FailedIndexes',
        'MaxFailedIndexesExceeded',
        'PodFailurePolicy',
      ]),
    )
    .optional(),
  onJobFailureMessagePatterns: unsupported('there are no messages of batch Jobs; use onJobFailureReasons'),
  targetReplicatedJobs: z.array(z.string()).optional(),
});
export type SetFailureRule = z.infer<typeof failureRule>;

const failurePolicy = z.looseObject({
  maxRestarts: count.optional(),
  restartStrategy: z
    .enum(['Recreate', 'BlockingRecreate'], {
      error: 'Recreate or BlockingRecreate (a restart in place is restart.ladder of signalbox.dev/policy)',
    })
    .optional(),
  rules: z.array(failureRule).optional(),
});

const claimTemplate = z.looseObject({
  metadata: ofKubernetes(
    z.looseObject({ name: dnsLabel, labels: z.record(z.string(), z.string()).optional() }),
  ),
  spec: ofKubernetes(z.looseObject({ accessModes: z.array(z.string()).min(1) })),
});

const claimPolicy = z.looseObject({
  templates: z.array(claimTemplate).min(1),
  retentionPolicy: z
    .looseObject({
      whenDeleted: z
        .literal('Delete', { error: 'Delete (make a claim that stays yourself, and mount it)' })
        .optional(),
    })
    .optional(),
});

const jobSet = z.looseObject({
  replicatedJobs: z.array(replicatedJob).min(1),
  network: z
    .looseObject({
      enableDNSHostnames: z.literal(true, { error: 'true: programs find each other by name' }).optional(),
      subdomain: dnsLabel.optional(),
      publishNotReadyAddresses: z.boolean().optional(),
    })
    .optional(),
  successPolicy: z
    .looseObject({
      operator: z.enum(['All', 'Any']),
      targetReplicatedJobs: z.array(z.string()).optional(),
    })
    .optional(),
  failurePolicy: failurePolicy.optional(),
  startupPolicy: z.looseObject({ startupPolicyOrder: z.enum(['AnyOrder', 'InOrder']) }).optional(),
  coordinator: z
    .looseObject({
      replicatedJob: z.string(),
      jobIndex: z.int().min(0).optional(),
      podIndex: z.int().min(0).optional(),
    })
    .optional(),
  ttlSecondsAfterFinished: count.optional(),
  volumeClaimPolicies: z.array(claimPolicy).optional(),
  suspend: unsupported('set spec.suspend of the TrainJob'),
  managedBy: unsupported('signalbox makes the pods itself'),
});

const target = z.looseObject({ jobName: z.string().min(1), containerNames: z.array(z.string()).min(1) });

const mlPolicy = z.looseObject({
  numNodes: nodes.optional(),
  torch: z
    .looseObject({
      envInjection: z.looseObject({ targets: z.array(target).optional() }).optional(),
      numProcPerNode: z.union([z.int().min(1), z.enum(['auto', 'cpu', 'gpu'])]).optional(),
      elasticPolicy: unsupported('elastic jobs are PyTorchJobs with spec.elasticPolicy'),
    })
    .optional(),
  mpi: z
    .looseObject({
      numProcPerNode: z.int().min(1).default(1),
      mpiImplementation: z.literal('OpenMPI', { error: 'OpenMPI, as Trainer has no other' }).optional(),
      sshAuthMountPath: z.string().min(1).default('/root/.ssh'),
      runLauncherAsNode: z.boolean().default(false),
    })
    .optional(),
  jax: z.looseObject({}).optional(),
  xgboost: z.looseObject({}).optional(),
  flux: unsupported(
    'signalbox has no Flux yet; run the program under mpirun, with a runtime of mlPolicy.mpi',
  ),
});

const podGroupPolicy = z.looseObject({
  coscheduling: z.looseObject({ scheduleTimeoutSeconds: count.optional() }).optional(),
  volcano: z
    .looseObject({
      networkTopology: z
        .looseObject({ mode: z.string().optional(), highestTierAllowed: z.int().optional() })
        .optional(),
    })
    .optional(),
});

/** Spec of a TrainingRuntime and of a ClusterTrainingRuntime: the same. */
export const runtimeSpec = z.looseObject({
  mlPolicy: mlPolicy.optional(),
  podGroupPolicy: podGroupPolicy.optional(),
  template: z.looseObject({ metadata: templateMetadata.optional(), spec: jobSet }),
});
export type RuntimeSpec = z.infer<typeof runtimeSpec>;

/** Returns which step a replicated job is; undefined for those that only the runtime knows. */
export const ancestorOf = ({ template }: Pick<ReplicatedJob, 'template'>): string | undefined =>
  template.metadata?.labels?.[ANCESTOR_LABEL];

/** The container of a replicated job that the TrainJob writes into. */
export const containerOfAncestor = (ancestor: string): string => (ancestor === TRAINER ? 'node' : ancestor);

/** Where a TrainJob has the replicated jobs of its runtime. */
export const JOBS_PATH = 'spec.runtime.template.spec.replicatedJobs';
