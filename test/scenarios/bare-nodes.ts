import { type Node, PODS } from '../../contracts/kubernetes.ts';
import type { Manifest } from './manifests.ts';
import type { Stage } from './stage.ts';

export function onNode(manifest: Manifest, node: string): Manifest {
  const selected = { 'signalbox.dev/node': 'simulated' };
  const text = JSON.stringify(manifest)
    .replace(JSON.stringify(selected), JSON.stringify({ 'test.signalbox.dev/node': node }))
    // Nobody is there to say that a pod has ended.
    .replace('"terminationGracePeriodSeconds":1', '"terminationGracePeriodSeconds":0');
  return JSON.parse(text);
}

/** Pods are placed there, and nothing happens to them but what a test writes. */
export const nodeWithoutKubelet = (name: string): Node => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name, labels: { 'test.signalbox.dev/node': name } },
  spec: { taints: [{ key: 'signalbox.dev/simulated', value: 'true', effect: 'PreferNoSchedule' }] },
  status: {
    capacity: { cpu: '8', memory: '8Gi', pods: '10' },
    allocatable: { cpu: '8', memory: '8Gi', pods: '10' },
    conditions: [{ type: 'Ready', status: 'True', reason: 'KubeletReady' }],
  },
});

/** The kubelet of such a node says that it cannot pull the image. */
export async function refuseImage(
  { cluster, namespace }: Pick<Stage, 'cluster' | 'namespace'>,
  name: string,
): Promise<void> {
  const waiting = { reason: 'ErrImagePull', message: 'manifest for train:1 not found' };
  const status = { containerStatuses: [{ name: 'pytorch', state: { waiting } }] };
  await cluster.patch(PODS, { namespace, name, subresource: 'status' }, { status }, 'strategic');
}
