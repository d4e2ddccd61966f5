/** A right that RBAC does not give to an account: what, where, and who can grant it. */
export interface MissingRight {
  readonly user: string;
  readonly verb: string;
  /** E.g. `pods/log` or `jobs.batch`. */
  readonly what: string;
  /** Absent: of the whole cluster. */
  readonly namespace?: string;
  /** What the API server says beside it. */
  readonly rest: string;
}

const BY_SERVER =
  /User "([^"]*)" cannot (\S+) resource "([^"]*)" in API group "([^"]*)" (?:in the namespace "([^"]*)"|at the cluster scope)(.*)$/s;

const BY_US = /(\S+) may not (\S+) (\S+) in (?:namespace (\S+)|the whole cluster) \(403 Forbidden\)(.*)$/s;

/** Reads it from words of an API server, or from `missingRightText`; undefined if these are of something else. */
export function missingRightIn(words: string): MissingRight | undefined {
  const said = BY_SERVER.exec(words);
  if (said) {
    const [, user = '', verb = '', resource = '', group = '', namespace, rest = ''] = said;
    return rightOf({ user, verb, what: group ? `${resource}.${group}` : resource, namespace, rest });
  }
  const [, user, verb = '', what = '', namespace, rest = ''] = BY_US.exec(words) ?? [];
  return user === undefined ? undefined : rightOf({ user, verb, what, namespace, rest });
}

const rightOf = ({
  namespace,
  rest,
  ...right
}: Omit<MissingRight, 'namespace'> & { readonly namespace: string | undefined }): MissingRight => ({
  ...right,
  ...(namespace === undefined ? {} : { namespace }),
  rest: rest.replace(/^[\s:]+/, '').trim(),
});

export function missingRightText({ user, verb, what, namespace, rest }: MissingRight): string {
  const where = namespace === undefined ? 'in the whole cluster' : `in namespace ${namespace}`;
  return `${user} may not ${verb} ${what} ${where} (403 Forbidden)${rest && `: ${rest}`}`;
}

/** Says who can grant it, with commands that do. */
export function grantOfRight({ user, verb, what, namespace }: MissingRight): string {
  const [role, flag, who] =
    namespace === undefined
      ? ['clusterrole', '', 'the cluster']
      : ['role', ` -n ${namespace}`, `namespace ${namespace}`];
  const name = `${verb}-${what.replaceAll(/[^a-z0-9]+/g, '-')}`;
  const account = /^system:serviceaccount:([^:]+):(.+)$/.exec(user);
  const to = account ? `--serviceaccount=${account[1]}:${account[2]}` : `--user='${user}'`;
  // kubectl has a subresource behind the group.
  const resource = what.replace(/^([^/.]+)(\/[^.]+)(\..+)$/, '$1$3$2');
  return `An administrator of ${who} can grant it: \`kubectl create ${role} ${name} --verb=${verb} --resource=${resource}${flag}\`, then \`kubectl create ${role}binding ${name} --${role}=${name} ${to}${flag}\`.`;
}
