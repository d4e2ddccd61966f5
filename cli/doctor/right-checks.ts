import type { ClusterClient } from '../../cluster/client.ts';
import { type KubeObject, NAMESPACES, type Resource } from '../../contracts/kubernetes.ts';
import { eachServed, namespacesText, type ServedNamespaces } from '../../contracts/served-namespaces.ts';
import type { Account } from './account.ts';
import { type Finding, findingsOf } from './finding.ts';
import { type Right, rightsOf } from './rights.ts';

const { ok, warning, fault } = findingsOf('cluster');

/** An account, and the namespaces in which it needs its rights. */
export interface Needed {
  readonly account: Account;
  readonly namespaces: ServedNamespaces;
}

/** Looks whether the namespaces exist, as far as this account may see that. */
export async function namespaceFindings(client: ClusterClient, { namespaces }: Needed): Promise<Finding[]> {
  const isMissing = (name: string) =>
    client.find(NAMESPACES, undefined, name).then(
      (found) => found === undefined,
      () => false,
    );
  const missing = await Promise.all((namespaces ?? []).map(isMissing));
  const names = namespaces?.filter((_, index) => missing[index]) ?? [];
  if (names.length === 0) return [];
  return [
    fault(
      'namespaces',
      `the cluster has no ${namespacesText(names)}`,
      'Create what is missing, or correct SIGNALBOX_NAMESPACES (jobs.namespaces of the chart).',
    ),
  ];
}

/** Looks at the rights of an account, in each namespace. */
export async function rightFindings(
  client: ClusterClient,
  { account, namespaces }: Needed,
): Promise<Finding[]> {
  const asked: readonly Asked[] = rightsOf(account).flatMap((right) =>
    (right.isOfCluster ? [undefined] : eachServed(namespaces)).map((namespace) => ({ right, namespace })),
  );
  const allowed = await Promise.all(asked.map((one) => isAllowed(client, one)));
  const missing = asked.filter((_, index) => !allowed[index]);
  if (missing.length === 0)
    return [ok('rights', `this account has those of a ${account} in ${namespacesText(namespaces)}`)];
  const byCost = Map.groupBy(missing, ({ right, namespace }) => JSON.stringify([right.without, namespace]));
  const alike = Map.groupBy([...byCost.values()], textOfRights);
  return [...alike].map(([text, [lacking = [], ...others]]) => {
    const { isOfCluster, without } = lacking[0]!.right;
    const names = [lacking, ...others].flatMap(([{ namespace } = {}]) => namespace ?? []);
    const where = isOfCluster ? '' : ` in ${namespacesText(namespaces && names)}`;
    return (lacking.every(({ right }) => right.isOptional) ? warning : fault)(
      'rights',
      `this account may not ${text}${where}; without: ${without}`,
      `Ask an administrator of the cluster for them (${HINTS[account]}).`,
    );
  });
}

/** A right in a namespace; of the cluster, or in all namespaces, without one. */
interface Asked {
  readonly right: Right;
  readonly namespace?: string;
}

const textOfRights = (asked: readonly Asked[]) =>
  asked
    .map(({ right: { verb, resource, name } }) => `${verb} ${resource}${name ? ` ${name}` : ''}`)
    .join(', ');

const HINTS: Readonly<Record<Account, string>> = {
  user: 'the ClusterRole `view` and, to validate on the server, `edit`',
  worker: 'charts/signalbox/access/engine/worker.yaml',
  watcher: 'charts/signalbox/access/engine/watcher.yaml',
  bridge: 'charts/signalbox/access/bridge/bridge.yaml',
  console: 'charts/signalbox/access/console/console.yaml',
};

interface AccessReview extends KubeObject {
  readonly spec: { readonly resourceAttributes: Readonly<Record<string, string | undefined>> };
  readonly status?: { readonly allowed: boolean };
}

const ACCESS_REVIEWS = {
  ...{ apiVersion: 'authorization.k8s.io/v1', kind: 'SelfSubjectAccessReview' },
  ...{ plural: 'selfsubjectaccessreviews', namespaced: false },
} as Resource<AccessReview>;

async function isAllowed(client: ClusterClient, { right, namespace }: Asked): Promise<boolean> {
  const { group, verb, name } = right;
  const [resource, subresource] = right.resource.split('/');
  const { apiVersion, kind } = ACCESS_REVIEWS;
  const review = await client.create(ACCESS_REVIEWS, {
    ...{ apiVersion, kind, metadata: { name: '' } },
    spec: { resourceAttributes: { group, resource, subresource, verb, name, namespace } },
  });
  return review.status?.allowed === true;
}
