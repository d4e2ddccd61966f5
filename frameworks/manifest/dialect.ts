import type { z } from 'zod';
import type { Fault } from '../../contracts/faults.ts';
import type { PodTemplate } from '../../contracts/kubernetes.ts';
import type { GangRequest, JobRestartPolicy, RunPolicy } from '../../contracts/training-job.ts';

/** How a family of operators writes what all kinds have in common: roles, and the policies of a job. */
export interface Dialect {
  /** spec, less its roles and what only one kind has. */
  readonly spec: z.ZodType<Record<string, unknown>>;
  /** One role. */
  readonly role: z.ZodType<RoleFields>;
  /** Names of known fields by path below spec; `` is spec itself, `*` a role. Others are reported as unknown. */
  readonly fields: Readonly<Record<string, readonly string[]>>;
  /** Fields that are accepted and change nothing here, by path below spec: why. */
  readonly withoutEffect: Readonly<Record<string, string>>;
  /** The operator's CRD refuses a variable that a container sets twice. */
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
  /** Without what depends on the kind. */
  readonly gang: Omit<GangRequest, 'scheduler' | 'minMember' | 'schedulerName'> & {
    readonly minMember?: number;
  };
}
