import { POD_GROUPS } from '../contracts/kubernetes.ts';
import type { TrainingJob } from '../contracts/training-job.ts';
import { conditionsOf } from './conditions.ts';
import { type GangAdapter, NO_TIERS } from './gang.ts';

/** Kubernetes' own gang scheduling (KEP-4671), in 1.36 and 1.37. */
export const native: GangAdapter = {
  provider: 'native',
  resource: POD_GROUPS,
  ignores: {
    queue: 'native gang scheduling has no queues',
    minResources: 'native gang scheduling counts what the pods ask for',
    scheduleTimeoutSeconds: 'native gang scheduling reserves nothing while it waits',
    networkTopology: NO_TIERS,
  },
  schedulerOf: () => 'default-scheduler',
  renderGroup: (job, groupName) => ({
    apiVersion: POD_GROUPS.apiVersion,
    kind: POD_GROUPS.kind,
    metadata: { name: groupName },
    spec: {
      schedulingPolicy: { gang: { minCount: job.gang.minMember } },
      ...priorityOf(job),
    },
  }),
  membership: (job, groupName) => ({
    spec: { schedulingGroup: { podGroupName: groupName }, ...priorityOf(job) },
  }),
  outsideGroup: (job) => ({ spec: priorityOf(job) }),
  waitsForOthers: ({ message = '' }) => WAITS_FOR_OTHERS.test(message),
  readGroup: (group) => {
    const scheduled = CONDITIONS.map((type) => conditionsOf(group).find((one) => one.type === type)).find(
      Boolean,
    );
    return {
      scheduled: scheduled?.status ?? 'Unknown',
      reason: scheduled?.reason,
      message: scheduled?.status === 'True' ? PLACED : (scheduled?.message ?? UNSEEN),
    };
  },
};

/** Kubernetes 1.37 places a group only if all its pods have its priority. */
function priorityOf({ gang, roles }: TrainingJob): { readonly priorityClassName?: string } {
  const ofPods = roles.map(({ template }) => template.spec.priorityClassName);
  const priorityClassName = [gang.priorityClass, ...ofPods].find(Boolean);
  return priorityClassName ? { priorityClassName } : {};
}

/** As Kubernetes 1.36 says it, and 1.37. */
const WAITS_FOR_OTHERS =
  /waiting for minCount pods from a gang|minCount \(\d+\) (cannot be|is not yet) satisfied/;

/** The condition stays True even if a recreated pod finds no room. */
const PLACED = 'Kubernetes has placed the group once';

const UNSEEN = 'default-scheduler has not processed the group yet';

/** Kubernetes 1.36 writes the first, 1.37 the second. */
const CONDITIONS = ['PodGroupScheduled', 'PodGroupInitiallyScheduled'];
