import type { KubernetesApi } from '../kubernetes-api.ts';

export const PODS = '/api/v1/namespaces/default/pods';

export interface Pod {
  metadata: { name: string };
  spec: { nodeName?: string };
  status: {
    phase: string;
    podIP?: string;
    conditions?: { type: string; status: string }[];
    containerStatuses?: { state: { terminated?: { exitCode: number; reason: string } } }[];
  };
}

export async function createPod(
  api: KubernetesApi,
  name: string,
  annotations: Record<string, string>,
  more: { gpus?: number; podGroup?: string; finalizers?: string[] } = {},
) {
  await api.call('POST', PODS, {
    metadata: { name, annotations, finalizers: more.finalizers },
    spec: {
      restartPolicy: 'Never',
      schedulingGroup: more.podGroup && { podGroupName: more.podGroup },
      containers: [
        { name: 'main', image: 'none', resources: { limits: { 'nvidia.com/gpu': String(more.gpus ?? 0) } } },
      ],
    },
  });
}

export async function podIn(api: KubernetesApi, name: string, phase: string): Promise<Pod | undefined> {
  const pod = await api.call<Pod>('GET', `${PODS}/${name}`);
  return pod.status.phase === phase ? pod : undefined;
}

export async function podNames(api: KubernetesApi): Promise<string[]> {
  return (await api.call<{ items: Pod[] }>('GET', PODS)).items.map(({ metadata }) => metadata.name);
}

export async function boundOf(api: KubernetesApi, names: readonly string[]): Promise<Pod[]> {
  const { items } = await api.call<{ items: Pod[] }>('GET', PODS);
  return items.filter(({ metadata, spec }) => names.includes(metadata.name) && spec.nodeName !== undefined);
}

export async function annotate(
  api: KubernetesApi,
  name: string,
  annotations: Record<string, string>,
): Promise<void> {
  const operations = [{ op: 'add', path: '/metadata/annotations', value: annotations }];
  await patch(api, name, operations);
}

export async function patch(api: KubernetesApi, name: string, operations: unknown[]): Promise<void> {
  await api.call('PATCH', `${PODS}/${name}`, operations, 'application/json-patch+json');
}

export function terminated(pod: Pod) {
  const state = pod.status.containerStatuses?.[0]?.state.terminated;
  return { exitCode: state?.exitCode, reason: state?.reason };
}
