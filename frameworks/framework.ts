import type { z } from 'zod';
import type { Fault } from '../contracts/faults.ts';
import type { EnvVar } from '../contracts/kubernetes.ts';
import type { ConditionMessages, JobRestartPolicy, Role, TrainingJob } from '../contracts/training-job.ts';

/** What differs between kinds of jobs. A kind is one file that exports one of these, and one line in the registry. */
export interface Framework {
  readonly apiVersion: string;
  readonly kind: string;
  /** Value of the label operator-name: people select pods by it. */
  readonly operatorName: string;
  /** The field of spec that holds the roles, e.g. `pytorchReplicaSpecs`. */
  readonly replicaSpecs: string;
  readonly roles: readonly RoleRules[];
  /** Name of the container that trains. */
  readonly container: string;
  readonly port: { readonly name: string; readonly number: number };
  readonly defaultRestartPolicy: JobRestartPolicy;
  /** The fields of spec that only this kind has; what it parses to becomes `job.options`. */
  readonly options: z.ZodType<Record<string, unknown>>;
  /** Names of those fields, to tell a misspelt field from a known one. */
  readonly optionNames: readonly string[];
  /** Rules that no single field can tell. */
  check(draft: Draft): Fault[];
  /** Fills in what depends on other fields. */
  completeOptions?(draft: Draft): Record<string, unknown>;
  /** The pods that the gang needs at least; all of them unless said otherwise. */
  minMember?(draft: Draft): number;
  /** The role whose index 0 is the master: it has the role label, and its log is the job's. */
  masterRole(roles: readonly Role[]): string | undefined;
  successRoles(roles: readonly Role[]): readonly string[];
  messages(job: Pick<TrainingJob, 'name' | 'namespace' | 'roles'>): ConditionMessages;
  /** Variables for every container of a pod, in order. */
  environment(job: TrainingJob, role: Role, index: number): readonly EnvVar[];
}

export interface RoleRules {
  readonly name: string;
  readonly minReplicas: number;
  readonly maxReplicas?: number;
}

/** A manifest whose fields are each valid; what they say together is still to be checked. */
export interface Draft {
  readonly name: string;
  readonly namespace: string;
  readonly roles: readonly Role[];
  readonly options: Readonly<Record<string, unknown>>;
}

export const findRole = (roles: readonly Role[], name: string) => roles.find((role) => role.name === name);

export const totalReplicas = (roles: readonly Role[]) =>
  roles.reduce((total, { replicas }) => total + replicas, 0);
