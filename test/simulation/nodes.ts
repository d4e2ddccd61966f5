import type { ContainerStatus, Node, Pod, PodStatus, TerminatedState } from '../../contracts/kubernetes.ts';
import { conditionOf } from '../../contracts/objects.ts';
import { hasPodEnded } from '../../contracts/pod.ts';
import type { ModelApiServer } from './api-server.ts';
import type { ModelLogs } from './logs.ts';
import type { Step } from './step.ts';

/** How the program of a pod goes on. */
export type Fate = 'runs' | 'succeeds' | { readonly exitCode: number };

export const NODE_NAMES = ['a', 'b', 'c'];
/** What pods of tests select. */
const LABELS_OF_NODES = { 'signalbox.dev/node': 'simulated' };
const CONTAINER = 'pytorch';

/** Schedulers, kubelets, the programs that they run, and who watches over nodes. */
export class ModelNodes {
  readonly #server: ModelApiServer;
  readonly #logs: ModelLogs;
  readonly #random: () => number;
  /** By uid; a program without one runs. */
  readonly fates = new Map<string, Fate>();
  /** Pods of these names cannot start their containers. */
  readonly unstartable = new Set<string>();
  /** No pod is placed any more. */
  areFull = false;
  /** Nodes whose kubelet is away. */
  readonly #lost = new Set<string>();
  /** How many pods a node has room for. */
  readonly #room: number;

  constructor(server: ModelApiServer, logs: ModelLogs, { random, room = Infinity }: NodesOptions) {
    this.#server = server;
    this.#logs = logs;
    this.#random = random;
    this.#room = room;
    for (const name of NODE_NAMES) server.add('nodes', this.#node(name, 'True'));
  }

  get pods(): readonly Pod[] {
    return this.#server.all<Pod>('pods');
  }

  steps(): Step[] {
    const steps: Step[] = this.pods.flatMap((pod) => this.#stepOf(pod) ?? []);
    return this.#server.hasGarbage
      ? [...steps, { does: 'garbage is collected', run: () => this.#server.collectGarbage() }]
      : steps;
  }

  #stepOf(pod: Pod): Step | undefined {
    const { name, deletionTimestamp } = pod.metadata;
    if (!pod.spec.nodeName) return deletionTimestamp || isGated(pod) ? undefined : this.#stepOfScheduler(pod);
    if (this.#lost.has(pod.spec.nodeName)) return undefined;
    if (deletionTimestamp) return { does: `${name} goes`, run: () => this.#go(pod) };
    if (hasPodEnded(pod)) return undefined;
    const state = stateOf(pod);
    if (state !== 'running') {
      if (this.unstartable.has(name) && state === 'waiting') return undefined;
      return { does: `${name} starts`, run: () => this.#begin(pod) };
    }
    const fate = this.fates.get(pod.metadata.uid!) ?? 'runs';
    if (fate === 'runs') return undefined;
    return { does: `${name} ends`, run: () => this.#end(pod, fate) };
  }

  #stepOfScheduler(pod: Pod): Step | undefined {
    const { name } = pod.metadata;
    if (this.#free(pod).length > 0) return { does: `${name} is placed`, run: () => this.#place(pod) };
    if (conditionOf(pod, 'PodScheduled')?.reason === 'Unschedulable') return undefined;
    return { does: `${name} finds no node`, run: () => this.#refuse(pod) };
  }

  #free(pod: Pod): readonly Node[] {
    if (this.areFull) return [];
    return this.#server
      .all<Node>('nodes')
      .filter((node) => isWell(node) && fits(pod, node.metadata.name) && this.#hasRoom(node.metadata.name));
  }

  #hasRoom(name: string): boolean {
    if (this.#room === Infinity) return true;
    const there = this.pods.filter((pod) => pod.spec.nodeName === name && !hasPodEnded(pod));
    return there.length < this.#room;
  }

  /** A pod that no scheduler can place now. */
  waits(pod: Pod): boolean {
    return !pod.spec.nodeName && (isGated(pod) || this.#free(pod).length === 0);
  }

  #place(pod: Pod): void {
    const free = this.#free(pod);
    const node = free[Math.floor(this.#random() * free.length)];
    if (!node) return;
    const spec = { ...pod.spec, nodeName: node.metadata.name };
    const conditions = [placedOf(pod), ready_('False')];
    this.#server.write('pods', pod, { spec, status: { ...pod.status, phase: 'Pending', conditions } });
  }

  #refuse(pod: Pod): void {
    const conditions = [
      { ...placed(), status: 'False' as const, reason: 'Unschedulable', message: '0/3 nodes are available' },
    ];
    this.#server.write('pods', pod, { status: { ...pod.status, phase: 'Pending', conditions } });
  }

  #begin(pod: Pod): void {
    const [known] = pod.status?.containerStatuses ?? [];
    if (this.unstartable.has(pod.metadata.name)) {
      const state = {
        waiting: { reason: 'CreateContainerConfigError', message: 'configmap "later" not found' },
      };
      this.#status(pod, { phase: 'Pending', ready: false }, { ...statusOf(known), ready: false, state });
      return;
    }
    const state = { running: { startedAt: timeOf() } };
    this.#status(pod, { phase: 'Running', ready: true }, { ...statusOf(known), ready: true, state });
  }

  #end(pod: Pod, fate: Exclude<Fate, 'runs'>): void {
    this.fates.delete(pod.metadata.uid!);
    const exitCode = fate === 'succeeds' ? 0 : fate.exitCode;
    const [known] = pod.status?.containerStatuses ?? [];
    const terminated = terminatedBy(exitCode);
    this.#logs.end(pod);
    const policy = pod.spec.restartPolicy ?? 'Always';
    if (policy === 'Always' || (policy === 'OnFailure' && exitCode !== 0)) {
      const state = { waiting: { reason: 'CrashLoopBackOff' } };
      const restartCount = (known?.restartCount ?? 0) + 1;
      const status = { ...statusOf(known), ready: false, restartCount, state, lastState: { terminated } };
      this.#status(pod, { phase: 'Running', ready: false }, status);
      return;
    }
    const phase = exitCode === 0 ? 'Succeeded' : 'Failed';
    this.#status(pod, { phase, ready: false }, { ...statusOf(known), ready: false, state: { terminated } });
  }

  /** Its containers end, and it is gone. */
  #go(pod: Pod): void {
    this.#logs.end(pod);
    if (!hasPodEnded(pod) && stateOf(pod) === 'running' && this.#random() < 0.5) {
      const terminated = terminatedBy(143);
      const [known] = pod.status?.containerStatuses ?? [];
      this.#status(
        pod,
        { phase: 'Failed', ready: false },
        { ...statusOf(known), ready: false, state: { terminated } },
      );
      return;
    }
    if ((pod.metadata.finalizers ?? []).length === 0) this.#server.remove('pods', pod);
  }

  #status(
    pod: Pod,
    { phase, ready }: { phase: PodStatus['phase']; ready: boolean },
    container: ContainerStatus,
  ): void {
    const conditions = [placedOf(pod), ready_(ready ? 'True' : 'False')];
    this.#server.write('pods', pod, {
      status: { ...pod.status, phase, conditions, containerStatuses: [container] },
    });
  }

  evict(pod: Pod): void {
    if (hasPodEnded(pod) || !pod.spec.nodeName) return;
    this.#logs.end(pod);
    this.#server.write('pods', pod, {
      status: {
        ...pod.status,
        phase: 'Failed',
        reason: 'Evicted',
        message: 'The node was low on resource: memory.',
      },
    });
  }

  /** Its kubelet is not heard of any more. */
  lose(name: string): void {
    this.#lost.add(name);
    this.#mark(name, 'Unknown');
    for (const pod of this.pods) {
      if (pod.spec.nodeName !== name || hasPodEnded(pod) || !pod.status?.conditions) continue;
      this.#server.write('pods', pod, {
        status: { ...pod.status, conditions: [placedOf(pod), ready_('False')] },
      });
    }
  }

  find(name: string): void {
    this.#lost.delete(name);
    this.#mark(name, 'True');
    for (const pod of this.pods) {
      if (pod.spec.nodeName !== name || stateOf(pod) !== 'running' || hasPodEnded(pod)) continue;
      this.#server.write('pods', pod, {
        status: { ...pod.status, phase: 'Running', conditions: [placedOf(pod), ready_('True')] },
      });
    }
  }

  #mark(name: string, ready: 'True' | 'Unknown'): void {
    const node = this.#server.find<Node>('nodes', undefined, name);
    if (node) this.#server.write('nodes', node, { status: this.#node(name, ready).status });
  }

  #node(name: string, ready: 'True' | 'Unknown'): Node {
    const allocatable =
      this.#room === Infinity ? {} : { allocatable: { pods: String(this.#room), cpu: '64', memory: '64Gi' } };
    return {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name, labels: LABELS_OF_NODES },
      spec: {},
      status: {
        ...allocatable,
        conditions: [{ type: 'Ready', status: ready, lastTransitionTime: timeOf() }],
      },
    };
  }
}

interface NodesOptions {
  readonly random: () => number;
  readonly room?: number;
}

const isGated = ({ spec }: Pod) => (spec.schedulingGates ?? []).length > 0;

export const isWell = (node: Node) => conditionOf(node, 'Ready')?.status === 'True';

/** Avoided nodes are in the pod's affinity. */
function fits(pod: Pod, node: string): boolean {
  const text = JSON.stringify(pod.spec.affinity ?? {});
  return !(text.includes('NotIn') && text.includes(`"${node}"`));
}

const stateOf = ({ status }: Pod): 'running' | 'waiting' | undefined => {
  const [container] = status?.containerStatuses ?? [];
  if (container?.state?.running) return 'running';
  return container?.state?.waiting && container.state.waiting.reason !== 'CrashLoopBackOff'
    ? 'waiting'
    : undefined;
};

const placed = () => ({ type: 'PodScheduled', status: 'True' as const, lastTransitionTime: timeOf() });
/** It was placed once. */
const placedOf = (pod: Pod) => {
  const known = conditionOf(pod, 'PodScheduled');
  return known?.status === 'True' ? known : placed();
};
const ready_ = (status: 'True' | 'False') => ({ type: 'Ready', status });
const timeOf = () => new Date().toISOString();

const terminatedBy = (exitCode: number): TerminatedState => ({
  exitCode,
  reason: exitCode ? 'Error' : 'Completed',
  startedAt: timeOf(),
  finishedAt: timeOf(),
});

const statusOf = (known: ContainerStatus | undefined): ContainerStatus => ({
  image: 'train:1',
  imageID: '',
  restartCount: 0,
  ...known,
  name: CONTAINER,
  ready: false,
});
