import type { z } from 'zod';
import type { Fault } from '../../contracts/faults.ts';
import type { PodTemplate } from '../../contracts/kubernetes.ts';
import type { GangRequest, JobRestartPolicy, RunPolicy } from '../../contracts/training-job.ts';

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
  check(spec: Readonly<Record<string, unknown>>): Fault[];
  policies(spec: Readonly<Record<string, unknown>>): Policies;
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
