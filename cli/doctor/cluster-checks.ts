import { ClusterClient } from '../../cluster/client.ts';
import { ApiError } from '../../cluster/errors.ts';
import { errorMessage } from '../../language/error-message.ts';
import type { Settings } from '../settings/settings.ts';
import { clockFinding } from './clock-finding.ts';
import { type Finding, findingsOf } from './finding.ts';
import { type Needed, namespaceFindings, rightFindings } from './right-checks.ts';

const { ok, fault } = findingsOf('cluster');
const CLOCKS = {
  part: 'cluster',
  whose: 'the clock of this machine',
  than: 'that of the API server',
} as const;

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
export async function* clusterFindings(client: ClusterClient, needed: Needed): AsyncGenerator<Finding> {
  try {
    yield ok('server', `${client.server} answers, version ${(await client.version()).gitVersion}`);
    yield clockFinding(Date.now() - client.now(), CLOCKS);
  } catch (error) {
    yield serverFault(client, error);
    return;
  }
  yield* await namespaceFindings(client, needed);
  yield* await rightFindings(client, needed);
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
