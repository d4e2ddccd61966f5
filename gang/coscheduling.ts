import { COSCHEDULING_POD_GROUPS, type KubeObject } from '../contracts/kubernetes.ts';
import type { TrainingJob } from '../contracts/training-job.ts';
import { unlessEmpty } from '../language/fields.ts';
import { annotationsOf } from './annotations.ts';
import { countsOf, groupPhase } from './conditions.ts';
import { type GangAdapter, NO_TIERS } from './gang.ts';
import { minResourcesOf } from './min-resources.ts';

/** The scheduler's name in the deployment of scheduler-plugins. */
export const COSCHEDULING_SCHEDULER = 'scheduler-plugins-scheduler';

/** scheduler-plugins 0.32: scheduling.x-k8s.io/v1alpha1. */
export const coscheduling: GangAdapter = {
  provider: 'coscheduling',
  resource: COSCHEDULING_POD_GROUPS,
  ignores: {
    queue: 'Coscheduling has no queues',
    priorityClass: 'Coscheduling takes priorities from the pods',
    networkTopology: NO_TIERS,
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
      // Stay absent, not 0, if the manifest has none: with 0, pods do not wait for each other and are never placed
      // together.
      scheduleTimeoutSeconds: job.gang.scheduleTimeoutSeconds,
    },
  }),
  membership: (job, groupName) => ({
    labels: { 'scheduling.x-k8s.io/pod-group': groupName },
    ...placedBy(job),
  }),
  outsideGroup: (job) => placedBy(job),
  waitsForOthers: ({ message = '' }) => FOR_OTHERS.test(message),
  readGroup: (group) => ({
    scheduled: PLACED.has(groupPhase(group)) ? 'True' : 'Unknown',
    message: describeGroup(group),
  }),
};

function schedulerOf({ gang }: TrainingJob): string {
  return gang.schedulerName ?? COSCHEDULING_SCHEDULER;
}

const placedBy = (job: TrainingJob) => ({ spec: { schedulerName: schedulerOf(job) } });

/** Messages on pods that arrived before the rest of their group, or were rejected with it. */
const FOR_OTHERS =
  /cannot find enough sibling pods|optimistic rejection in PostFilter|rejection in Unreserve|rejected due to timeout/;

const PLACED: ReadonlySet<string> = new Set(['Running', 'Finished']);

/** Describes phase and counts. Coscheduling reports only on the pods why it cannot place a group. */
function describeGroup(group: KubeObject): string {
  const phase = groupPhase(group);
  const counts = Object.entries(countsOf(group)).filter(([, count]) => count > 0);
  return [
    phase ? `phase ${phase}` : 'Coscheduling’s controller has not processed the group yet (no phase)',
    ...counts.map(([state, count]) => `${count} ${state}`),
    ...othersIn(group),
    ...(phase === 'Failed' ? ['a member has failed: the phase is permanent and blocks nothing'] : []),
  ].join(', ');
}

/** Names the owner of the group's pods if it is another one than the group's job. */
function othersIn({ metadata, status }: KubeObject): string[] {
  const { occupiedBy } = (status ?? {}) as { readonly occupiedBy?: string };
  const owners = metadata.ownerReferences?.map(({ name }) => `${metadata.namespace}/${name}`);
  return occupiedBy && !owners?.includes(occupiedBy) ? [`occupied by ${occupiedBy}`] : [];
}
