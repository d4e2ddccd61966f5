import type { Condition, KubeObject } from '../engine.ts';

export interface NodeFacts {
  readonly name: string;
  readonly hostname: string;
  readonly labels: Readonly<Record<string, string>>;
  /** Capacity and allocatable, e.g. `{ cpu: '16', memory: '64Gi', pods: '110' }`. */
  readonly capacity: Readonly<Record<string, string>>;
  readonly address: string;
  /** The log server's port; undefined if logs cannot be served. */
  readonly logPort?: number;
  readonly kernel: string;
}

const OS: Readonly<Record<string, string>> = { linux: 'linux', darwin: 'darwin', win32: 'windows' };
const ARCH: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' };

/** The Node object of this process. */
export function nodeObject(facts: NodeFacts): KubeObject {
  const os = OS[process.platform] ?? process.platform;
  const arch = ARCH[process.arch] ?? process.arch;
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name: facts.name,
      labels: {
        'kubernetes.io/hostname': facts.name,
        'kubernetes.io/os': os,
        'kubernetes.io/arch': arch,
        'signalbox.dev/node': 'local',
        ...facts.labels,
      },
    },
    spec: {},
  };
}

/** The node's status. A node that stops reports that it is not ready, so nothing waits for its lease to expire. */
export function nodeStatus(facts: NodeFacts, state: { readonly ready: boolean; readonly now: string }) {
  return {
    capacity: facts.capacity,
    allocatable: facts.capacity,
    addresses: [{ type: 'InternalIP', address: facts.address }],
    daemonEndpoints: { kubeletEndpoint: { Port: facts.logPort ?? 0 } },
    nodeInfo: {
      machineID: '',
      systemUUID: '',
      bootID: '',
      kernelVersion: facts.kernel,
      osImage: `processes of ${facts.hostname}`,
      containerRuntimeVersion: `local://${process.versions.node}`,
      kubeletVersion: 'v1.36.3',
      kubeProxyVersion: '',
      operatingSystem: OS[process.platform] ?? process.platform,
      architecture: ARCH[process.arch] ?? process.arch,
    },
    conditions: conditions(state),
  };
}

function conditions({ ready, now }: { readonly ready: boolean; readonly now: string }): Condition[] {
  const pressures = ['MemoryPressure', 'DiskPressure', 'PIDPressure'].map((type) => ({
    type,
    status: 'False' as const,
    reason: 'NotMeasured',
    message: 'the local node does not measure this',
  }));
  const readiness = ready
    ? { status: 'True' as const, reason: 'LocalNodeReady', message: 'pods run as processes of this machine' }
    : { status: 'False' as const, reason: 'LocalNodeStopped', message: 'the local node was stopped' };
  return [...pressures, { type: 'Ready', ...readiness }].map((condition) => ({
    ...condition,
    lastHeartbeatTime: now,
  }));
}

/** The Lease that shows that the node is alive. */
export function nodeLease(node: KubeObject, now: Date): KubeObject {
  const { name, uid = '' } = node.metadata;
  return {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: {
      name,
      namespace: 'kube-node-lease',
      ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name, uid }],
    },
    spec: {
      holderIdentity: name,
      leaseDurationSeconds: 40,
      renewTime: now.toISOString().replace('Z', '000Z'), // a MicroTime
    },
  };
}
