import type { ClusterClient } from '../../../cluster/client.ts';
import { PODS, type Pod } from '../../../contracts/kubernetes.ts';

const namespace = 'default';

export async function createPod(
  cluster: ClusterClient,
  name: string,
  annotations: Record<string, string>,
  more: { gpus?: number; podGroup?: string; finalizers?: string[] } = {},
): Promise<void> {
  const limits = { 'nvidia.com/gpu': String(more.gpus ?? 0) };
  await cluster.create(PODS, {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace, annotations, finalizers: more.finalizers },
    spec: {
      restartPolicy: 'Never',
      schedulingGroup: more.podGroup ? { podGroupName: more.podGroup } : undefined,
      containers: [{ name: 'main', image: 'none', resources: { limits } }],
    },
  });
}

export async function podIn(cluster: ClusterClient, name: string, phase: string): Promise<Pod | undefined> {
  const pod = await cluster.get(PODS, namespace, name);
  return pod.status?.phase === phase ? pod : undefined;
}

export async function podNames(cluster: ClusterClient): Promise<string[]> {
  return (await cluster.list(PODS, { namespace })).items.map(({ metadata }) => metadata.name);
}

export async function boundOf(cluster: ClusterClient, names: readonly string[]): Promise<Pod[]> {
  const { items } = await cluster.list(PODS, { namespace });
  return items.filter(({ metadata, spec }) => names.includes(metadata.name) && spec.nodeName !== undefined);
}

export async function annotate(
  cluster: ClusterClient,
  name: string,
  annotations: Record<string, string>,
): Promise<void> {
  await cluster.patch(PODS, { namespace, name }, { metadata: { annotations } });
}

export function terminated({ status }: Pod) {
  const state = status?.containerStatuses?.[0]?.state?.terminated;
  return { exitCode: state?.exitCode, reason: state?.reason };
}
