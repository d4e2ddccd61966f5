import type { z } from 'zod';
import type { PodTemplate } from '../../contracts/kubernetes.ts';
import type { SuspendField } from '../../contracts/suspended-manifest.ts';
import type { GangRequest, JobRestartPolicy, RunPolicy, TrainingJob } from '../../contracts/training-job.ts';
import type { Fault } from '../../contracts/types.ts';

/** How a family of operators writes what all its kinds share: roles, and the policies of a job. */
export interface Dialect {
  /** Schema of spec, without the roles and the fields that only one kind has. */
  readonly spec: z.ZodType<Record<string, unknown>>;
  /** Schema of one role. */
  readonly role: z.ZodType<RoleFields>;
  /** Names of known fields by path below spec; `` is spec itself, `*` a role. Others are reported as unknown. */
  readonly fields: Readonly<Record<string, readonly string[]>>;
  /** Fields that are accepted but have no effect here: the reason by path below spec. */
  readonly withoutEffect: Readonly<Record<string, string>>;
  /** The operator's CRD rejects a container that sets a variable twice. */
  readonly variablesAreUnique?: true;
  /** Path of the schedulingPolicy in a manifest, for messages about its fields. */
  readonly schedulingPolicyPath: string;
  /** Paths of those of its fields that manifests have elsewhere, or call otherwise, by their usual name. */
  readonly schedulingPaths?: Readonly<Record<string, string>>;
  /** The field below spec by which a job is suspended; absent if the kind has none. */
  readonly suspend?: SuspendField;
  /** Where a job says who runs it; absent if the kind has no such field. */
  readonly managedBy?: ManagedBy;
  /** Its operator creates no group if a template names another scheduler: the group would never be complete. */
  readonly groupsOnlyForOneScheduler?: true;
  readonly volcano?: VolcanoCustoms;
  check(spec: Readonly<Record<string, unknown>>): Fault[];
  policies(spec: Readonly<Record<string, unknown>>): Policies;
}

interface ManagedBy {
  /** Below spec. */
  readonly field: string;
  /** The value that names the original operator; no value means the same. */
  readonly operator: string;
  /** The value that names signalbox, by which that operator leaves a job alone; absent if the API allows none. */
  readonly own?: string;
}

/** What the operators write differently for Volcano. */
interface VolcanoCustoms {
  /** Queue of a group if the job names none; without it Volcano uses `default`. */
  readonly queue?: string;
  /** Further fields of a group's spec. */
  groupFields?(job: TrainingJob): Readonly<Record<string, unknown>>;
  /** Added to pods, beside the group's name. `role`: in lower case. */
  podAnnotations?(job: TrainingJob, role: string): Readonly<Record<string, string>>;
}

export interface RoleFields {
  readonly replicas?: number;
  readonly restartPolicy?: JobRestartPolicy;
  readonly template: PodTemplate;
}

export interface Policies {
  readonly runPolicy: RunPolicy;
  /** Excludes what depends on the kind. */
  readonly gang: Omit<GangRequest, 'scheduler' | 'minMember' | 'schedulerName'> & {
    readonly minMember?: number;
  };
}
