import { fileURLToPath } from 'node:url';
import { type ClusterClient, LEASES, NODES } from '../engine.ts';
import { SandboxError } from '../errors.ts';
import { isNodeSchedulable, type ObservedNode } from '../node-readiness.ts';
import { listSimulatedNodes } from '../simulated-nodes.ts';
import type { Component } from './component.ts';
import type { Context } from './context.ts';

const LOCAL_NODE = 'local';
const file = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export const localNodeMain = file('../local-node/main.ts');

/** The kubelet of the simulated nodes. */
export function launchKwok({ launch, layout, cluster }: Context): Component {
  if (launch.programs.kwok === undefined) {
    throw new SandboxError(
      'kwok: its program was not prepared',
      'run `signalbox sandbox up --simulated-nodes N` again',
    );
  }
  return {
    name: 'kwok',
    program: launch.programs.kwok,
    args: [
      `--kubeconfig=${layout.kubeconfig}`,
      '-v=WARN', // logging each patch would cost more than the patch in a benchmark of 1,000 pods
      `--config=${file('../kwok/kwok.yaml')}`,
      `--config=${file('../kwok/stages.yaml')}`,
    ],
    isReady: async () => (await listSimulatedNodes(cluster())).every(({ ready }) => ready),
    readyWithinMs: 60_000,
    stopWithinMs: 3_000,
  };
}

/** The node whose pods are processes of this machine. */
export function localNode({ launch, layout, credentials, cluster }: Context): Component {
  const { gpus } = launch.options;
  return {
    name: 'local-node',
    program: process.execPath,
    args: [
      localNodeMain,
      '--kubeconfig',
      layout.kubeconfig,
      '--node-name',
      LOCAL_NODE,
      '--dir',
      layout.localNodeData,
      // for `kubectl logs`: the API server requires a certificate, but does not verify it
      '--tls-cert-file',
      credentials.certificate,
      '--tls-key-file',
      credentials.key,
      ...(gpus === undefined ? [] : ['--gpus', String(gpus)]),
    ],
    isReady: (since) => hasLocalNode(cluster(), since),
    readyWithinMs: 60_000,
    stopWithinMs: 10_000, // it terminates its pods first
  };
}

/** The node object of an earlier run may still be Ready, so only a heartbeat since the start counts. */
async function hasLocalNode(cluster: ClusterClient, since: number): Promise<boolean> {
  const node: ObservedNode = await cluster.get(NODES, undefined, LOCAL_NODE);
  const lease: Lease | undefined = await cluster.find(LEASES, 'kube-node-lease', LOCAL_NODE);
  const heartbeats = node.status?.conditions?.map(({ lastHeartbeatTime }) => lastHeartbeatTime) ?? [];
  const signs = [...heartbeats, lease?.spec?.renewTime].map((time) => Date.parse(time ?? ''));
  // heartbeats are in whole seconds, rounded down
  return isNodeSchedulable(node) && signs.some((sign) => sign >= since - 1_000);
}

interface Lease {
  readonly metadata: { readonly name: string };
  readonly spec?: { readonly renewTime?: string };
}
