import type { ClusterClient } from '../cluster/client.ts';
import { type KubeObject, type Resource, SERVICE_ACCOUNTS } from '../contracts/kubernetes.ts';

interface TokenRequest extends KubeObject {
  readonly status?: { readonly token: string };
}

const TOKENS = SERVICE_ACCOUNTS as Resource<TokenRequest>;

/** Returns a token of a service account. */
export async function createToken(
  cluster: ClusterClient,
  account: { readonly namespace: string; readonly name: string },
  expirationSeconds = 3600,
): Promise<string> {
  const wanted = {
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'TokenRequest',
    metadata: account,
    spec: { expirationSeconds },
  };
  const { status } = await cluster.create(TOKENS, wanted, { subresource: 'token' });
  return status!.token;
}
