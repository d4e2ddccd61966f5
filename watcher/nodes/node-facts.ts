import type { Node } from '../../contracts/kubernetes.ts';

/** Drops everything that `nodeConditions` and the capacity do not read: mostly the list of images. */
export const trimNode = ({ apiVersion, kind, metadata: { name }, spec, status }: Node): Node => ({
  apiVersion,
  kind,
  metadata: { name },
  spec: { unschedulable: spec?.unschedulable, taints: spec?.taints },
  status: {
    conditions: status?.conditions?.filter(({ type }) => type === 'Ready'),
    allocatable: status?.allocatable,
  },
});
