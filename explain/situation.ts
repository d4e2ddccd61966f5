import type { Taint } from '../contracts/kubernetes.ts';
import type { NodeCondition } from '../contracts/node-conditions.ts';
import type { Amounts } from '../contracts/pod-requests.ts';
import type { ReasonCode, WaitCode } from '../contracts/reasons.ts';
import type { OtherCause, Phase, QueuePlace } from '../contracts/types.ts';
import type { Moment } from './moment.ts';
import type { NodeSelectorTerm, Toleration } from './node-selector.ts';
import type { NeighbourCounts, NeighbourPod, TopologyTerm } from './topology-terms.ts';

/** Everything that an explanation follows from: what a job needs, and what the cluster has. */
export interface Situation {
  /** When it was read, epoch milliseconds. */
  readonly at: number;
  readonly demand: Demand;
  readonly cluster: ClusterView;
  /** What the engine says of the job; absent before it is submitted. */
  readonly own?: OwnState;
  /** What could not be read, each in a sentence. */
  readonly unread: readonly string[];
}

export interface OwnState {
  readonly phase: Phase;
  readonly state: string;
  /** RFC 3339. */
  readonly since?: string;
  /** The cause in its status, and what else it waits for. */
  readonly causes: readonly OtherCause[];
}

/** The pods of the job. */
export interface Demand {
  readonly namespace: string;
  /** Pods that are equal for a scheduler are one shape. */
  readonly shapes: readonly PodShape[];
  /** How many pods must find a place at once; 1 without gang scheduling. */
  readonly minMember: number;
  /** How many pods must have a node before the job runs; all of them by default. */
  readonly enough?: number;
  /** Pods without a node that exist. */
  readonly waiting: readonly WaitingPod[];
  /** Pods that are being deleted and are still there. */
  readonly leaving: readonly LeavingPod[];
  /** Where amounts come from that the manifest does not have, by resource, e.g. `LimitRange defaults`. */
  readonly origins?: Readonly<Record<string, string>>;
  /** It would be submitted as suspended. */
  readonly isSuspended?: true;
  /** How many objects of a kind the job creates that do not exist yet, by plural, e.g. `services`; for quotas. */
  readonly objects: Readonly<Record<string, number>>;
}

/** What decides where a pod may run, and what it uses of a quota. */
export interface PodShape {
  /** In lower case. */
  readonly roles: readonly string[];
  readonly pods: number;
  /** How many of them have a node. */
  readonly placed: number;
  /** How many of them exist. */
  readonly created: number;
  /** With `pods: 1`, and ports of the node. */
  readonly requests: Amounts;
  readonly limits: Amounts;
  readonly nodeSelector: Readonly<Record<string, string>>;
  /** A node must match each: the pod's affinity, and those of its volumes. Empty: any node. */
  readonly affinities: readonly NodeDemand[];
  /** The only node that its pods may use: their template names it, so that no scheduler is asked. */
  readonly nodeName?: string;
  readonly tolerations: readonly Toleration[];
  /** What it prefers of a node. */
  readonly preferred: readonly NodeSelectorTerm[];
  /** What limits its place by where other pods are. */
  readonly topology: readonly TopologyTerm[];
  /** Names of the anti-affinities of others that are about it. */
  readonly repelledBy: readonly string[];
  /** What limits its place and is not computed here, e.g. `resourceClaims`. */
  readonly notComputed: readonly string[];
  readonly gates: readonly string[];
  readonly schedulerName: string;
  readonly priorityClassName?: string;
  readonly hasDeadline: boolean;
  /** It has affinity or anti-affinity to pods of other namespaces, if only a preference: quotas may count such pods. */
  readonly reachesNamespaces: boolean;
}

/** A node must match one of the terms. */
export interface NodeDemand {
  readonly terms: readonly NodeSelectorTerm[];
  /** The PersistentVolumeClaim whose volume demands it; of pods that are otherwise equal, that of the first. */
  readonly claim?: string;
}

export interface WaitingPod {
  readonly pod: string;
  readonly schedulerName: string;
  /** RFC 3339. */
  readonly createdAt: string;
  readonly gates: readonly string[];
  /** What the scheduler said last; absent if it has not looked at the pod. */
  readonly scheduler?: { readonly reason: string; readonly message: string; readonly since?: string };
}

export interface LeavingPod {
  readonly pod: string;
  readonly node?: string;
  /** When its deletion was asked for, RFC 3339. */
  readonly since: string;
  readonly finalizers: readonly string[];
}

export interface ClusterView {
  /** Absent if they may not be listed. */
  readonly nodes?: readonly NodeView[];
  /** False if the pods of all namespaces may not be listed: then only what nodes have is known, not what is free. */
  readonly isUsageKnown: boolean;
  /** Where the pods are that terms of the job's pods are about; absent if pods may not be listed. */
  readonly neighbours?: NeighbourCounts;
  /** Whose they are, and whose pods bear none of the job beside them. */
  readonly neighbourPods?: readonly NeighbourPod[];
  /** Who uses how much of each node; of other namespaces than the job's only the namespace. */
  readonly holders: readonly Holder[];
  readonly quotas: readonly QuotaView[];
  /** Whose pods quotas of the job's namespace count, but for those of the job. */
  readonly claimants?: readonly Claimant[];
  readonly missing: readonly MissingReference[];
  /** What of the pods has no effect, or may be missing, in sentences. */
  readonly notes?: readonly string[];
  readonly volumes: readonly PendingVolume[];
  /** Absent for a job without a gang scheduler, or whose group cannot be read. */
  readonly group?: GroupView;
  readonly queue?: QueueView;
  /** Why it waits in its lane, or would. */
  readonly lane?: LaneWait;
  /** Of a gated gang whose gates hold. */
  readonly line?: LineView;
  /** What a dry run of the API server refused. */
  readonly refused: readonly RefusedObject[];
  /** Of a job that was refused pods: the API server would take them now. */
  readonly isAdmitted?: true;
  /** What the leases of schedulers say, by the name of the scheduler; absent where they may not be read. */
  readonly schedulers: Readonly<Record<string, SchedulerView>>;
  /** What autoscalers said of the pods last. */
  readonly autoscaler: readonly AutoscalerEvent[];
}

export interface NodeView {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly taints: readonly Taint[];
  readonly trouble?: NodeCondition;
  readonly allocatable: Amounts;
  /** What pods with this node request, also those that are being deleted. */
  readonly used: Amounts;
  /** The part of it that stays however long the job waits: of DaemonSets, and of pods beside which affinity wants those of the job. */
  readonly lasting: Amounts;
  /** The part of it that is being deleted. */
  readonly leaving: Amounts;
  /** When the first of those was asked to go, epoch milliseconds. */
  readonly leavingSince?: number;
  /** What pods of a lower priority request that the scheduler may remove for those of the job; absent if there are none. */
  readonly lower?: { readonly pods: readonly LowerPods[]; readonly areLeaving: boolean };
  /** What pods without a node request for which the scheduler has made room here. */
  readonly nominated: Amounts;
  /** Names of the anti-affinities of others that keep pods of the job away from here, at each moment. */
  readonly repelling?: Readonly<Record<Moment, ReadonlySet<string>>>;
}

/** Pods of one holder with one priority. */
export interface LowerPods {
  /** As holders are named. */
  readonly who: string;
  readonly priority: number;
  readonly pods: number;
  readonly used: Amounts;
}

export interface Holder {
  /** `job/ml/train`, `ml/web` or a namespace. */
  readonly who: string;
  /** Where; absent of what is counted over all nodes. */
  readonly node?: string;
  readonly used: Amounts;
}

/** Pods of which the same quotas count. */
export interface Claimant extends Holder {
  readonly counted: CountedBy;
}

/** What of pods decides which quotas count them. */
export type CountedBy = Pick<
  PodShape,
  'hasDeadline' | 'reachesNamespaces' | 'priorityClassName' | 'requests' | 'limits'
>;

export interface QuotaView {
  readonly name: string;
  readonly hard: Amounts;
  readonly used: Amounts;
  readonly scopes: readonly QuotaScope[];
}

export interface QuotaScope {
  readonly scopeName: string;
  readonly operator?: string;
  readonly values?: readonly string[];
}

export interface MissingReference {
  readonly kind: string;
  readonly name: string;
  /** What of the pods names it, e.g. `volume data of worker`. */
  readonly of: string;
  /** The object exists, and lacks this key. */
  readonly key?: string;
  /** One of its kind, or a key of the object, that exists, with a name like it. */
  readonly near?: string;
  /** The first of its kind that exist, if none has a name like it and only an administrator makes them; or the first keys. */
  readonly there?: readonly string[];
}

export interface PendingVolume {
  readonly claim: string;
  /** In a sentence's words. */
  readonly why: string;
  /** A scheduler has chosen the node of its first pod, and says nothing of that until there is a volume. */
  readonly isChosen?: true;
  /** No waiting can cure it. */
  readonly never?: true;
  /** RFC 3339. */
  readonly since?: string;
}

export interface GroupView {
  /** E.g. `volcano`. */
  readonly scheduler: string;
  readonly name: string;
  readonly exists: boolean;
  /** What the scheduler says, in words. */
  readonly message?: string;
  readonly scheduled?: 'True' | 'False' | 'Unknown';
  /** False until a scheduler that must see the group before its pods has admitted it. */
  readonly admitted?: boolean;
  /** Paths of templates that name another scheduler, as sentences. */
  readonly others: readonly string[];
}

/** Where a gated gang is in the order in which gates are lifted. */
export interface LineView {
  readonly place: QueuePlace;
  /** The gang that is being placed. */
  readonly placing?: string;
  /** Its gates are lifted also without room. */
  readonly liftsOnQuota?: boolean;
}

/** What a queue of others says of the job: Kueue's Workload, or the queue of a Volcano group. */
export interface QueueView {
  /** E.g. `Kueue`. */
  readonly of: string;
  readonly code: Extract<WaitCode, 'QueueClosed' | 'WaitingForQueue' | 'NeverFits'>;
  /** Its own words; absent before the job is submitted. */
  readonly message?: string;
  readonly since?: string;
  /** Of a job that waits for quota in a LocalQueue. */
  readonly place?: QueuePlace;
  /** The scheduling gate by which it holds pods back. */
  readonly gate?: string;
  /** It holds the job back by its suspension. */
  readonly suspends?: true;
  /** A user has deactivated the job in it. */
  readonly isDeactivated?: true;
}

export interface LaneWait {
  readonly code: Extract<
    WaitCode,
    'QueueClosed' | 'LaneFaulty' | 'WaitingInLane' | 'NeverFits' | 'AwaitingWatcher'
  >;
  /** Without the place. */
  readonly why: string;
  readonly place?: QueuePlace;
}

export interface RefusedObject {
  readonly code: ReasonCode;
  readonly object: string;
  readonly message: string;
}

export interface SchedulerView {
  /** Of the lease that was looked for, with its namespace. */
  readonly name: string;
  /** RFC 3339; absent if it has no lease. */
  readonly renewedAt?: string;
}

export interface AutoscalerEvent {
  /** E.g. `TriggeredScaleUp`. */
  readonly reason: string;
  readonly message: string;
  readonly at?: string;
}
