import { z } from 'zod';
import { INT32, podTemplate, replicas } from '../../fields/manifest-schema.ts';
import type { Dialect, RoleFields } from '../../model/dialect.ts';
import { patchedSetMetadata } from './patches.ts';
import { TRAINER_MANAGER, type TrainOptions } from './spec/options.ts';
import { JOBS_PATH, type RuntimeSpec, runtimeSpec } from './spec/runtime.ts';

const restartPolicy = z.looseObject({
  spec: z.looseObject({
    restartPolicy: z
      .enum(['OnFailure', 'Never'], { error: 'OnFailure or Never, as of batch Jobs' })
      .optional(),
  }),
});

const role = z.looseObject({
  replicas: replicas.min(1).optional().describe('Number of pods.'),
  template: podTemplate.and(restartPolicy),
});

const spec = z.looseObject({
  suspend: z.boolean().optional().describe('The job has no pods until it is resumed.'),
  activeDeadlineSeconds: z
    .int()
    .min(1)
    .max(INT32)
    .optional()
    .describe('Seconds after the start, or the last resume, after which the job fails.'),
});

export const QUEUE = 'scheduling.volcano.sh/queue-name';

/** The queue of Volcano that the runtime or a patch names. */
export const queueOf = (given: TrainOptions): string | undefined =>
  patchedSetMetadata(given).annotations?.[QUEUE];

const GROUPS = 'spec.runtime.podGroupPolicy';

/** Manifests of trainer.kubeflow.org: what the runtime says of the whole job, and the little that the job does. */
export const TRAIN_JOB_DIALECT: Dialect = {
  spec,
  role: role as unknown as z.ZodType<RoleFields>,
  fields: { '': Object.keys(spec.shape), '*': [...Object.keys(role.shape), 'name'] },
  withoutEffect: {
    labels: 'without effect, as no pod has them; write labels of pods into spec.runtimePatches',
    annotations: 'without effect, as no pod has them; write annotations of pods into spec.runtimePatches',
  },
  schedulingPolicyPath: GROUPS,
  schedulingPaths: {
    queue: `spec.runtime.template.metadata.annotations[${QUEUE}]`,
    priorityClass: `${JOBS_PATH}[].template.spec.template.spec.priorityClassName`,
    scheduleTimeoutSeconds: `${GROUPS}.coscheduling.scheduleTimeoutSeconds`,
    networkTopology: `${GROUPS}.volcano.networkTopology`,
  },
  suspend: 'suspend',
  managedBy: { field: 'managedBy', operator: TRAINER_MANAGER },
  volcano: { queue: 'default' },
  check: () => [],
  policies: (given) => {
    const { suspend, activeDeadlineSeconds } = given as z.infer<typeof spec>;
    const runtime = runtimeOf(given);
    const ttlSecondsAfterFinished = runtime?.template.spec.ttlSecondsAfterFinished;
    return {
      // Jobs that are still active when the job has ended are deleted; pods that have ended stay.
      runPolicy: { cleanPodPolicy: 'Running', suspend, activeDeadlineSeconds, ttlSecondsAfterFinished },
      gang: runtime ? gangOf(runtime, given as unknown as TrainOptions) : {},
    };
  },
};

/** Undefined for one with faults, which are told elsewhere. */
const runtimeOf = ({ runtime }: Readonly<Record<string, unknown>>): RuntimeSpec | undefined =>
  runtimeSpec.safeParse(runtime).data;

function gangOf({ podGroupPolicy }: RuntimeSpec, given: TrainOptions) {
  if (podGroupPolicy?.coscheduling) {
    const { scheduleTimeoutSeconds = 60 } = podGroupPolicy.coscheduling;
    return { prefers: 'coscheduling', scheduleTimeoutSeconds } as const;
  }
  if (!podGroupPolicy?.volcano) return {};
  const { networkTopology } = podGroupPolicy.volcano;
  return {
    prefers: 'volcano',
    queue: queueOf(given),
    priorityClass: lastPriorityClass(given),
    ...(networkTopology ? { networkTopology } : {}),
  } as const;
}

/** The group has one, the pods perhaps several. */
const lastPriorityClass = ({ runtime }: TrainOptions): string | undefined =>
  runtime.template.spec.replicatedJobs
    .map(({ template }) => template.spec.template.spec.priorityClassName)
    .filter((name) => typeof name === 'string')
    .at(-1);
