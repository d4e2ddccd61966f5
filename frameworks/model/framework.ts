import type { z } from 'zod';
import type { Member } from '../../contracts/host-list.ts';
import type { ContainerPort, EnvVar, KubeObject, PodSpec } from '../../contracts/kubernetes.ts';
import { findRole } from '../../contracts/roles.ts';
import type {
  GangFence,
  GangRequest,
  JobRestartPolicy,
  Plan,
  PlannedRole,
  Role,
  TrainingJob,
} from '../../contracts/training-job.ts';
import type { Fault } from '../../contracts/types.ts';
import type { Dialect } from './dialect.ts';
import type { KindReferences } from './kind-references.ts';
import type { ManifestWarning } from './manifest-warning.ts';
import type { ResourceCustoms } from './resource-customs.ts';

/** The fields of spec that only one kind has. */
type KindOptions = Readonly<Record<string, unknown>>;

/** A job of a kind with these options. */
export type JobWith<Options extends KindOptions> = TrainingJob & { readonly options: Options };

/**
 * Describes what differs between kinds of jobs. A kind is one file that exports a Framework, and one line in the
 * registry. Members that only some kinds need are optional. They are methods, so that a Framework of some options is one
 * of any: what it is given has been parsed by its own `options`.
 */
export interface Framework<Options extends KindOptions = KindOptions> {
  readonly apiVersion: string;
  readonly kind: string;
  /** What its JSON Schema and its types are called, if another kind has its name; default: `pytorchjob`, `PyTorchJob`. */
  readonly schema?: { readonly name: string; readonly title: string };
  /** How its custom resource shows a job; default: as Kubeflow's. */
  readonly resource?: ResourceCustoms;
  /** Objects of the cluster that manifests name and are incomplete without. */
  readonly references?: KindReferences;
  /** How manifests of the kind write roles and policies. */
  readonly dialect: Dialect;
  /** Value of the label operator-name, by which users select pods. */
  readonly operatorName: string;
  /**
   * The field of spec that holds the roles by name, e.g. `pytorchReplicaSpecs`; empty if they are fields of spec itself. With
   * `[]` behind it, e.g. `tasks[]`, it is a list of roles that say their own names.
   */
  readonly replicaSpecs: string;
  /** In the order in which pods are numbered, created and counted. Those of a list have rules for `ANY_ROLE`, and its order. */
  readonly roles: readonly RoleRules[];
  /** The fields of a role that only this kind has. The parsed value becomes `options` of the role. */
  readonly roleOptions?: z.ZodObject;
  /** Name of the main container; default: the first container. */
  readonly container?: string;
  /** Added to the main container unless it already has a port of that name or number. */
  readonly port?: { readonly name: string; readonly number: number };
  /** The fields of spec that only this kind has. The parsed value becomes `job.options`. */
  readonly options: z.ZodObject & z.ZodType<Options>;
  /** Checks rules that span several fields. */
  check?(draft: Draft<Options>): Fault[];
  /** Fills in defaults that depend on other fields. */
  complete?(draft: Draft<Options>): Partial<Pick<Draft<Options>, 'roles' | 'options'>>;
  /** Warns about valid input that may not be what the user meant. */
  readonly warnings?: readonly KindWarning<Options>[];
  /** The smallest number of pods that the gang needs; default: all pods. */
  minMember?(draft: Draft<Options>): number;
  /** Gang scheduler settings that apply where schedulingPolicy does not set them. */
  gang?(draft: Draft<Options>): Pick<GangRequest, 'queue' | 'priorityClass'>;
  /** The role whose replica 0 is the master (see `RoleRules.allMasters`): it gets the label, and its log is the job's. */
  masterRole(roles: readonly Role[]): string;
  /** Rules for success and failure, and condition messages. */
  plan(draft: Draft<Options>): FrameworkPlan;
  /** Environment variables of a pod, in order. */
  environment(job: JobWith<Options>, replica: Replica): readonly EnvVar[];
  /** The containers that get these variables; default: all. */
  readonly environmentOf?: 'all' | 'main';

  // Capabilities

  /**
   * The variables that say at which port the ranks of a job meet that train together: with another port they meet nobody of
   * an earlier attempt. Or why that keeps nobody away; default: `unknown`.
   */
  meeting?(draft: Draft<Options>): readonly string[] | Exclude<GangFence, 'port' | 'onePod'>;
  /**
   * Name of a replica's pod and of its Service; default: `<job>-<role>-<index>`. Another name must not end with a dash and a
   * number: role and index are read from it.
   */
  podName?(jobName: string, role: string, index: number): string;
  /** Labels and annotations of a pod; default: Kubeflow's. The replica's Service selects the pod by `selector`. */
  podMetadata?(job: JobWith<Options>, replica: Replica): PodMetadata;
  /** Adds to a pod what its template, variables and port do not cover: volumes, init containers, a host name. */
  shapePod?(spec: PodSpec, job: JobWith<Options>, replica: Replica): PodSpec;
  /** Ports of a replica's own headless Service; undefined for no Service. Default: the ports of the pod. */
  servicePorts?(job: JobWith<Options>, replica: Replica): readonly ContainerPort[] | undefined;
  /** Objects of the whole job, e.g. a ConfigMap, Secret or Role, without common metadata. Created before pods. */
  sharedObjects?(job: JobWith<Options>): readonly KubeObject[];
  /** Objects with the host list, whose pods are known only at run time; updated as `Plan.hostList` says. */
  hostListObjects?(job: JobWith<Options>, members: readonly Member[]): readonly KubeObject[];
  /** The key in etcd with the number of workers, which programs read. */
  sizeInEtcd?(job: JobWith<Options>, attempt: number): SizeInEtcd | undefined;
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
  /** Default: 1. */
  readonly defaultReplicas?: number;
  readonly defaultRestartPolicy: JobRestartPolicy;
  /** If it is the master role, all its replicas are masters; default: only replica 0. */
  readonly allMasters?: true;
  /** Default: all policies. */
  readonly restartPolicies?: readonly JobRestartPolicy[];
}

/** One pod of a job. */
export interface Replica {
  readonly role: Role;
  readonly index: number;
  /** Default: 1. */
  readonly attempt?: number;
  /** How often an attempt left pods behind that must not meet those of the next one. Default: 0. */
  readonly meeting?: number;
}

export interface PodMetadata {
  /** The labels by which a Service selects the pod. */
  readonly selector: Readonly<Record<string, string>>;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
}

export interface FrameworkPlan
  extends Pick<
    Plan,
    | 'successRoles'
    | 'successOf'
    | 'success'
    | 'restartLimit'
    | 'messages'
    | 'hostList'
    | 'sharesWhileSuspended'
    | 'mode'
    | 'replicaCounts'
  > {
  /** Whether replicaStatuses show a label selector. */
  readonly showsSelector?: boolean;
  /** Rules by role name. */
  readonly roles?: Readonly<
    Record<
      string,
      | Pick<
          PlannedRole,
          | 'enough'
          | 'onFailure'
          | 'reactions'
          | 'inPlace'
          | 'partitionSize'
          | 'after'
          | 'afterAny'
          | 'afterEnd'
          | 'scales'
          | 'uncountedAtEnd'
        >
      | undefined
    >
  >;
}

/** A manifest whose fields are each valid; rules that span several fields are not checked yet. */
export interface Draft<Options extends KindOptions = KindOptions> {
  readonly name: string;
  readonly namespace: string;
  readonly annotations: Readonly<Record<string, string>>;
  readonly roles: readonly Role[];
  readonly options: Options;
  readonly runPolicy: Plan['runPolicy'];
  /** How many pods must be placed together, if the manifest says it. */
  readonly minMember?: number | undefined;
  readonly conventions: TrainingJob['conventions'];
}

export type KindWarning<Options extends KindOptions> = ManifestWarning<
  Pick<JobWith<Options>, 'roles' | 'options' | 'conventions' | 'resource'>
>;

/** The name of rules that hold for every role, where a manifest names its own. */
export const ANY_ROLE = '*';

/** Returns the rules of a role; undefined if the kind has no such role. */
export const rulesOf = ({ roles }: Pick<Framework, 'roles'>, role: string): RoleRules | undefined =>
  findRole(roles, role) ?? findRole(roles, ANY_ROLE);

/** The field that has a list of roles; undefined if they are not in a list. */
export const listOfRoles = ({ replicaSpecs }: Pick<Framework, 'replicaSpecs'>): string | undefined =>
  replicaSpecs.endsWith('[]') ? replicaSpecs.slice(0, -2) : undefined;

/** Returns the path of the roles, or of one role, in a manifest of the kind; in a list, by its name or number. */
export function rolePath(framework: Pick<Framework, 'replicaSpecs'>, role?: string | number): string {
  const list = listOfRoles(framework);
  if (list !== undefined) return role === undefined ? `spec.${list}` : `spec.${list}[${role}]`;
  return ['spec', framework.replicaSpecs, role].filter(Boolean).join('.');
}

/** Returns a name for state that outlives pods, so that each attempt has its own: `<name>-<attempt>` from attempt 2. */
export const ofAttempt = (name: string, { attempt = 1 }: Pick<Replica, 'attempt'>) =>
  attempt === 1 ? name : `${name}-${attempt}`;

/** Returns the variables in the order of the fields, without undefined values. */
export const variables = (values: Readonly<Record<string, string | undefined>>): EnvVar[] =>
  Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [{ name, value }]));
