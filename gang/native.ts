import { POD_GROUPS } from '../contracts/kubernetes.ts';
import { conditionsOf } from './conditions.ts';
import type { GangAdapter } from './gang.ts';

/** Kubernetes' own gang scheduling (KEP-4671) in 1.36: scheduling.k8s.io/v1alpha2. */
export const native: GangAdapter = {
  provider: 'native',
  resource: POD_GROUPS,
  ignores: {
    queue: 'native gang scheduling has no queues',
    minResources: 'native gang scheduling counts what the pods ask for',
    scheduleTimeoutSeconds: 'native gang scheduling reserves nothing while it waits',
  },
  schedulerOf: () => 'default-scheduler',
  renderGroup: ({ gang }, groupName) => ({
    apiVersion: POD_GROUPS.apiVersion,
    kind: POD_GROUPS.kind,
    metadata: { name: groupName },
    spec: {
      schedulingPolicy: { gang: { minCount: gang.minMember } },
      ...(gang.priorityClass ? { priorityClassName: gang.priorityClass } : {}),
    },
  }),
  membership: (_, groupName) => ({ spec: { schedulingGroup: { podGroupName: groupName } } }),
  waitsForOthers: ({ message = '' }) => message.includes('waiting for minCount pods from a gang'),
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

/** The condition stays True even if a recreated pod finds no room. */
const PLACED = 'Kubernetes has placed the group once';

const UNSEEN = 'default-scheduler has not processed the group yet';

/** Kubernetes 1.36 writes the first; a later API version uses the second name. */
const CONDITIONS = ['PodGroupScheduled', 'PodGroupInitiallyScheduled'];
