import { POD_GROUPS } from '../contracts/kubernetes.ts';
import type { GangAdapter } from './gang.ts';

/** Kubernetes' own gang scheduling (KEP-4671) as 1.36 serves it: scheduling.k8s.io/v1alpha2. */
export const native: GangAdapter = {
  provider: 'native',
  resource: POD_GROUPS,
  renderGroup: ({ gang }, groupName) => ({
    apiVersion: POD_GROUPS.apiVersion,
    kind: POD_GROUPS.kind,
    metadata: { name: groupName },
    spec: {
      schedulingPolicy: { gang: { minCount: gang.minMember } },
      ...(gang.priorityClass ? { priorityClassName: gang.priorityClass } : {}),
    },
  }),
  membership: (groupName) => ({ schedulingGroup: { podGroupName: groupName } }),
};
