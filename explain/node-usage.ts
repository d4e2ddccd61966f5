import type { Node, Pod } from '../contracts/kubernetes.ts';
import { LABELS } from '../contracts/labels.ts';
import { nodeConditions, worstCondition } from '../contracts/node-conditions.ts';
import { controllerOf } from '../contracts/objects.ts';
import { deletionRequestedAt, hasPodEnded } from '../contracts/pod.ts';
import {
  type Amounts,
  addAmounts,
  NOTHING,
  ONE_POD,
  podUsage,
  readAmounts,
} from '../contracts/pod-requests.ts';
import { amountIn, hostPortsOf, isHostPort } from './host-ports.ts';
import type { Holder, NodeView } from './situation.ts';

export interface OwnJob {
  readonly namespace: string;
  readonly name: string;
}

export const isOwnPod = ({ metadata: { namespace, labels } }: Pod, own: OwnJob): boolean =>
  namespace === own.namespace && labels?.[LABELS.job] === own.name;

interface Usage {
  used: Amounts;
  lasting: Amounts;
  leaving: Amounts;
  leavingSince: number;
  nominated: Amounts;
}

/**
 * What pods use of nodes. Each pod is added up and forgotten, so that what is kept grows with nodes and namespaces, not with
 * pods.
 */
export class NodeUsage {
  readonly #own: OwnJob;
  readonly #nodes = new Map<string, Usage>();
  readonly #holders = new Map<string, Amounts>();

  readonly #isLasting: (pod: Pod) => boolean;

  /** `isLasting`: whether a pod stays however long the job waits. */
  constructor(own: OwnJob, isLasting: (pod: Pod) => boolean = isOfNode) {
    this.#own = own;
    this.#isLasting = isLasting;
  }

  add(pod: Pod): void {
    const { nodeName } = pod.spec;
    if (hasPodEnded(pod)) return;
    const isOwn = isOwnPod(pod, this.#own);
    if (nodeName) this.#use(this.#node(nodeName), pod);
    else if (!isOwn) this.#nominate(pod);
    if (nodeName && !isOwn && !isOfNode(pod)) {
      const who = this.#holderOf(pod);
      this.#holders.set(who, addAmounts(this.#holders.get(who) ?? NOTHING, requestsOf(pod)));
    }
  }

  view(node: Node, now: number): NodeView {
    const { name, labels = {} } = node.metadata;
    const { leavingSince, ...usage } = this.#nodes.get(name) ?? unused();
    const trouble = worstCondition(nodeConditions(node, {}, now));
    const allocatable = readAmounts(node.status?.allocatable);
    const ports = [...usage.used.keys()].filter(isHostPort);
    return {
      ...{ name, labels, ...usage },
      taints: node.spec?.taints ?? [],
      ...(trouble ? { trouble } : {}),
      allocatable: new Map([
        ...allocatable,
        ...ports.map((port) => [port, amountIn(NOTHING, port)] as const),
      ]),
      ...(Number.isFinite(leavingSince) ? { leavingSince } : {}),
    };
  }

  get holders(): readonly Holder[] {
    return [...this.#holders].map(([who, used]) => ({ who, used }));
  }

  #use(usage: Usage, pod: Pod): void {
    const requests = requestsOf(pod);
    usage.used = addAmounts(usage.used, requests);
    if (this.#isLasting(pod)) usage.lasting = addAmounts(usage.lasting, requests);
    if (pod.metadata.deletionTimestamp === undefined) return;
    usage.leaving = addAmounts(usage.leaving, requests);
    usage.leavingSince = Math.min(usage.leavingSince, deletionRequestedAt(pod));
  }

  #nominate(pod: Pod): void {
    const node = pod.status?.nominatedNodeName;
    if (typeof node !== 'string' || node === '') return;
    const usage = this.#node(node);
    usage.nominated = addAmounts(usage.nominated, requestsOf(pod));
  }

  #node(name: string): Usage {
    const known = this.#nodes.get(name) ?? unused();
    this.#nodes.set(name, known);
    return known;
  }

  /** Others of the same namespace by name; of other namespaces only these. */
  #holderOf({ metadata }: Pod): string {
    const { namespace = '', name, labels } = metadata;
    if (namespace !== this.#own.namespace) return `namespace ${namespace}`;
    const job = labels?.[LABELS.job];
    if (job) return `job/${namespace}/${job}`;
    return `${namespace}/${controllerOf({ metadata })?.name ?? name}`;
  }
}

const unused = (): Usage => ({
  ...{ used: NOTHING, lasting: NOTHING, leaving: NOTHING, nominated: NOTHING },
  leavingSince: Number.POSITIVE_INFINITY,
});

/** DaemonSets and the node itself put a pod on a node again, however empty it is. */
export const isOfNode = ({ metadata: { ownerReferences = [] } }: Pod): boolean =>
  ownerReferences.some(({ kind }) => kind === 'DaemonSet' || kind === 'Node');

/** A pod of any other form uses at least its place. */
function requestsOf({ spec }: Pod): Amounts {
  try {
    return addAmounts(podUsage(spec), hostPortsOf(spec));
  } catch {
    return ONE_POD;
  }
}
