import { setTimeout as delay } from 'node:timers/promises';
import type { ClusterClient } from '../../cluster/client.ts';
import { type Condition, type KubeObject, NODES, PODS, type Pod } from '../../contracts/kubernetes.ts';
import { conditionOf } from '../../contracts/objects.ts';
import { eventually } from '../eventually.ts';
import type { Stage } from './stage.ts';

/** Faults of simulated nodes. */

/** Who looks after simulated nodes goes by it. Without it a node stays as a test says, and its pods still end. */
const LOOKED_AFTER = 'kwok.x-k8s.io/node';
const NOT_READY = 'node.kubernetes.io/not-ready';

interface Node extends KubeObject {
  readonly spec?: { readonly taints?: readonly { readonly key?: string }[] };
  readonly status?: { readonly capacity?: object; readonly conditions?: readonly Condition[] };
}

const nodeOf = async ({ cluster }: Stage, name: string) =>
  (await cluster.get(NODES, undefined, name)) as Node;

/** How long a heartbeat may be on its way, on a busy machine. */
const ON_ITS_WAY_MS = 2_000;

/** The node is not ready, and no pod is placed on it any more; what is to go from it still goes. */
export async function turnNotReady(stage: Stage, name: string): Promise<void> {
  const { cluster } = stage;
  await cluster.patch(NODES, { name }, { metadata: { annotations: { [LOOKED_AFTER]: null } } });
  const target = { name, subresource: 'status' } as const;
  // A heartbeat from before says that the node is ready.
  for (let until = 0; ; await delay(100)) {
    if (await isReady(stage, name)) {
      await cluster.patch(NODES, target, { status: { conditions: [ready('False')] } }, 'strategic');
      until = Date.now() + ON_ITS_WAY_MS;
    } else if (Date.now() > until && (await isTainted(stage, name))) return;
  }
}

/** Kubernetes adds the taint after it has seen the condition; a scheduler reads nothing else. */
const isTainted = async (stage: Stage, name: string) =>
  (await nodeOf(stage, name)).spec?.taints?.some(({ key }) => key === NOT_READY) ?? false;

const isReady = async (stage: Stage, name: string) =>
  conditionOf(await nodeOf(stage, name), 'Ready')?.status === 'True';

export async function turnReady(stage: Stage, name: string): Promise<void> {
  await stage.cluster.patch(NODES, { name }, { metadata: { annotations: { [LOOKED_AFTER]: 'fake' } } });
  await eventually(`node ${name} is ready`, () => isReady(stage, name));
}

/** What a kubelet that is back says of its pods: Kubernetes took them for unready meanwhile. */
export async function reportReady({ cluster }: Stage, { metadata }: Pod): Promise<void> {
  const { namespace, name } = metadata;
  const target = { namespace, name, subresource: 'status' } as const;
  await cluster.patch(PODS, target, { status: { conditions: [ready('True')] } }, 'strategic');
}

/**
 * There is no kubelet any more: the node's pods stay, also when they are deleted, and it gets no others. `silent`: nobody
 * has noticed yet; `unheard`: the control plane has.
 */
export async function die(stage: Stage, name: string, how: keyof typeof READY_OF): Promise<void> {
  const { metadata, status: { capacity } = {} } = await nodeOf(stage, name);
  await stage.cluster.delete(NODES, undefined, name);
  const status = {
    capacity,
    allocatable: capacity,
    conditions: [ready(READY_OF[how])],
  };
  // Made anew without the annotation, nobody looks after its pods either.
  const spec = { taints: [{ key: 'test.signalbox.dev/dead', effect: 'NoSchedule' }] };
  const node = { apiVersion: 'v1', kind: 'Node', metadata: { name, labels: metadata.labels }, spec, status };
  await stage.cluster.create(NODES, node as KubeObject);
}

const READY_OF = { dead: 'False', silent: 'True', unheard: 'Unknown' } as const;

export const OUT_OF_SERVICE = 'node.kubernetes.io/out-of-service';

/** A check of NVSentinel, which writes those that are well, too. */
export async function setGpuMemWatch(
  cluster: ClusterClient,
  node: string,
  status: 'True' | 'False',
): Promise<void> {
  const now = new Date().toISOString();
  const condition = { type: 'GpuMemWatch', status, ...GPU_MEM_WATCH[status] };
  const heard = { ...condition, lastTransitionTime: now, lastHeartbeatTime: now };
  const target = { name: node, subresource: 'status' } as const;
  await cluster.patch(NODES, target, { status: { conditions: [heard] } }, 'strategic');
}

const GPU_MEM_WATCH = {
  True: {
    reason: 'GpuMemWatchIsNotHealthy',
    message: 'ErrorCode:DCGM_FR_VOLATILE_DBE_DETECTED GPU:0 Recommended Action=RESTART_VM;',
  },
  False: { reason: 'GpuMemWatchIsHealthy', message: 'No Health Failures' },
} as const;

/** So that nothing is evicted by Kubernetes itself. */
export async function taint(stage: Stage, name: string, key: string): Promise<void> {
  const { spec } = await nodeOf(stage, name);
  const taints = [...(spec?.taints ?? []), { key, value: 'nodeshutdown', effect: 'NoSchedule' }];
  await stage.cluster.patch(NODES, { name }, { spec: { taints } });
}

/** As somebody does who knows that its node is gone for good. */
export const removeByHand = ({ cluster, namespace }: Stage, pod: string) =>
  cluster.delete(PODS, namespace, pod, { gracePeriodSeconds: 0 });

const ready = (status: Condition['status']) => {
  const now = new Date().toISOString();
  return { type: 'Ready', status, reason: 'Test', lastTransitionTime: now, lastHeartbeatTime: now };
};
