import type { InterruptedBy } from '../../contracts/digest.ts';
import type { NodeCondition } from '../../contracts/node-conditions.ts';
import type { HealthVerdict, NodeNotice } from '../../contracts/node-notice.ts';
import type { NodeTrouble } from '../../contracts/policy.ts';

/** A pod as the API server and its kubelet have it. */
export interface ModelPod {
  readonly name: string;
  readonly uid: string;
  /** In lower case. */
  readonly role: string;
  readonly index: number;
  readonly attempt: number;
  /** Where the ranks of the attempt meet. */
  readonly meeting: number;
  /** Of its role, within the attempt. */
  readonly incarnation: number;
  /** Its kubelet starts containers again that fail. */
  readonly isRestartedInPlace: boolean;
  /** A container runs beside the program, and goes on without it. */
  readonly hasSidecar: boolean;
  /** Of the last change. */
  resourceVersion: number;
  state: 'unscheduled' | 'scheduled' | 'ready' | 'succeeded' | 'failed';
  node?: string;
  restarts: number;
  /** How the program ended last that is restarted in place; its restart is made, or still to come. */
  crash?: { readonly exitCode: number; readonly ends: number };
  failure?: {
    readonly exitCode?: number;
    readonly reason: string;
    readonly at: number;
    readonly interruptedBy?: InterruptedBy;
  };
  /** It was told to end, and has time until then. */
  leavesAt?: number;
}

type NewPod = Pick<
  ModelPod,
  'role' | 'index' | 'attempt' | 'meeting' | 'incarnation' | 'isRestartedInPlace' | 'hasSidecar'
>;

export interface ModelNode {
  readonly name: string;
  trouble?: NodeCondition;
  notice?: NodeNotice;
}

/** What a pod is given to end. */
const GRACE_MS = 30_000;

/** A cluster with three nodes and the pods of one job, as far as a job can tell. */
export class ModelCluster {
  /** Epoch milliseconds. */
  now = 0;
  resourceVersion = 1;
  nodesResourceVersion = 1;
  pods: readonly ModelPod[] = [];
  /** Pods that are gone, by name, until others take their places. */
  readonly vanished = new Map<string, ModelPod>();
  /** Pods that the API server does not have any more, and that may run on. */
  readonly leftBehind: ModelPod[] = [];
  readonly nodes: readonly ModelNode[] = ['a', 'b', 'c'].map((name) => ({ name }));
  groupsResourceVersion = 1;
  /** Of the attempt that has a group; 0: there is none. */
  group = 0;
  isGroupAdmitted = false;
  /** The attempt that has to give back its place. */
  evicted?: number;
  isAnchorDeleted = false;
  /** What rank 0 said last, and when. */
  progress?: { readonly value: string; readonly count: number };
  /** Its log shows that it makes no steps. */
  isHung = false;
  isCheckpointRequested = false;
  isCheckpointWritten = false;
  /** Hears of each pod before it is made. */
  onCreate?: (pod: NewPod) => void;
  #born = 0;

  find = (name: string) => this.pods.find((pod) => pod.name === name);

  // What the API server does.

  create(fields: NewPod): ModelPod {
    this.onCreate?.(fields);
    const name = nameOf(fields);
    const uid = `${name}#${++this.#born}`;
    const pod: ModelPod = {
      ...fields,
      name,
      uid,
      resourceVersion: ++this.resourceVersion,
      state: 'unscheduled',
      restarts: 0,
    };
    this.pods = [...this.pods, pod];
    this.vanished.delete(name);
    return pod;
  }

  /** What has no node, or has ended, goes at once. */
  delete(pod: ModelPod, graceMs = GRACE_MS): void {
    if (pod.state === 'unscheduled' || (hasEnded(pod) && !pod.hasSidecar)) this.remove(pod);
    else if (pod.leavesAt === undefined || pod.leavesAt > this.now + graceMs) {
      this.#change(pod, { leavesAt: this.now + graceMs });
    }
  }

  remove(pod: ModelPod): void {
    if (!this.pods.includes(pod)) return;
    pod.resourceVersion = ++this.resourceVersion;
    this.pods = this.pods.filter((other) => other !== pod);
    this.vanished.set(pod.name, pod);
  }

  leave(pod: ModelPod): void {
    this.leftBehind.push(pod);
    this.remove(pod);
  }

  setGroup(attempt: number, isAdmitted = false): void {
    if (this.group === attempt && this.isGroupAdmitted === isAdmitted) return;
    this.groupsResourceVersion++;
    this.group = attempt;
    this.isGroupAdmitted = isAdmitted;
  }

  // What schedulers, kubelets and programs do.

  /** A step on the way to success; one that leaves is gone, unless its node is dead. */
  advance(pod: ModelPod): void {
    if (this.isDead(pod)) return;
    if (pod.leavesAt !== undefined) this.remove(pod);
    else if (pod.state === 'unscheduled') this.place(pod);
    else if (pod.state === 'scheduled')
      this.#change(pod, { state: 'ready', restarts: Math.max(pod.restarts, pod.crash?.ends ?? 0) });
    else if (pod.state === 'ready') this.#change(pod, { state: 'succeeded' });
  }

  place(pod: ModelPod): void {
    const node = this.nodes.find(({ trouble }) => trouble === undefined);
    if (node) this.#change(pod, { state: 'scheduled', node: node.name });
  }

  /** A container ends with a code. A pod that was told to end may end with any, too, before it is gone. */
  fail(pod: ModelPod, exitCode: number): void {
    if (!pod.node || hasEnded(pod) || this.isDead(pod)) return;
    if (pod.isRestartedInPlace && pod.leavesAt === undefined) {
      // The kubelet may have restarted it before anybody looks.
      const restarts = pod.restarts + (exitCode === 143 ? 0 : 1);
      this.#change(pod, { state: 'scheduled', restarts, crash: { exitCode, ends: pod.restarts + 1 } });
    } else
      this.#change(pod, {
        state: 'failed',
        failure: { exitCode, at: this.resourceVersion, ...whyEnded(pod) },
      });
  }

  evict(pod: ModelPod): void {
    if (!pod.node || hasEnded(pod) || this.isDead(pod)) return;
    this.#change(pod, {
      state: 'failed',
      failure: { reason: 'Evicted', interruptedBy: 'node', at: this.resourceVersion },
    });
  }

  unready(pod: ModelPod): void {
    if (pod.state === 'ready') this.#change(pod, { state: 'scheduled' });
  }

  /** Nothing is heard any more of the pods of a node that is not ready; those that are deleted stay. */
  trouble(node: ModelNode, trouble: NodeTrouble | undefined): void {
    this.nodesResourceVersion++;
    node.trouble = trouble && {
      ...{ trouble, since: this.now },
      ...(trouble === 'NotReady' ? { isSilent: true } : {}),
    };
    if (trouble === undefined || trouble === 'Cordoned') return;
    for (const pod of this.pods) if (pod.node === node.name) this.unready(pod);
  }

  /** What a source of health says of a node that works on. */
  notice(node: ModelNode, verdict: HealthVerdict | undefined): void {
    this.nodesResourceVersion++;
    node.notice = verdict && { verdict, source: 'NVSentinel', key: 'GpuMemWatch', since: this.now };
  }

  isDead = ({ node: name }: ModelPod) => {
    const trouble = this.nodes.find((node) => node.name === name)?.trouble?.trouble;
    return trouble !== undefined && trouble !== 'Cordoned';
  };

  isSilent = ({ node: name }: ModelPod) =>
    this.nodes.find((node) => node.name === name)?.trouble?.isSilent === true;

  say(value: string): void {
    this.progress = { value, count: (this.progress?.count ?? 0) + 1 };
  }

  #change(pod: ModelPod, fields: Partial<ModelPod>): void {
    Object.assign(pod, fields, { resourceVersion: ++this.resourceVersion });
  }
}

const whyEnded = ({ leavesAt }: ModelPod) =>
  leavesAt === undefined ? { reason: 'Error' } : ({ reason: 'Deleted', interruptedBy: 'deletion' } as const);

export const hasEnded = ({ state }: Pick<ModelPod, 'state'>) => state === 'succeeded' || state === 'failed';

export const nameOf = ({ role, index }: Pick<ModelPod, 'role' | 'index'>) => `resnet-${role}-${index}`;
