import type { Node, Pod, PodSpec, Taint } from '../../contracts/kubernetes.ts';
import { LABELS } from '../../contracts/labels.ts';
import { NODE_CLASSES } from '../../contracts/node-classes.ts';
import { parseAmounts } from '../../contracts/pod-requests.ts';
import type { WaitAnswer } from '../../explain/answer.ts';
import { explainSituation } from '../../explain/explain.ts';
import { Neighbours } from '../../explain/neighbours.ts';
import { NodeUsage } from '../../explain/node-usage.ts';
import { preemptsBelow } from '../../explain/preemption.ts';
import { QuotaClaimants } from '../../explain/quota-claimants.ts';
import { type ClaimPlaces, type OwnPod, shapesOf } from '../../explain/shape.ts';
import type { ClusterView, OwnState, QuotaView, Situation, WaitingPod } from '../../explain/situation.ts';
import type { Namespaces } from '../../explain/topology-terms.ts';

/** Situations as Kubernetes' own objects describe them. */

const NOW = Date.parse('2026-11-27T12:00:00Z');
const GPU = 'nvidia.com/gpu';

export const ago = (seconds: number) => new Date(NOW - seconds * 1000).toISOString();

interface NodeChoice {
  readonly name?: string;
  readonly gpus?: number;
  readonly cpu?: string;
  readonly pods?: number;
  readonly labels?: Readonly<Record<string, string>>;
  /** `key`, `key=value` or `key:effect`. */
  readonly taint?: string;
  readonly isCordoned?: boolean;
  readonly isReady?: boolean;
}

export function aNode(index: number, choice: NodeChoice = {}): Node {
  const { name = `node-${index}`, gpus = 8, cpu = '64', pods = 110, labels, taint, isCordoned } = choice;
  const cordon = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' };
  const taints = [...(taint ? [taintOf(taint)] : []), ...(isCordoned ? [cordon] : [])];
  return {
    ...{
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name, labels: { ...labels, 'kubernetes.io/hostname': name } },
    },
    spec: { taints, ...(isCordoned ? { unschedulable: true } : {}) },
    status: {
      allocatable: { cpu, memory: '512Gi', pods: String(pods), ...(gpus ? { [GPU]: String(gpus) } : {}) },
      conditions: [{ type: 'Ready', status: choice.isReady === false ? 'Unknown' : 'True' }],
    },
  };
}

function taintOf(text: string): Taint {
  const [, key, value, effect = 'NoSchedule'] = /^([^=:]+)(?:=([^:]+))?(?::(.+))?$/.exec(text) ?? [];
  return { key: key!, ...(value ? { value } : {}), effect };
}

export const nodes = (count: number, choice: NodeChoice = {}): Node[] =>
  Array.from({ length: count }, (_, index) =>
    aNode(index, { ...choice, name: `${choice.name ?? 'node'}-${index}` }),
  );

export const specOf = (gpus: number, more: Partial<PodSpec> = {}): PodSpec => ({
  containers: [{ name: 'pytorch', resources: gpus ? { limits: { [GPU]: String(gpus) } } : {} }],
  ...more,
});

interface UsedBy {
  readonly node?: string;
  readonly gpus?: number;
  readonly namespace?: string;
  readonly job?: string;
  readonly deletedAt?: string;
  readonly nominated?: string;
  readonly owner?: string;
  readonly phase?: 'Running' | 'Succeeded';
  readonly labels?: Readonly<Record<string, string>>;
  readonly spec?: Partial<PodSpec>;
}

let pods = 0;

/** A pod of others, or of the job if it is named `train` in `ml`. */
export function usedBy({ node, gpus = 8, namespace = 'vision', phase = 'Running', ...choice }: UsedBy): Pod {
  const { job, deletedAt, nominated, owner, labels = {}, spec = {} } = choice;
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      ...{ name: `other-${pods++}`, namespace, labels: { ...labels, ...(job ? { [LABELS.job]: job } : {}) } },
      ...(deletedAt ? { deletionTimestamp: deletedAt, deletionGracePeriodSeconds: 0 } : {}),
      ...(owner
        ? {
            ownerReferences: [
              { apiVersion: 'apps/v1', kind: owner, name: 'owner', uid: 'u', controller: true },
            ],
          }
        : {}),
    },
    spec: { ...specOf(gpus), ...spec, nodeName: node },
    status: { phase, ...(nominated ? { nominatedNodeName: nominated } : {}) },
  };
}

export interface Choice {
  readonly nodes?: readonly Node[];
  readonly others?: readonly Pod[];
  readonly pods?: readonly OwnPod[];
  /** Of a gang. */
  readonly minMember?: number;
  /** So many pods must have a node before the job runs. */
  readonly enough?: number;
  readonly waiting?: readonly WaitingPod[];
  readonly own?: OwnState;
  readonly cluster?: Partial<ClusterView>;
  readonly claims?: ClaimPlaces | undefined;
  readonly namespaces?: Namespaces;
  readonly leaving?: Situation['demand']['leaving'];
  readonly objects?: Readonly<Record<string, number>>;
  readonly unread?: readonly string[];
  readonly isSuspended?: true;
}

/** Pods of a role that do not exist yet. */
export const wanted = (count: number, spec: PodSpec, role = 'worker'): OwnPod[] =>
  Array.from({ length: count }, () => ({
    ...{ role, spec, isCreated: false },
    metadata: { namespace: 'ml', labels: { [LABELS.job]: 'train', [LABELS.role]: role } },
  }));

export const created = (count: number, spec: PodSpec, role = 'worker'): OwnPod[] =>
  wanted(count, spec, role).map((pod) => ({ ...pod, isCreated: true }));

export const waitingPods = (count: number, choice: Partial<WaitingPod> = {}): WaitingPod[] =>
  Array.from({ length: count }, (_, index) => ({
    ...{ pod: `train-worker-${index}`, schedulerName: 'default-scheduler', createdAt: ago(10), gates: [] },
    ...choice,
  }));

export const PENDING: OwnState = {
  phase: 'Pending',
  state: 'Pending.Scheduling',
  since: ago(60),
  causes: [],
};

export function situation(choice: Choice): Situation {
  const own = { namespace: 'ml', name: 'train' };
  const neighbours = new Neighbours(choice.pods ?? [], {
    job: own,
    namespaces: choice.namespaces,
  });
  const usage = new NodeUsage(own, {
    ...{ isLasting: neighbours.isLasting, preemptsBelow: preemptsBelow(choice.pods ?? []) },
  });
  const claimants = new QuotaClaimants(own);
  for (const pod of choice.others ?? []) {
    usage.add(pod);
    claimants.add(pod);
    neighbours.add(pod);
  }
  return {
    at: NOW,
    ...(choice.own ? { own: choice.own } : {}),
    demand: {
      namespace: 'ml',
      shapes: shapesOf(choice.pods ?? [], {
        ...{ claims: choice.claims, namespaces: choice.namespaces },
        repelling: neighbours.repelling,
      }),
      minMember: choice.minMember ?? 1,
      ...(choice.enough === undefined ? {} : { enough: choice.enough }),
      waiting: choice.waiting ?? [],
      leaving: choice.leaving ?? [],
      ...(choice.isSuspended ? { isSuspended: true } : {}),
      objects: choice.objects ?? {},
    },
    cluster: {
      nodes: neighbours.withRepelling((choice.nodes ?? nodes(4)).map((node) => usage.view(node, NOW))),
      isUsageKnown: true,
      neighbours: neighbours.counts,
      neighbourPods: neighbours.holders,
      holders: usage.holders,
      claimants: claimants.all,
      ...{ quotas: [], missing: [], volumes: [], refused: [], schedulers: {}, autoscaler: [] },
      ...choice.cluster,
    },
    unread: choice.unread ?? [],
  };
}

export const quota = (
  hard: Readonly<Record<string, string>>,
  used: Readonly<Record<string, string>> = {},
  scopes: QuotaView['scopes'] = [],
): QuotaView => ({ name: 'team', hard: parseAmounts(hard), used: parseAmounts(used), scopes });

/** Answers, once it is checked that each node is in exactly one class. */
export function answerTo(choice: Choice): WaitAnswer {
  const given = situation(choice);
  const answer = explainSituation(given);
  for (const placement of answer.placements) {
    const sum = placement.classes.reduce((total, { nodes: count }) => total + count, 0);
    if (sum !== given.cluster.nodes?.length || sum !== placement.nodes)
      throw new Error(`${sum} of ${given.cluster.nodes?.length} nodes are in a class`);
    const unknown = placement.classes.find((one) => !(one.class in NODE_CLASSES));
    if (unknown) throw new Error(`no such class: ${unknown.class}`);
  }
  return answer;
}
