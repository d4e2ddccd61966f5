import type { Plan, PlannedRole } from './training-job.ts';

/** Returns a role's name as labels, digests and policies have it: in lower case. Manifests may use any case. */
export const roleKey = (name: string): string => name.toLowerCase();

/** Finds a role by its name in any case. */
export const findRole = <R extends { readonly name: string }>(
  roles: readonly R[],
  name: string,
): R | undefined => roles.find((role) => roleKey(role.name) === roleKey(name));

/** Sums the replicas of the roles; of those with these names, if names are given. */
export const totalReplicas = (
  roles: readonly { readonly name: string; readonly replicas: number }[],
  names?: readonly string[],
): number =>
  roles.filter(({ name }) => !names || names.includes(name)).reduce((sum, { replicas }) => sum + replicas, 0);

/** Whether pods of a role are created only when others are ready: a gang must not wait for them. */
export const isCreatedLater = ({ roles }: Pick<Plan, 'roles'>, role: string): boolean =>
  roles.some((one) => one.name === role && waitsForOthers(one));

export const waitsForOthers = ({ after = [] }: Pick<PlannedRole, 'after'>): boolean => after.length > 0;
