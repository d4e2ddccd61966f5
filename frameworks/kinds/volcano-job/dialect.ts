import { z } from 'zod';
import type { Role } from '../../../contracts/training-job.ts';
import { count, INT32, podTemplate, replicas } from '../../fields/manifest-schema.ts';
import type { Dialect, RoleFields } from '../../model/dialect.ts';
import { waitsForTasks } from './depends-on.ts';
import { leastOf, optionsOfTask, PARTITION_LABEL } from './task.ts';

/** A task has the restart policy of its pods. */
const restartPolicy = z.looseObject({
  spec: z.looseObject({ restartPolicy: z.enum(['Always', 'OnFailure', 'Never']).optional() }),
});

const task = z.looseObject({
  replicas: replicas.min(0).optional().describe('Number of pods of the task.'),
  template: podTemplate.and(restartPolicy),
});

const spec = z.looseObject({
  minAvailable: z
    .int()
    .min(0)
    .max(INT32)
    .optional()
    .describe('Pods that must be placed together; default: those that the tasks need.'),
  queue: z.string().optional().describe('Queue of Volcano; default: default.'),
  priorityClassName: z
    .string()
    .optional()
    .describe('Priority class of the group, and of pods that name none.'),
  schedulerName: z
    .string()
    .optional()
    .describe('volcano (default): Volcano where the cluster has it; another one places the pods.'),
  ttlSecondsAfterFinished: count
    .optional()
    .describe('Seconds after the end until everything left in the cluster is deleted; default: never.'),
});
type Spec = z.infer<typeof spec>;

export const VOLCANO = 'volcano';

function partitionsOfGroup(roles: readonly Role[]) {
  const parted = roles.flatMap(({ name, options }) => {
    const { partitionPolicy } = optionsOfTask({ options });
    return partitionPolicy ? [{ name, ...partitionPolicy }] : [];
  });
  if (parted.length === 0) return {};
  return {
    subGroupPolicy: parted.map(({ name, partitionSize, minPartitions = 0 }) => ({
      ...{ name, subGroupSize: partitionSize, minSubGroups: minPartitions },
      labelSelector: { matchLabels: { 'volcano.sh/task-spec': name } },
      matchLabelKeys: [PARTITION_LABEL],
    })),
  };
}

/** Manifests of batch.volcano.sh: a list of tasks, and policies of the job as fields of spec itself. */
export const VOLCANO_DIALECT: Dialect = {
  spec,
  role: task as unknown as z.ZodType<RoleFields>,
  fields: { '': Object.keys(spec.shape), '*': Object.keys(task.shape) },
  withoutEffect: { runningEstimate: 'without effect, as under Volcano' },
  schedulingPolicyPath: 'spec',
  schedulingPaths: { priorityClass: 'spec.priorityClassName' },
  volcano: {
    queue: 'default',
    // The group does not wait for pods that wait for it.
    groupFields: ({ roles }) => ({
      minTaskMember: Object.fromEntries(
        roles.filter((role) => !waitsForTasks(role)).map((role) => [role.name, leastOf(role)]),
      ),
      ...partitionsOfGroup(roles),
    }),
  },
  check: () => [],
  policies: (given) => {
    const {
      minAvailable,
      queue,
      priorityClassName,
      schedulerName = VOLCANO,
      ttlSecondsAfterFinished,
      networkTopology: topology,
    } = given as Spec & { readonly networkTopology?: object };
    return {
      runPolicy: { cleanPodPolicy: 'Running', ttlSecondsAfterFinished },
      gang: {
        minMember: minAvailable || undefined,
        queue,
        priorityClass: priorityClassName,
        ...(topology ? { networkTopology: { mode: 'hard', ...topology } } : {}),
        ...(schedulerName === VOLCANO ? { prefers: VOLCANO } : {}),
      },
    };
  },
};
