import type { z } from 'zod';
import type { Fault } from '../contracts/faults.ts';
import type { Member } from '../contracts/host-list.ts';
import type { ContainerPort, EnvVar, KubeObject, PodSpec } from '../contracts/kubernetes.ts';
import type {
  GangRequest,
  JobRestartPolicy,
  Plan,
  PlannedRole,
  Role,
  TrainingJob,
} from '../contracts/training-job.ts';
import type { Dialect } from './manifest/dialect.ts';

/**
 * What differs between kinds of jobs. A kind is one file that exports one of these, and one line in the registry; what
 * only some kinds need is optional.
 */
export interface Framework {
  readonly apiVersion: string;
  readonly kind: string;
  /** How its manifests write roles and policies. */
  readonly dialect: Dialect;
  /** Value of the label operator-name: people select pods by it. */
  readonly operatorName: string;
  /** The field of spec that holds the roles, e.g. `pytorchReplicaSpecs`; empty where they are fields of spec itself. */
  readonly replicaSpecs: string;
  /** In the order in which pods are numbered, created and counted. */
  readonly roles: readonly RoleRules[];
  /** Name of the container that trains; without one it is the first. */
  readonly container?: string;
  /** Added to that container, unless its name or number is there already. */
  readonly port?: { readonly name: string; readonly number: number };
  /** The fields of spec that only this kind has; what they parse to becomes `job.options`. */
  readonly options: z.ZodObject;
  /** Rules that no single field can tell. */
  check?(draft: Draft): Fault[];
  /** Fills in what depends on other fields. */
  complete?(draft: Draft): Partial<Pick<Draft, 'roles' | 'options'>>;
  /** What was accepted, and may not be what was meant. */
  warnings?(draft: Draft): string[];
  /** The pods that the gang needs at least; all of them unless said otherwise. */
  minMember?(draft: Draft): number;
  /** What it asks of a gang scheduler where schedulingPolicy does not say. */
  gang?(draft: Draft): Pick<GangRequest, 'queue' | 'priorityClass'>;
  /** The role whose index 0 is the master, or all of it if that is its name: it has the role label, and its log is the job's. */
  masterRole?(roles: readonly Role[]): string | undefined;
  /** How the job is judged, and what is said of it. */
  plan(draft: Draft): FrameworkPlan;
  /** Variables of a pod, in order. */
  environment(job: TrainingJob, replica: Replica): readonly EnvVar[];
  /** Which containers get them: every one unless it is only the one that trains. */
  readonly environmentOf?: 'all' | 'main';

  // Capabilities

  /** The name of a replica's pod, and of its Service; `<job>-<role>-<index>` unless said otherwise. */
  podName?(jobName: string, role: string, index: number): string;
  /** Labels and annotations of a pod; Kubeflow's unless said otherwise. A Service of its own selects it by the first. */
  podMetadata?(job: TrainingJob, replica: Replica): PodMetadata;
  /** What a pod has beside its template, variables and port: volumes, init containers, a host name. */
  shapePod?(spec: PodSpec, job: TrainingJob, replica: Replica): PodSpec;
  /** Ports of a replica's own headless Service; undefined for none. The ports of the pod unless said otherwise. */
  servicePorts?(job: TrainingJob, replica: Replica): readonly ContainerPort[] | undefined;
  /** What belongs to the whole job, without what all objects carry: a ConfigMap, a Secret, a Role. Made before pods. */
  sharedObjects?(job: TrainingJob): readonly KubeObject[];
  /** What lists pods that are known only while they run; renewed as `Plan.hostList` says. */
  hostListObjects?(job: TrainingJob, members: readonly Member[]): readonly KubeObject[];
  /** Where programs read, outside of Kubernetes, how many of them there are to be: a key in etcd. */
  sizeInEtcd?(job: TrainingJob, attempt: number): SizeInEtcd | undefined;
}

export interface SizeInEtcd {
  /** Addresses, e.g. `http://etcd:2379`. */
  readonly servers: readonly string[];
  readonly key: string;
  readonly size: number;
}

export interface RoleRules {
  readonly name: string;
  /** A job without it is refused. */
  readonly required?: boolean;
  readonly minReplicas: number;
  readonly maxReplicas?: number;
  /** 1 where it is not said. */
  readonly defaultReplicas?: number;
  readonly defaultRestartPolicy: JobRestartPolicy;
  /** All of them where it is not said. */
  readonly restartPolicies?: readonly JobRestartPolicy[];
}

/** One pod of a job. */
export interface Replica {
  readonly role: Role;
  readonly index: number;
  /** The first where it is not said. */
  readonly attempt?: number;
}

export interface PodMetadata {
  /** What identifies the pod, as a Service selects it. */
  readonly selector: Readonly<Record<string, string>>;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
}

export interface FrameworkPlan
  extends Pick<
    Plan,
    'successRoles' | 'successOf' | 'messages' | 'hostList' | 'sharesWhileSuspended' | 'mode'
  > {
  /** replicaStatuses show a label selector. */
  readonly showsSelector?: boolean;
  /** By name of the role. */
  readonly roles?: Readonly<
    Record<
      string,
      Pick<PlannedRole, 'enough' | 'onFailure' | 'after' | 'scales' | 'uncountedAtEnd'> | undefined
    >
  >;
}

/** A manifest whose fields are each valid; what they say together is still to be checked. */
export interface Draft {
  readonly name: string;
  readonly namespace: string;
  readonly annotations: Readonly<Record<string, string>>;
  readonly roles: readonly Role[];
  readonly options: Readonly<Record<string, unknown>>;
  readonly runPolicy: TrainingJob['runPolicy'];
  readonly conventions: TrainingJob['conventions'];
}

/** Where a manifest of the kind has its roles, or one of them. */
export const rolePath = ({ replicaSpecs }: Pick<Framework, 'replicaSpecs'>, role?: string) =>
  ['spec', replicaSpecs, role].filter(Boolean).join('.');

/** What all attempts of a job would share outside of their pods gets a name of its own from the second attempt on. */
export const ofAttempt = (name: string, { attempt = 1 }: Pick<Replica, 'attempt'>) =>
  attempt === 1 ? name : `${name}-${attempt}`;

export const findRole = (roles: readonly Role[], name: string) => roles.find((role) => role.name === name);

export const totalReplicas = (roles: readonly Role[]) =>
  roles.reduce((total, { replicas }) => total + replicas, 0);

/** Variables in the order of the fields; what is undefined is left out. */
export const variables = (values: Readonly<Record<string, string | undefined>>): EnvVar[] =>
  Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [{ name, value }]));
