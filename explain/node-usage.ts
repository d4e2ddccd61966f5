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
import type { Holder, LowerPods, NodeView } from './situation.ts';

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
  lower?: NonNullable<NodeView['lower']>;
}

interface Counting {
  /** Whether a pod stays however long the job waits. */
  readonly isLasting?: (pod: Pod) => boolean;
  /** Pods of a lower priority make room for those of the job. */
  readonly preemptsBelow?: number | undefined;
}

/**
 * What pods use of nodes. Each pod is added up and forgotten, so that what is kept grows with nodes and namespaces, not with
 * pods.
 */
export class NodeUsage {
  readonly #own: OwnJob;
  readonly #nodes = new Map<string, Usage>();
  /** By node, by who. */
  readonly #holders = new Map<string, Map<string, Amounts>>();

  readonly #isLasting: (pod: Pod) => boolean;
  readonly #preemptsBelow: number;

  constructor(
    own: OwnJob,
    { isLasting = isOfNode, preemptsBelow = Number.NEGATIVE_INFINITY }: Counting = {},
  ) {
    this.#own = own;
    this.#isLasting = isLasting;
    this.#preemptsBelow = preemptsBelow;
  }

  add(pod: Pod): void {
    const { nodeName } = pod.spec;
    if (hasPodEnded(pod)) return;
    const isOwn = isOwnPod(pod, this.#own);
    if (nodeName) this.#use(this.#node(nodeName), pod);
    else if (!isOwn) this.#nominate(pod);
    if (!nodeName || isOwn) return;
    // Those of nodes leave no room but what they take; a port is taken as a whole.
    const held = isOfNode(pod) ? hostPortsOf(pod.spec) : requestsOf(pod);
    if (held.size === 0) return;
    const who = holderOf(pod, this.#own);
    const here = this.#holders.get(nodeName) ?? new Map<string, Amounts>();
    here.set(who, addAmounts(here.get(who) ?? NOTHING, held));
    this.#holders.set(nodeName, here);
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
    return [...this.#holders].flatMap(([node, held]) =>
      [...held].map(([who, used]) => ({ who, used, node })),
    );
  }

  #use(usage: Usage, pod: Pod): void {
    const requests = requestsOf(pod);
    usage.used = addAmounts(usage.used, requests);
    if (this.#isLasting(pod)) usage.lasting = addAmounts(usage.lasting, requests);
    const isLeaving = pod.metadata.deletionTimestamp !== undefined;
    if ((pod.spec.priority ?? 0) < this.#preemptsBelow) usage.lower = this.#withLower(usage, pod, requests);
    if (!isLeaving) return;
    usage.leaving = addAmounts(usage.leaving, requests);
    usage.leavingSince = Math.min(usage.leavingSince, deletionRequestedAt(pod));
  }

  #withLower({ lower }: Usage, pod: Pod, used: Amounts): NonNullable<Usage['lower']> {
    const { priority = 0 } = pod.spec;
    const who = holderOf(pod, this.#own);
    const isSame = (one: LowerPods) => one.who === who && one.priority === priority;
    const [same, others] = [lower?.pods.find(isSame), lower?.pods.filter((one) => !isSame(one)) ?? []];
    const all = { who, priority, pods: (same?.pods ?? 0) + 1, used: addAmounts(same?.used ?? NOTHING, used) };
    const isLeaving = pod.metadata.deletionTimestamp !== undefined;
    return { pods: [...others, all], areLeaving: isLeaving || lower?.areLeaving === true };
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
}

/** Others of the same namespace by name; of other namespaces only these. */
export function holderOf({ metadata }: Pod, own: OwnJob): string {
  const { namespace = '', name, labels } = metadata;
  if (namespace !== own.namespace) return `namespace ${namespace}`;
  const job = labels?.[LABELS.job];
  if (job) return `job/${namespace}/${job}`;
  return `${namespace}/${controllerOf({ metadata })?.name ?? name}`;
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
