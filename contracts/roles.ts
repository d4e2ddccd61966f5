/** Returns a role's name as labels, digests and policies have it: in lower case. Manifests may use any case. */
export const roleKey = (name: string): string => name.toLowerCase();

/** Finds a role by its name in any case. */
export const findRole = <R extends { readonly name: string }>(
  roles: readonly R[],
  name: string,
): R | undefined => roles.find((role) => roleKey(role.name) === roleKey(name));
