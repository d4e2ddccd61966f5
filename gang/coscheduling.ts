import { COSCHEDULING_POD_GROUPS, type KubeObject } from '../contracts/kubernetes.ts';
import type { TrainingJob } from '../contracts/training-job.ts';
import { annotationsOf } from './annotations.ts';
import { countsOf, groupPhase } from './conditions.ts';
import type { GangAdapter } from './gang.ts';
import { minResourcesOf } from './min-resources.ts';

/** As its own deployment names it. */
export const COSCHEDULING_SCHEDULER = 'scheduler-plugins-scheduler';

/** scheduler-plugins 0.32: scheduling.x-k8s.io/v1alpha1. */
export const coscheduling: GangAdapter = {
  provider: 'coscheduling',
  resource: COSCHEDULING_POD_GROUPS,
  ignores: {
    queue: 'Coscheduling has no queues',
    priorityClass: 'Coscheduling takes priorities from the pods',
  },
  schedulerOf,
  sizeFields: ['minMember', 'minResources'],
  renderGroup: (job, groupName) => ({
    apiVersion: COSCHEDULING_POD_GROUPS.apiVersion,
    kind: COSCHEDULING_POD_GROUPS.kind,
    metadata: { name: groupName, annotations: annotationsOf(job) },
    spec: {
      minMember: job.gang.minMember,
      minResources: unlessEmpty(minResourcesOf(job)),
      // Not 0 where the manifest says nothing: pods that may not wait for each other are never placed together.
      scheduleTimeoutSeconds: job.gang.scheduleTimeoutSeconds,
    },
  }),
  membership: (job, groupName) => ({
    labels: { 'scheduling.x-k8s.io/pod-group': groupName },
    ...placedBy(job),
  }),
  alone: (job) => placedBy(job),
  waitsForOthers: ({ message = '' }) => FOR_OTHERS.test(message),
  readGroup: (group) => ({
    scheduled: PLACED.has(groupPhase(group)) ? 'True' : 'Unknown',
    message: describe(group),
  }),
};

function schedulerOf({ gang }: TrainingJob): string {
  return gang.schedulerName ?? COSCHEDULING_SCHEDULER;
}

const placedBy = (job: TrainingJob) => ({ spec: { schedulerName: schedulerOf(job) } });

/** Of a pod that came too early for its group, or was let go with it. */
const FOR_OTHERS =
  /cannot find enough sibling pods|optimistic rejection in PostFilter|rejection in Unreserve|rejected due to timeout/;

const PLACED: ReadonlySet<string> = new Set(['Running', 'Finished']);

/** Why it cannot place a group, Coscheduling tells on the pods only. */
function describe(group: KubeObject): string {
  const phase = groupPhase(group);
  const counts = Object.entries(countsOf(group)).filter(([, count]) => count > 0);
  return [
    phase
      ? `phase ${phase}`
      : 'the controller of Coscheduling has not looked at the group yet (no phase so far)',
    ...counts.map(([state, count]) => `${count} ${state}`),
    ...othersIn(group),
    ...(phase === 'Failed' ? ['which stays so once a member has failed, and stops nothing'] : []),
  ].join(', ');
}

/** Whose pods it found in the group, where they are not its own job's. */
function othersIn({ metadata, status }: KubeObject): string[] {
  const { occupiedBy } = (status ?? {}) as { readonly occupiedBy?: string };
  const owners = metadata.ownerReferences?.map(({ name }) => `${metadata.namespace}/${name}`);
  return occupiedBy && !owners?.includes(occupiedBy) ? [`occupied by ${occupiedBy}`] : [];
}

const unlessEmpty = <T extends object>(fields: T) => (Object.keys(fields).length > 0 ? fields : undefined);
