import type { GangDigest } from '../contracts/digest.ts';
import { type KubeObject, VOLCANO_POD_GROUPS } from '../contracts/kubernetes.ts';
import { roleKey } from '../contracts/roles.ts';
import type { TrainingJob } from '../contracts/training-job.ts';
import { frameworkOf } from '../frameworks/kinds/registry.ts';
import { annotationsOf } from './annotations.ts';
import { conditionMessage, findUnschedulable, groupPhase } from './conditions.ts';
import type { GangAdapter } from './gang.ts';
import { minResourcesOf } from './min-resources.ts';

const SCHEDULER = 'volcano';

/** Volcano 1.10: scheduling.volcano.sh/v1beta1. Its groups have no status subresource: never replace one. */
export const volcano: GangAdapter = {
  provider: 'volcano',
  resource: VOLCANO_POD_GROUPS,
  holdsPods: true,
  countsFinished: true,
  ignores: { scheduleTimeoutSeconds: 'Volcano waits without a time limit' },
  schedulerOf: () => SCHEDULER,
  sizeFields: ['minMember', 'minResources', 'minTaskMember'],
  renderGroup: (job, groupName) => ({
    apiVersion: VOLCANO_POD_GROUPS.apiVersion,
    kind: VOLCANO_POD_GROUPS.kind,
    metadata: { name: groupName, annotations: annotationsOf(job) },
    spec: specOfGroup(job),
  }),
  membership: (job, groupName, role) => ({
    annotations: {
      'scheduling.k8s.io/group-name': groupName,
      ...customsOf(job)?.podAnnotations?.(job, roleKey(role)),
    },
    spec: { schedulerName: SCHEDULER },
  }),
  waitsForOthers: ({ reason }) => reason === 'Schedulable',
  readGroup: (group) => {
    const phase = groupPhase(group);
    return { admitted: phase !== '' && phase !== 'Pending', ...readPlacement(phase, group) };
  },
};

/** What the job's original operator writes differently. */
const customsOf = (job: TrainingJob) => frameworkOf(job).dialect.volcano;

/** Without minResources Volcano admits any group, whatever is free. */
const specOfGroup = (job: TrainingJob) => ({
  minMember: job.gang.minMember,
  minResources: minResourcesOf(job),
  queue: job.gang.queue || customsOf(job)?.queue,
  priorityClassName: job.gang.priorityClass || undefined,
  networkTopology: job.gang.networkTopology,
  ...customsOf(job)?.groupFields?.(job),
});

/** The phase is current: Volcano writes it in each cycle. Conditions may be old. */
function readPlacement(phase: string, group: KubeObject): Omit<GangDigest, 'admitted'> {
  const state = PHASES[phase] ?? `phase ${phase}`;
  if (phase === 'Running' || phase === 'Completed') return { scheduled: 'True', message: state };
  const unschedulable = findUnschedulable(group);
  const why = findHint(phase, group) ?? (unschedulable && conditionMessage(unschedulable));
  return {
    scheduled: unschedulable || phase === 'Unknown' ? 'False' : 'Unknown',
    reason: unschedulable?.reason,
    message: why ? `${state}: ${why}` : state,
  };
}

/** Conditions of a group that is not admitted count pods that cannot exist yet; only events name what is missing. */
function findHint(phase: string, { spec = {} }: KubeObject): string | undefined {
  const { queue, minResources = {} } = spec as Partial<ReturnType<typeof specOfGroup>>;
  const name = queue || 'default';
  if (phase === '') return `Volcano ignores groups of a queue that does not exist (${name})`;
  if (phase !== 'Pending') return undefined;
  const wanted = Object.entries(minResources).map(([resource, amount]) => `${amount} ${resource}`);
  return `queue ${name}, or the cluster, has no room for its minResources: ${wanted.join(', ') || 'none'}`;
}

const PHASES: Readonly<Record<string, string>> = {
  '': 'Volcano has not admitted the group yet (no phase)',
  Pending: 'Volcano has not admitted the group yet (phase Pending)',
  Inqueue: 'Volcano has admitted the group but not placed it yet (phase Inqueue)',
  Running: 'Volcano has placed the group (phase Running)',
  Unknown: 'some members of the group run, but Volcano cannot place the others (phase Unknown)',
  Completed: 'all placed members of the group have succeeded (phase Completed)',
};
