import type { PodTemplate } from './kubernetes.ts';
import type { OnHang } from './policy.ts';
import type { ReasonCode } from './reasons.ts';
import type { ReplicaCount } from './status.ts';
import type { Policy, ResourceIdentity } from './types.ts';

/**
 * A job as the engine runs it: the manifest of any kind after validation and defaults. The workflow reads only the plan
 * and passes on the rest.
 */
export interface TrainingJob {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly namespace: string;
  readonly annotations: Readonly<Record<string, string>>;
  readonly roles: readonly Role[];
  readonly gang: GangRequest;
  /** Options that only the framework of this kind reads, e.g. nprocPerNode; already validated. */
  readonly options: Readonly<Record<string, unknown>>;
  readonly conventions: Conventions;
  readonly plan: Plan;
  /** Accepted settings that may not be what the user meant. */
  readonly warnings: readonly string[];
  /** 1 as submitted; each amendment adds one. Absent until the job is admitted. */
  readonly revision?: number;
  /** The lane that it waits in. */
  readonly lane?: string;
  /** The custom resource that the job was made from. It owns the job's objects. */
  readonly resource?: ResourceIdentity;
}

/**
 * Configuration shared by all jobs of a cluster; stored in the job so that it always renders the same.
 *
 * @public
 */
export interface Conventions {
  /** The cluster's domain, e.g. `cluster.local`, for addresses that include it. */
  readonly domain?: string;
  /** Image of the init container that brings kubectl to the launcher of an MPIJob v1. */
  readonly kubectlImage: string;
  /** Image, with nslookup, of the init container in which PyTorchJob workers wait for the master; optional. */
  readonly masterWaitImage?: string;
  /** etcd for elastic PaddleJobs of paddle-operator, e.g. `http://etcd:2379`; several separated by commas. */
  readonly etcdServers?: string;
}

/** training-operator's defaults, except the wait: Services that publish not-ready addresses make it unnecessary. */
export const DEFAULT_CONVENTIONS: Conventions = {
  kubectlImage: 'ghcr.io/kubeflow/training-v1/kubectl-delivery:latest',
};

export interface Role {
  /** As the kind spells it, e.g. `Master`. */
  readonly name: string;
  readonly replicas: number;
  readonly restartPolicy: JobRestartPolicy;
  readonly template: PodTemplate;
  /** What only its kind has of a role; already validated. */
  readonly options?: Readonly<Record<string, unknown>>;
}

export const JOB_RESTART_POLICIES = ['Always', 'OnFailure', 'Never', 'ExitCode'] as const;
export type JobRestartPolicy = (typeof JOB_RESTART_POLICIES)[number];

/** Which pods are removed at the end, whatever the end is. */
export const CLEAN_POD_POLICIES = ['All', 'Running', 'None'] as const;
/** At which end pods are removed. */
export const CLEAN_UP_TIMES = ['Always', 'Never', 'OnFailure', 'OnCompletion'] as const;
export type CleanPodPolicy = (typeof CLEAN_POD_POLICIES | typeof CLEAN_UP_TIMES)[number];

export interface RunPolicy {
  readonly cleanPodPolicy: CleanPodPolicy;
  readonly backoffLimit?: number;
  /** Seconds. */
  readonly activeDeadlineSeconds?: number;
  /** The job has no pods until it is resumed. */
  readonly suspend?: boolean;
  /** Seconds after the end until everything left in the cluster is deleted. */
  readonly ttlSecondsAfterFinished?: number;
}

/**
 * `auto`: chosen by what the cluster serves and what the job's scheduling policy asks for.
 *
 * @public
 */
export const GANG_CHOICES = [
  'auto',
  'native',
  'volcano',
  'coscheduling',
  'kube-batch',
  'kueue',
  'gated',
  'gated-native',
  'none',
] as const;
/**
 * Which gang scheduler a job asks for.
 *
 * @public
 */
export type GangChoice = (typeof GANG_CHOICES)[number];
/**
 * The gang scheduler that a job uses.
 *
 * @public
 */
export type GangProvider = Exclude<GangChoice, 'auto'>;
/**
 * What can hold back the pods of a job: `group` is the group of a gang scheduler that must admit it first, `lane` is its turn
 * in its lane.
 */
export type GateName = 'group' | 'lane';
/** Schedulers with a group resource of their own. */
export const GROUP_PROVIDERS = [
  'native',
  'volcano',
  'coscheduling',
  'kube-batch',
  'kueue',
] as const satisfies readonly GangProvider[];

/** What workflows and watchers need to know of a gang scheduler; adapters have the rest. */
interface GangTraits {
  /** Whose groups its jobs have; absent if they have none. */
  readonly groups?: (typeof GROUP_PROVIDERS)[number];
  /** signalbox holds the pods back by scheduling gates, and lifts these when there is room for the whole gang. */
  readonly isGated?: true;
  /** The API server refuses changes of a group: it keeps the size that it was created with. */
  readonly keepsGroupSize?: true;
  /** Pods that have ended are no members: the others then wait for ever in a group that needs these. */
  readonly countsOnlyLive?: true;
  /**
   * It hands out quota instead of placing pods. A job has one group for all its attempts: it keeps its quota until it ends, is
   * suspended, or loses it.
   */
  readonly givesQuota?: true;
}

const NATIVE: GangTraits = { groups: 'native', keepsGroupSize: true, countsOnlyLive: true };

const GANG_TRAITS: Readonly<Record<GangProvider, GangTraits>> = {
  native: NATIVE,
  volcano: { groups: 'volcano' },
  coscheduling: { groups: 'coscheduling', countsOnlyLive: true },
  'kube-batch': { groups: 'kube-batch' },
  kueue: { groups: 'kueue', givesQuota: true },
  gated: { isGated: true },
  'gated-native': { ...NATIVE, isGated: true },
  none: {},
};

export const gangTraits = (gang: GangProvider): GangTraits => GANG_TRAITS[gang];

/** Whether the group of a job gives it quota. */
export const givesQuota = (gang: GangProvider): boolean => gangTraits(gang).givesQuota === true;

export interface GangRequest {
  /** Absent if the manifest leaves it to the configuration. */
  readonly scheduler?: GangChoice;
  /** The gang scheduler that it uses where the cluster has it and no person has chosen another. */
  readonly prefers?: GangProvider;
  /** Pods that must be placed together. */
  readonly minMember: number;
  readonly priorityClass?: string;
  readonly queue?: string;
  /** Replaces what the pods request, by resource. */
  readonly minResources?: Readonly<Record<string, string>>;
  /** Seconds after which Coscheduling releases what it holds and tries again. */
  readonly scheduleTimeoutSeconds?: number;
  /** How near to each other the pods are to be, as Volcano writes it. */
  readonly networkTopology?: Readonly<Record<string, unknown>>;
  /** The gang scheduler's spec.schedulerName if the configuration sets it. */
  readonly schedulerName?: string;
  readonly kueue?: KueueRequest;
}

/** What the labels of Kueue on a job say. */
export interface KueueRequest {
  /** Name of a LocalQueue of its namespace. */
  readonly queue?: string;
  /** Name of a WorkloadPriorityClass. */
  readonly priorityClass?: string;
}

/**
 * What keeps a program that goes on beside a later attempt from taking part in it: the ranks of that meet at another `port`.
 * Else why nothing does.
 */
export type GangFence = 'port' | 'onePod' | 'elastic' | 'servers' | 'launcher' | 'ownAddress' | 'unknown';

/** The part of a job that the machine reads. It has no templates, so that the snapshot stays small. */
export interface Plan {
  readonly kind: string;
  readonly name: string;
  readonly namespace: string;
  readonly roles: readonly PlannedRole[];
  /** The field of spec that holds the roles, as its kind says it. The paths of rules start with it. */
  readonly replicaSpecs: string;
  /** What else the job was made from, in words: `ClusterTrainingRuntime torch-distributed, generation 3`. */
  readonly references?: readonly string[];
  readonly runPolicy: RunPolicy;
  /** Where its manifest has the run policy; absent: `spec.runPolicy`. */
  readonly runPolicyPath?: 'spec';
  /** The job succeeds when every replica of these roles has succeeded. */
  readonly successRoles: readonly string[];
  /** Only the first replica of those roles decides. */
  readonly successOf?: 'first';
  /** Replaces both: all roles decide together. */
  readonly success?: SuccessRule;
  /** Most restarts by signalbox; more fail the job. Those in place do not count. */
  readonly restartLimit?: { readonly most: number; readonly rule: string };
  readonly messages: ConditionMessages;
  /** Label selector of all pods of a role for replicaStatuses; `%s` stands for the role in lower case. */
  readonly roleSelector?: string;
  readonly hostList?: HostListRule;
  /** Absent for jobs that were admitted when it was not looked for. */
  readonly fence?: GangFence;
  /** Creates the shared objects also while the job is suspended. */
  readonly sharesWhileSuspended?: boolean;
  /** Pods that must be placed together. */
  readonly minMember?: number;
  /** What must be free for them, where the manifest says it. */
  readonly minResources?: GangRequest['minResources'];
  /** Absent if the manifest has none: the defaults apply. */
  readonly policy?: Policy;
  /** What the installation wants to follow when the job makes no steps, unless the policy says it; absent: nothing. */
  readonly onHang?: OnHang;
  /** Shown in the status of kinds that have it, e.g. `Collective`. */
  readonly mode?: string;
  /** The counts in replicaStatuses; default: active, succeeded, failed. */
  readonly replicaCounts?: readonly ReplicaCount[];
}

export interface PlannedRole {
  readonly name: string;
  readonly replicas: number;
  readonly restartPolicy: JobRestartPolicy;
  /** Number of pods that is enough to run and to complete; all if absent. */
  readonly enough?: number;
  /** What a failed pod means if the restart policy does not decide it. */
  readonly onFailure?: FailureRule;
  /** What follows from what happens to its pods: the first that fits, before `onFailure` and the restart policy. */
  readonly reactions?: readonly Reaction[];
  /** Its pods are created when enough pods of these roles are ready: a launcher must find its workers. */
  readonly after?: readonly string[];
  /** One of those roles is enough. */
  readonly afterAny?: true;
  /** Those of `after` whose pods must have succeeded: to be ready is not enough. */
  readonly afterEnd?: readonly string[];
  /** So many restarts in place are left to the kubelet in an attempt; one more is a failure, for which `reactions` decide. */
  readonly inPlace?: { readonly most: number; readonly rule: string };
  /** So many pods of the role, in the order of their indices, belong together. */
  readonly partitionSize?: number;
  /** The role can be scaled while it runs, within these limits. */
  readonly scales?: { readonly min: number; readonly max?: number };
  /** Its main container has its own memory limit: if it is OOM-killed, the program is the cause. */
  readonly limitsMemory?: boolean;
  /** Extended resources that each of its pods requests, e.g. GPUs. */
  readonly devices?: Readonly<Record<string, number>>;
  /** The status omits its counts once the job has ended; `byDeciding`: only if a pod of the success roles has ended. */
  readonly uncountedAtEnd?: boolean | 'byDeciding';
}

/** What follows from an event, by a rule of the manifest. */
export interface Reaction {
  /**
   * `failed`: a pod has failed. `gone`: it was told to stop before its program had ended. `succeeded`: every pod of the role
   * has. `worn`: its containers were restarted in place more often than `inPlace` of the role allows.
   */
  readonly on: 'failed' | 'gone' | 'succeeded' | 'worn';
  /** Only if the main container exited with this code. */
  readonly exitCode?: number;
  /**
   * `ignore`: the pod stays as it is. `replace`: it is made again, at no cost. `fail`: the job fails. Restarts count
   * (`Plan.restartLimit`). The others are for the whole job: it is suspended, stopped or completed.
   */
  readonly do:
    | 'ignore'
    | 'replace'
    | 'fail'
    | 'restartPod'
    | 'restartPartition'
    | 'restartRole'
    | 'restartGang'
    | 'suspend'
    | 'stop'
    | 'complete';
  /** Restarts by this rule; then it fits no more. Those of pods are counted anew in each attempt. */
  readonly atMost?: number;
  /** Path and value of the rule for users, e.g. `spec.policies[0]: PodEvicted, RestartJob`. */
  readonly rule: string;
}

/** When a job has succeeded, if that does not follow from roles alone. */
export interface SuccessRule {
  /** As soon as so many pods have succeeded. */
  readonly pods?: number;
  /** When all pods have ended: if so many of them have succeeded, and of each role as many as are `enough`. */
  readonly atEnd: number;
  /** It takes no more of each role than of the whole. */
  readonly ofEachRole: boolean;
  /** Path and value for users, e.g. `spec.minAvailable: 2`. */
  readonly rule: string;
}

export interface FailureRule {
  /**
   * `ignore`: the failed pod stays, and the job continues. `replace` and `fail`: as with restartPolicy OnFailure and
   * Never.
   */
  readonly do: 'ignore' | 'replace' | 'fail';
  /** Path and value of the rule for users, e.g. `spec.enableDynamicWorker: true`. */
  readonly rule: string;
  /** A failure that is otherwise ignored fails the job when all pods of the role have ended. */
  readonly lastFails?: boolean;
  /** An evicted pod fails the job, whatever `do` is. */
  readonly evictedFails?: boolean;
}

/** Which pods a job lists in one of its objects, e.g. a hosts file; updated as the pods change. */
export interface HostListRule {
  /** A pod is listed as soon as it has an address, or as soon as it is ready. */
  readonly when: 'addressed' | 'ready';
  readonly roles: readonly string[];
}

/**
 * Messages of Kubeflow's conditions that differ between kinds. In messages of failures and restarts `%n` stands for the
 * number of failed pods and `%r` for their role.
 */
export interface ConditionMessages {
  readonly created?: string;
  readonly running: string;
  readonly succeeded: string;
  /** If `notRunning` is set, a suspended job has the condition Running=False even if it never ran. */
  readonly suspended?: string;
  readonly resumed?: string;
  readonly notRunning?: string;
  /** Replaces the sentence that most kinds share; `whileActive`: only while a pod of the success roles is active. */
  readonly restarting?: { readonly message: string; readonly whileActive?: boolean };
  /** Reason and message of the condition, by reason code. */
  readonly failed?: Readonly<
    Partial<Record<ReasonCode, { readonly reason?: string; readonly message: string }>>
  >;
}
