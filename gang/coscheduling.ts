import { COSCHEDULING_POD_GROUPS, type KubeObject } from '../contracts/kubernetes.ts';
import type { TrainingJob } from '../contracts/training-job.ts';
import { annotationsOf } from './annotations.ts';
import { countsOf, phaseOf } from './conditions.ts';
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
  readGroup: (group) => ({
    scheduled: PLACED.has(phaseOf(group)) ? 'True' : 'Unknown',
    message: describe(group),
  }),
};

function schedulerOf({ gang }: TrainingJob): string {
  return gang.schedulerName ?? COSCHEDULING_SCHEDULER;
}

const placedBy = (job: TrainingJob) => ({ spec: { schedulerName: schedulerOf(job) } });

const PLACED: ReadonlySet<string> = new Set(['Running', 'Finished']);

/** Why it cannot place a group, Coscheduling tells on the pods only. */
function describe(group: KubeObject): string {
  const { occupiedBy } = (group.status ?? {}) as { readonly occupiedBy?: string };
  const phase = phaseOf(group);
  const counts = Object.entries(countsOf(group)).filter(([, count]) => count > 0);
  return [
    phase ? `phase ${phase}` : 'no phase so far',
    ...counts.map(([state, count]) => `${count} ${state}`),
    ...(occupiedBy ? [`occupied by ${occupiedBy}`] : []),
    ...(phase === 'Failed' ? ['which stays so once a member has failed, and stops nothing'] : []),
  ].join(', ');
}

const unlessEmpty = <T extends object>(fields: T) => (Object.keys(fields).length > 0 ? fields : undefined);
