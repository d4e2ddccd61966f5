import { ClusterClient } from '../../cluster/client.ts';
import { ApiError } from '../../cluster/errors.ts';
import type { KubeObject, Resource } from '../../contracts/kubernetes.ts';
import { errorMessage } from '../../language/error-message.ts';
import type { Settings } from '../settings/settings.ts';
import { type Finding, findingsOf } from './finding.ts';
import { type Account, type Right, rightsOf } from './rights.ts';

const { ok, warning, fault } = findingsOf('cluster');

/** Returns a client, or why there is none. Sends no request. */
export async function findCluster({ cluster, origins }: Settings): Promise<ClusterClient | Finding> {
  try {
    return await ClusterClient.connect({ ...cluster, connections: 8 });
  } catch (error) {
    const from = origins.kubeconfig ? `from ${origins.kubeconfig}` : 'as kubectl finds it';
    return fault(
      'kubeconfig',
      `${errorMessage(error)} (${from})`,
      'Set --kubeconfig and --kube-context, or KUBECONFIG; `kubectl config get-contexts` lists contexts.',
    );
  }
}

/** Looks at the API server and at the rights of an account. */
export async function* clusterFindings(
  client: ClusterClient,
  { account, namespace }: { readonly account: Account; readonly namespace: string },
): AsyncGenerator<Finding> {
  try {
    yield ok('server', `${client.server} answers, version ${(await client.version()).gitVersion}`);
  } catch (error) {
    yield serverFault(client, error);
    return;
  }
  yield* await rightFindings(client, { account, namespace });
}

function serverFault({ server }: ClusterClient, error: unknown): Finding {
  const isRefused = error instanceof ApiError && [401, 403].includes(error.status);
  return fault(
    'server',
    isRefused
      ? `${server} does not accept the credentials`
      : `no answer from ${server}: ${errorMessage(error)}`,
    isRefused
      ? 'Renew them, e.g. by logging in again; `kubectl auth whoami` shows who they are for.'
      : 'Check the kubeconfig and its context (`signalbox config` shows where they come from), and the network.',
  );
}

async function rightFindings(
  client: ClusterClient,
  { account, namespace }: { readonly account: Account; readonly namespace: string },
): Promise<Finding[]> {
  const rights = rightsOf(account);
  const allowed = await Promise.all(rights.map((right) => isAllowed(client, right, namespace)));
  const missing = rights.filter((_right, index) => !allowed[index]);
  if (missing.length === 0)
    return [ok('rights', `this account has those of a ${account} in namespace ${namespace}`)];
  return [...Map.groupBy(missing, ({ without }) => without)].map(([without, lacking]) => {
    const names = lacking.map(({ verb, resource, name }) => `${verb} ${resource}${name ? ` ${name}` : ''}`);
    const state = lacking.every(({ isOptional }) => isOptional) ? warning : fault;
    return state(
      'rights',
      `this account may not ${names.join(', ')} in namespace ${namespace}; without: ${without}`,
      `Ask an administrator of the cluster for them (${HINTS[account]}).`,
    );
  });
}

const HINTS: Readonly<Record<Account, string>> = {
  user: 'the ClusterRole `view` and, to validate on the server, `edit`',
  worker: 'charts/signalbox/access/engine/worker.yaml',
  watcher: 'charts/signalbox/access/engine/watcher.yaml',
};

interface AccessReview extends KubeObject {
  readonly spec: { readonly resourceAttributes: Readonly<Record<string, string | undefined>> };
  readonly status?: { readonly allowed: boolean };
}

const ACCESS_REVIEWS = {
  ...{ apiVersion: 'authorization.k8s.io/v1', kind: 'SelfSubjectAccessReview' },
  ...{ plural: 'selfsubjectaccessreviews', namespaced: false },
} as Resource<AccessReview>;

async function isAllowed(client: ClusterClient, right: Right, namespace: string): Promise<boolean> {
  const { group, verb, name, isOfCluster } = right;
  const [resource, subresource] = right.resource.split('/');
  const { apiVersion, kind } = ACCESS_REVIEWS;
  const review = await client.create(ACCESS_REVIEWS, {
    ...{ apiVersion, kind, metadata: { name: '' } },
    spec: {
      resourceAttributes: {
        ...{ group, resource, subresource, verb, name },
        namespace: isOfCluster ? undefined : namespace,
      },
    },
  });
  return review.status?.allowed === true;
}
