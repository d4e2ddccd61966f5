import { z } from 'zod';
import type { Role } from '../../../contracts/training-job.ts';
import type { Fault } from '../../../contracts/types.ts';
import { INT32, LABEL_NAME } from '../../fields/manifest-schema.ts';
import { unsupported } from '../../fields/unsupported.ts';
import { policies } from './policies.ts';

const dependsOn = z
  .looseObject({
    name: z.array(z.string().min(1)).min(1).describe('Names of the tasks that it waits for.'),
    iteration: z
      .enum(['any', 'all'])
      .default('all')
      .describe('Whether one of those tasks is enough, or all of them must be ready.'),
  })
  .meta({ id: 'VolcanoDependsOn', description: 'Tasks that must be ready before the pods are created.' });

const partitionPolicy = z
  .looseObject({
    totalPartitions: z.int().min(1).describe('Partitions of the task.'),
    partitionSize: z.int().min(1).describe('Pods of each partition.'),
    minPartitions: z
      .int()
      .min(0)
      .optional()
      .describe('Partitions that are enough to run; default: as many as minAvailable says.'),
    networkTopology: unsupported('keep the pods together by an affinity of their template'),
  })
  .meta({ id: 'VolcanoPartitionPolicy', description: 'How the pods of a task are divided.' });

/** What a task has besides replicas and template. */
export const taskOptions = z.object({
  name: z
    .string()
    .regex(LABEL_NAME.pattern, { error: LABEL_NAME.expected })
    .max(63)
    .optional()
    .describe('Name of the task: a DNS label; default: `default` and its number.'),
  minAvailable: z
    .int()
    .min(0)
    .max(INT32)
    .optional()
    .describe('Pods of the task that are enough to run; default: replicas.'),
  maxRetry: z
    .int()
    .min(-1)
    .optional()
    .describe(
      'Restarts of containers in place, of all pods together, at which TaskFailed happens; -1: never; default: 3.',
    ),
  dependsOn: dependsOn.optional().describe('Tasks that must be ready before the pods are created.'),
  policies: policies.optional().describe('What follows from events of the task; before those of the job.'),
  topologyPolicy: z
    .literal(['', 'none'], {
      error: 'none (for NUMA nodes set the annotation volcano.sh/numa-topology-policy of the template)',
    })
    .optional()
    .describe('Only none; an annotation of the template asks Volcano for NUMA nodes.'),
  partitionPolicy: partitionPolicy
    .optional()
    .describe('Pods that belong together; they restart together by RestartPartition.'),
});
type TaskOptions = z.infer<typeof taskOptions>;

/** Of a pod: in which partition of its task it is. */
export const PARTITION_LABEL = 'volcano.sh/partition-id';

export const optionsOfTask = ({ options = {} }: Pick<Role, 'options'>): TaskOptions =>
  taskOptions.parse(options);

/** Returns how many pods of a task are enough. */
export const leastOf = (task: Role): number =>
  leastOfSizes({ ...optionsOfTask(task), replicas: task.replicas });

/** The same of a task that is not parsed. */
export function leastOfSizes({
  minAvailable,
  replicas,
  partitionPolicy: { minPartitions = 0, partitionSize = 0 } = {},
}: TaskSizes): number {
  return minAvailable ?? (minPartitions * partitionSize || replicas);
}

interface TaskSizes {
  readonly minAvailable?: number | undefined;
  readonly replicas: number;
  readonly partitionPolicy?:
    | { readonly minPartitions?: number | undefined; readonly partitionSize?: number }
    | undefined;
}

/** Returns what contradicts itself in the sizes of a task. */
export function checkSizes(task: Role, path: string): Fault[] {
  const { minAvailable = 0, partitionPolicy } = optionsOfTask(task);
  const faults = atMost(task.replicas, minAvailable, {
    ...{ path: `${path}.minAvailable`, what: 'the replicas of the task' },
  });
  if (!partitionPolicy) return faults;
  const { totalPartitions, partitionSize, minPartitions = 0 } = partitionPolicy;
  const all = totalPartitions * partitionSize;
  const least = minPartitions * partitionSize;
  const ofReplicas = `${all}, the partitions (${totalPartitions}) times their size (${partitionSize})`;
  const ofLeast = `${least}, minPartitions times partitionSize`;
  return [
    ...faults,
    ...equal({ path: `${path}.replicas`, expected: ofReplicas }, all, task.replicas),
    ...(minAvailable > 0 && least > 0
      ? equal({ path: `${path}.minAvailable`, expected: ofLeast }, least, minAvailable)
      : []),
    ...atMost(totalPartitions, minPartitions, {
      ...{ path: `${path}.partitionPolicy.minPartitions`, what: 'totalPartitions' },
    }),
  ];
}

const equal = (of: Pick<Fault, 'path' | 'expected'>, wanted: number, got: number): Fault[] =>
  got === wanted ? [] : [{ ...of, got: `${got}` }];

export const atMost = (
  most: number,
  got: number,
  { path, what }: { readonly path: string; readonly what: string },
): Fault[] => (got > most ? [{ path, expected: `at most ${most}, ${what}`, got: `${got}` }] : []);
