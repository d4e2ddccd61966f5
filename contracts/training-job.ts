import type { PodTemplate } from './kubernetes.ts';
import type { Policy } from './policy.ts';
import type { ReasonCode } from './reasons.ts';

/**
 * A job as the engine runs it: any kind's manifest after validation and defaults. The workflow passes it on unread, but
 * for the plan.
 */
export interface TrainingJob {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly namespace: string;
  readonly annotations: Readonly<Record<string, string>>;
  readonly roles: readonly Role[];
  readonly runPolicy: RunPolicy;
  readonly gang: GangRequest;
  /** What only the framework of this kind reads, e.g. nprocPerNode; already validated. */
  readonly options: Readonly<Record<string, unknown>>;
  readonly conventions: Conventions;
  readonly plan: Plan;
  /** What was accepted but may not be what was meant. */
  readonly warnings: readonly string[];
}

/** What is the same for all jobs of a cluster, by configuration; a part of the job, so that it renders the same later. */
export interface Conventions {
  /** The cluster's domain, e.g. `cluster.local`: written into addresses that name it. */
  readonly domain?: string;
  /** Image of the init container that brings kubectl to the launcher of an MPIJob v1. */
  readonly kubectlImage: string;
  /** Image, with nslookup, of the init container in which workers of a PyTorchJob wait for their master; none: no wait. */
  readonly masterWaitImage?: string;
  /** Where elastic PaddleJobs of paddle-operator find etcd, e.g. `http://etcd:2379`; several separated by commas. */
  readonly etcdServers?: string;
}

/** training-operator's defaults, but for the wait: Services that publish not-ready addresses make it needless. */
export const DEFAULT_CONVENTIONS: Conventions = {
  kubectlImage: 'ghcr.io/kubeflow/training-v1/kubectl-delivery:latest',
};

export interface Role {
  /** As the kind spells it, e.g. `Master`. */
  readonly name: string;
  readonly replicas: number;
  readonly restartPolicy: JobRestartPolicy;
  readonly template: PodTemplate;
}

export const JOB_RESTART_POLICIES = ['Always', 'OnFailure', 'Never', 'ExitCode'] as const;
export type JobRestartPolicy = (typeof JOB_RESTART_POLICIES)[number];

/** Kubeflow's. */
export const CLEAN_POD_POLICIES = ['All', 'Running', 'None'] as const;
/** paddle-operator's. */
export const PADDLE_CLEAN_POD_POLICIES = ['Always', 'Never', 'OnFailure', 'OnCompletion'] as const;
export type CleanPodPolicy = (typeof CLEAN_POD_POLICIES | typeof PADDLE_CLEAN_POD_POLICIES)[number];

export interface RunPolicy {
  readonly cleanPodPolicy: CleanPodPolicy;
  readonly backoffLimit?: number;
  /** Seconds. */
  readonly activeDeadlineSeconds?: number;
  /** The job waits without pods until it is resumed. */
  readonly suspend?: boolean;
  /** Seconds after the end, when all that is left in the cluster goes. */
  readonly ttlSecondsAfterFinished?: number;
}

/** `auto`: what the cluster serves and the job's scheduling policy asks for. */
export const GANG_CHOICES = ['auto', 'native', 'volcano', 'coscheduling', 'kube-batch', 'none'] as const;
export type GangChoice = (typeof GANG_CHOICES)[number];
export type GangProvider = Exclude<GangChoice, 'auto'>;
/** Those with a kind of group of their own. */
export const GROUP_PROVIDERS = [
  'native',
  'volcano',
  'coscheduling',
  'kube-batch',
] as const satisfies readonly GangProvider[];

export interface GangRequest {
  /** Absent where the manifest leaves it to the configuration. */
  readonly scheduler?: GangChoice;
  /** Pods that must be placed together. */
  readonly minMember: number;
  readonly priorityClass?: string;
  readonly queue?: string;
  /** Instead of what the pods ask for, by resource. */
  readonly minResources?: Readonly<Record<string, string>>;
  /** Seconds; after them Coscheduling lets go of what it holds, and tries again. */
  readonly scheduleTimeoutSeconds?: number;
  /** Value of spec.schedulerName where the gang scheduler's own is chosen by configuration. */
  readonly schedulerName?: string;
}

/** What the machine needs to know of a job: no templates, so that its snapshot stays small. */
export interface Plan {
  readonly kind: string;
  readonly name: string;
  readonly namespace: string;
  readonly roles: readonly PlannedRole[];
  /** The field of spec that holds the roles, empty if spec itself does: rules are named by their path. */
  readonly replicaSpecs: string;
  readonly runPolicy: RunPolicy;
  /** The job has succeeded when every replica of these roles has. */
  readonly successRoles: readonly string[];
  /** Only the first replica of those roles decides. */
  readonly successOf?: 'first';
  readonly messages: ConditionMessages;
  /** Label selector of all pods of a role, as replicaStatuses show it; `%s` stands for the role in lower case. */
  readonly roleSelector?: string;
  readonly hostList?: HostListRule;
  /** What its pods share is made also while it is suspended. */
  readonly sharesWhileSuspended?: boolean;
  /** Pods that must be placed together. */
  readonly minMember?: number;
  /** Absent where the manifest has none: then the defaults hold. */
  readonly policy?: Policy;
  /** Told in the status of kinds that have it, e.g. paddle-operator's `Collective`. */
  readonly mode?: string;
}

export interface PlannedRole {
  readonly name: string;
  readonly replicas: number;
  readonly restartPolicy: JobRestartPolicy;
  /** So many of its pods make a running job, and can complete it; all of them unless said otherwise. */
  readonly enough?: number;
  /** What a failed pod means, where the restart policy does not decide it. */
  readonly onFailure?: FailureRule;
  /** Its pods are created when all pods of these roles are ready: a launcher must find its workers. */
  readonly after?: readonly string[];
  /** It can be scaled while it runs, to so many at least and at most. */
  readonly scales?: { readonly min: number; readonly max?: number };
  /** Its main container has a memory limit of its own: if it is killed for memory, that is the program's doing. */
  readonly limitsMemory?: boolean;
  /** Its counts are no longer told once the job has ended; `byDeciding`: by a pod of the roles that decide. */
  readonly uncountedAtEnd?: boolean | 'byDeciding';
}

export interface FailureRule {
  /**
   * `ignore`: a failed pod stays as it is, and the job goes on. `replace` and `fail`: as with restartPolicy OnFailure and
   * Never.
   */
  readonly do: 'ignore' | 'replace' | 'fail';
  /** What says so, as people read it, e.g. `spec.enableDynamicWorker: true`. */
  readonly rule: string;
  /** What is ignored otherwise fails the job when no pod of the role is left that has not ended. */
  readonly lastFails?: boolean;
  /** Whatever it does otherwise, the job fails with a pod that was evicted. */
  readonly evictedFails?: boolean;
}

/** Whose pods are listed in an object of the job that is renewed as they change, e.g. a file of hosts. */
export interface HostListRule {
  /** A pod is listed as soon as it has an address, or as soon as it is ready. */
  readonly when: 'addressed' | 'ready';
  readonly roles: readonly string[];
}

/**
 * Messages of Kubeflow's conditions that differ between kinds. In those of failures and restarts `%n` stands for the number
 * of failed pods and `%r` for their role.
 */
export interface ConditionMessages {
  readonly created?: string;
  readonly running: string;
  readonly succeeded: string;
  /** `notRunning`: Running is False while the job is suspended, also where it has never been True. */
  readonly suspended?: string;
  readonly resumed?: string;
  readonly notRunning?: string;
  /** Instead of the sentence that most kinds share; `whileActive`: only while a pod that decides is there. */
  readonly restarting?: { readonly message: string; readonly whileActive?: boolean };
  /** By reason code: what is written for it. */
  readonly failed?: Readonly<
    Partial<Record<ReasonCode, { readonly reason?: string; readonly message: string }>>
  >;
}
