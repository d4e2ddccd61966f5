import { PODS, type Pod } from '../../contracts/kubernetes.ts';
import type { Stage } from './stage.ts';

/** As `kubectl get pod -o yaml` and `kubectl create` with another name do: the same labels, owner, and all the rest. */
export function copyPod(
  { cluster }: Stage,
  { metadata, spec }: Pod,
  changes: { readonly name: string; readonly finalizers?: readonly string[] },
): Promise<Pod> {
  const { namespace, labels, ownerReferences } = metadata;
  return cluster.create(PODS, {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { namespace, labels, ownerReferences, ...changes },
    spec: {
      ...spec,
      nodeName: undefined,
      volumes: undefined,
      containers: spec.containers.map(withoutMounts),
    },
  });
}

const withoutMounts = <T extends object>(container: T): T => ({ ...container, volumeMounts: undefined });
