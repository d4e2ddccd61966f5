import type { PodTemplate } from './kubernetes.ts';

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
  readonly plan: Plan;
  /** What was accepted but may not be what was meant. */
  readonly warnings: readonly string[];
}

export interface Role {
  /** As the kind spells it, e.g. `Master`. */
  readonly name: string;
  readonly replicas: number;
  readonly restartPolicy: JobRestartPolicy;
  readonly template: PodTemplate;
}

export const JOB_RESTART_POLICIES = ['Always', 'OnFailure', 'Never', 'ExitCode'] as const;
export type JobRestartPolicy = (typeof JOB_RESTART_POLICIES)[number];

export const CLEAN_POD_POLICIES = ['All', 'Running', 'None'] as const;
export type CleanPodPolicy = (typeof CLEAN_POD_POLICIES)[number];

export interface RunPolicy {
  readonly cleanPodPolicy: CleanPodPolicy;
  readonly backoffLimit?: number;
  /** Seconds. */
  readonly activeDeadlineSeconds?: number;
}

/** `auto`: native where the cluster serves it, else none. */
export const GANG_CHOICES = ['auto', 'native', 'none'] as const;
export type GangChoice = (typeof GANG_CHOICES)[number];
export type GangProvider = Exclude<GangChoice, 'auto'>;

export interface GangRequest {
  readonly scheduler: GangChoice;
  readonly minMember: number;
  readonly priorityClass?: string;
}

/** What the machine needs to know of a job: no templates, so that its snapshot stays small. */
export interface Plan {
  readonly kind: string;
  readonly name: string;
  readonly namespace: string;
  readonly roles: readonly PlannedRole[];
  /** The field of spec that holds the roles: rules are named by their path. */
  readonly replicaSpecs: string;
  readonly runPolicy: RunPolicy;
  /** The job has succeeded when every replica of these roles has. */
  readonly successRoles: readonly string[];
  readonly messages: ConditionMessages;
  /** Label selector of all pods of a role, as replicaStatuses show it; `%s` stands for the role in lower case. */
  readonly roleSelector: string;
}

export interface PlannedRole {
  readonly name: string;
  readonly replicas: number;
  readonly restartPolicy: JobRestartPolicy;
}

/** Messages of Kubeflow's conditions that differ between kinds. */
export interface ConditionMessages {
  readonly running: string;
  readonly succeeded: string;
}
