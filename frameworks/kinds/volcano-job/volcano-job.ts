import { z } from 'zod';
import type { EnvVar, PodSpec } from '../../../contracts/kubernetes.ts';
import { totalReplicas } from '../../../contracts/roles.ts';
import type { PlannedRole, Reaction, Role } from '../../../contracts/training-job.ts';
import type { Fault } from '../../../contracts/types.ts';
import { celList, celOfEachRole, celSentence } from '../../model/cel.ts';
import {
  ANY_ROLE,
  type Draft,
  type Framework,
  type FrameworkPlan,
  type JobWith,
  type KindWarning,
  type Replica,
  rolePath,
} from '../../model/framework.ts';
import { messagesOf } from '../messages.ts';
import { afterTasks, checkDependencies } from './depends-on.ts';
import { VOLCANO, VOLCANO_DIALECT } from './dialect.ts';
import { checkTopology, networkTopology } from './network-topology.ts';
import { eachContainer } from './plugins/plugin.ts';
import { checkPlugins, PLUGIN_NAMES, pluginsOf } from './plugins/registry.ts';
import { volcanoMarks } from './pod-metadata.ts';
import { checkPolicies, isForWear, policies, reactionsOf, WEAR, WITHOUT_POLICY } from './policies.ts';
import { RETRY_RULE, VOLCANO_RESOURCE } from './resource.ts';
import { atMost, checkSizes, leastOf, optionsOfTask, taskOptions } from './task.ts';
import { checkVolumes, claimedVolumes, claimsToMake, withVolumes } from './volumes.ts';

const options = z.object({
  maxRetry: z.int().min(0).optional().describe('Restarts of the job, and one more; default: 3.'),
  minSuccess: z.int().min(1).optional().describe('So many succeeded pods complete the job at once.'),
  policies: policies.optional().describe('What follows from events of any task.'),
  plugins: z
    .record(z.string(), z.array(z.string()))
    .optional()
    .describe(`Plugins and their arguments: ${PLUGIN_NAMES.join(', ')}.`),
  volumes: claimedVolumes.optional().describe('Claims that all containers mount.'),
  networkTopology: networkTopology.optional().describe('How near to each other Volcano places the pods.'),
});
type Options = z.infer<typeof options>;

const DEFAULT_RETRIES = 3;

/** Volcano Job, batch.volcano.sh/v1alpha1, as Volcano v1.15 runs it; on every gang scheduler. */
export const volcanoKind = {
  apiVersion: 'batch.volcano.sh/v1alpha1',
  kind: 'Job',
  schema: { name: 'volcanojob', title: 'VolcanoJob' },
  resource: VOLCANO_RESOURCE,
  dialect: VOLCANO_DIALECT,
  operatorName: 'volcano',
  replicaSpecs: 'tasks[]',
  roles: [{ name: ANY_ROLE, minReplicas: 0, defaultReplicas: 0, defaultRestartPolicy: 'Always' }],
  roleOptions: taskOptions,
  options,
  check,
  complete: ({ roles }) => ({ roles: roles.map(completed) }),
  warnings: [retriesOfTasks()],
  minMember: ({ roles }) => roles.reduce((sum, task) => sum + leastOf(task), 0),
  masterRole: (roles) => leadingTask(roles).name,
  plan,
  environment: variablesOf,
  podMetadata: volcanoMarks,
  shapePod,
  servicePorts: () => undefined,
  sharedObjects: (job) => [
    ...claimsToMake(job.name, job.options.volumes),
    ...pluginsOf(job).flatMap(({ plugin, args }) => plugin.objects?.(job, args) ?? []),
  ],
} as const satisfies Framework<Options>;

function check(draft: Draft<Options>): Fault[] {
  const { roles, options } = draft;
  const ofTasks = roles.flatMap((task, index) => {
    const path = rolePath(volcanoKind, index);
    const { policies, partitionPolicy } = optionsOfTask(task);
    const isParted = partitionPolicy !== undefined;
    return [...checkPolicies(policies, `${path}.policies`, isParted), ...checkSizes(task, path)];
  });
  const { minSuccess = 0 } = options;
  const all = totalReplicas(roles);
  return [
    ...ofTasks,
    ...checkPolicies(options.policies, 'spec.policies', roles.some(hasPartitions)),
    ...checkDependencies(roles),
    ...checkPlugins(options.plugins ?? {}, draft),
    ...checkVolumes(options.volumes),
    ...checkTopology(options.networkTopology),
    ...atMost(all, minSuccess, { path: 'spec.minSuccess', what: 'the replicas of all tasks' }),
    ...atMost(all, draft.minMember ?? 0, { path: 'spec.minAvailable', what: 'the replicas of all tasks' }),
  ];
}

const hasPartitions = (task: Role) => optionsOfTask(task).partitionPolicy !== undefined;

/** Volcano itself is only preferred: the gang scheduler that is chosen places the pods. */
function completed(role: Role): Role {
  const { schedulerName, ...spec } = role.template.spec;
  const named = schedulerName === undefined || schedulerName === VOLCANO ? {} : { schedulerName };
  return {
    ...role,
    restartPolicy: spec.restartPolicy ?? 'Always',
    template: { ...role.template, spec: { ...spec, ...named } },
  };
}

/** Who completes the job is its main task; else the first. */
const leadingTask = (roles: readonly Role[]): Role =>
  roles.find((task) =>
    optionsOfTask(task).policies?.some(
      ({ action, event }) => action === 'CompleteJob' && event === 'TaskCompleted',
    ),
  ) ?? roles[0]!;

function retriesOfTasks(): KindWarning<Options> {
  const sentence = (task: string) =>
    `${rolePath(volcanoKind, task)}.maxRetry: without effect, as no policy is for TaskFailed`;
  const isRead = (policies: string) =>
    `${policies}.orValue([]).exists(p, p.?event.orValue("") in ${celList(WEAR)} || p.?events.orValue([]).exists(e, e in ${celList(WEAR)}))`;
  return {
    in: ({ roles, options: { policies: ofJob = [] } }) =>
      roles.flatMap((task) => {
        const { maxRetry, policies: own = [] } = optionsOfTask(task);
        return maxRetry === undefined || isForWear([...own, ...ofJob]) ? [] : [sentence(task.name)];
      }),
    cel: () =>
      celOfEachRole(
        (name) =>
          `k.?maxRetry.hasValue() && !${isRead('k.?policies')} && !${isRead('object.spec.?policies')} ? [${celSentence(sentence(name))}] : []`,
      ),
  };
}

function plan({ name, roles, options, minMember }: Draft<Options>): FrameworkPlan {
  const needed = roles.reduce((sum, task) => sum + leastOf(task), 0);
  const { minSuccess, maxRetry } = options;
  const least = minMember ?? needed;
  const retries = maxRetry || DEFAULT_RETRIES;
  return {
    successRoles: roles.map((task) => task.name),
    replicaCounts: ['pending', 'starting', 'running', 'succeeded', 'failed'],
    success: {
      ...(minSuccess === undefined ? {} : { pods: minSuccess }),
      atEnd: minSuccess ?? least,
      ofEachRole: least >= needed,
      rule: minSuccess === undefined ? `spec.minAvailable: ${least}` : `spec.minSuccess: ${minSuccess}`,
    },
    restartLimit: { most: retries - 1, rule: `${RETRY_RULE}: ${retries}` },
    messages: messagesOf('Job', name),
    roles: Object.fromEntries(
      roles.map((task) => [
        task.name,
        {
          ...(leastOf(task) < task.replicas ? { enough: leastOf(task) } : {}),
          ...afterTasks(task),
          ...partitionsOf(task),
          ...restartsOf(task, options),
        },
      ]),
    ),
  };
}

function partitionsOf(task: Role) {
  const { partitionPolicy } = optionsOfTask(task);
  return partitionPolicy ? { partitionSize: partitionPolicy.partitionSize } : {};
}

/** Restarts in place have a limit only where a policy says what follows. */
function restartsOf(task: Role, options: Options): Pick<PlannedRole, 'reactions' | 'inPlace'> {
  const reactions = reactionsTo(task, options);
  const most = inPlaceOf(task);
  const isLimited = most !== undefined && reactions.some(({ on }) => on === 'worn');
  const rule = `${rolePath(volcanoKind, task.name)}.maxRetry: ${most}`;
  // As many as there are is already one too many.
  return isLimited ? { reactions, inPlace: { most: most - 1, rule } } : { reactions };
}

/** 0 is the default, as for Volcano; undefined: no limit. */
function inPlaceOf(task: Role): number | undefined {
  const { maxRetry } = optionsOfTask(task);
  return maxRetry === -1 ? undefined : maxRetry || DEFAULT_RETRIES;
}

/** Those of the task come first. */
const reactionsTo = (task: Role, { policies: ofJob }: Options): readonly Reaction[] => [
  ...reactionsOf(optionsOfTask(task).policies, `${rolePath(volcanoKind, task.name)}.policies`),
  ...reactionsOf(ofJob, 'spec.policies'),
  ...WITHOUT_POLICY,
];

function variablesOf(job: JobWith<Options>, replica: Replica): readonly EnvVar[] {
  return pluginsOf(job).flatMap(({ plugin, args }) => plugin.environment?.(job, replica, args) ?? []);
}

function shapePod(given: PodSpec, job: JobWith<Options>, replica: Replica): PodSpec {
  const plugins = pluginsOf(job);
  const ofInit = plugins
    .filter(({ plugin }) => plugin.isForInit)
    .flatMap(({ plugin, args }) => plugin.environment?.(job, replica, args) ?? []);
  const spec = withVolumes(withInitVariables(given, ofInit), job.name, job.options.volumes);
  const shaped = plugins.reduce(
    (pod, { plugin, args }) => plugin.shape?.(pod, { job, replica }, args) ?? pod,
    spec,
  );
  const dns = shaped.hostNetwork && !shaped.dnsPolicy ? { dnsPolicy: 'ClusterFirstWithHostNet' } : {};
  const { priorityClass } = job.gang;
  return {
    ...shaped,
    ...dns,
    ...(priorityClass && !shaped.priorityClassName ? { priorityClassName: priorityClass } : {}),
  };
}

/** Variables of the manifest take precedence, as in other containers. */
function withInitVariables(spec: PodSpec, added: readonly EnvVar[]): PodSpec {
  if (added.length === 0 || !spec.initContainers) return spec;
  const { initContainers } = eachContainer({ ...spec, containers: [] }, (container) => {
    const env = container.env ?? [];
    return {
      ...container,
      env: [...env, ...added.filter(({ name }) => !env.some((one) => one.name === name))],
    };
  });
  return { ...spec, initContainers };
}
