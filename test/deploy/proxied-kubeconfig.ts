/** Of an account, by a proxy before the API server. */
export const kubeconfigOf = (server: string, token: string) => ({
  apiVersion: 'v1',
  kind: 'Config',
  'current-context': 'test',
  // Plain HTTP, as far as the proxy; client-node wants to be told so.
  clusters: [{ name: 'test', cluster: { server, 'insecure-skip-tls-verify': true } }],
  users: [{ name: 'test', user: { token } }],
  contexts: [{ name: 'test', context: { cluster: 'test', user: 'test' } }],
});
